"""What happens, as it happens: server-sent events."""

from typing import Any

from django.http import StreamingHttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse, extend_schema
from rest_framework.exceptions import NotAuthenticated, NotFound, Throttled, ValidationError
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request
from rest_framework.views import APIView

from backend.api.access import Access, DeclaredAccess
from backend.api.project_scope import visible_project
from backend.apps.events.feed import MAX_STREAMS, open_streams, stream_events
from backend.apps.events.models import EventKind
from backend.apps.events.selectors import Wanted, visible_projects
from backend.apps.projects.models import Project
from backend.apps.runners.models import Runner

RETRY_SECONDS = 30
KINDS = ", ".join(EventKind.values)


class EventsView(APIView):
    permission_classes = [DeclaredAccess]
    access = {"*": Access.SIGNED_IN}

    @extend_schema(
        operation_id="events_stream",
        parameters=[
            OpenApiParameter("project", int, description="Only events of this project, and of nodes."),
            OpenApiParameter("runner", int, description="Only events of this runner."),
            OpenApiParameter("kinds", str, description=f"Only these, separated by commas: {KINDS}."),
            OpenApiParameter("Last-Event-ID", int, OpenApiParameter.HEADER, description="Go on after this event."),
        ],
        responses={(200, "text/event-stream"): OpenApiResponse(OpenApiTypes.STR, description="Server-sent events.")},
    )
    def get(self, request: Request) -> StreamingHttpResponse:
        """What happens in the projects one may see: jobs, runners, indexers, log lines; and nodes.

        The answer never ends by itself for long; a client that lost it asks again with the id of the last event it got.
        An event `reset` says that too much was missed: load everything again.
        """
        if open_streams() >= MAX_STREAMS:
            raise Throttled(wait=RETRY_SECONDS)
        wanted = Wanted(self._project(request), self._runner(request), _kinds(request))
        rights = visible_projects([request.user.pk])
        if request.user.pk not in rights:
            raise NotAuthenticated
        after = _number(request.headers.get("Last-Event-ID"), "Last-Event-ID")
        response = StreamingHttpResponse(
            stream_events(request.user.pk, rights[request.user.pk], wanted, after), content_type="text/event-stream"
        )
        response.headers["Cache-Control"] = "no-store"
        response.headers["X-Accel-Buffering"] = "no"
        return response

    def perform_content_negotiation(self, request: Request, force: bool = False) -> tuple[Any, str]:
        """Browsers accept only event streams here; a refusal is told as JSON nevertheless."""
        return JSONRenderer(), JSONRenderer.media_type

    def _project(self, request: Request) -> int | None:
        number = _number(request.query_params.get("project"), "project")
        return None if number is None else visible_project(request, number).pk

    def _runner(self, request: Request) -> int | None:
        number = _number(request.query_params.get("runner"), "runner")
        visible = Project.objects.visible_to(request.user).values("pk")
        if number is not None and not Runner.objects.filter(pk=number, crawler__project__in=visible).exists():
            raise NotFound
        return number


def _kinds(request: Request) -> frozenset[str] | None:
    named = frozenset(filter(None, request.query_params.get("kinds", "").split(",")))
    if unknown := named - set(EventKind.values):
        sentence = f"There are no events of kind {', '.join(sorted(unknown))}. Known: {KINDS}."
        raise ValidationError({"kinds": [sentence]})
    return named or None


def _number(text: str | None, name: str) -> int | None:
    if not text:
        return None
    if not text.isdecimal() or int(text) >= 2**63:
        raise ValidationError({name: ["Give a whole number."]})
    return int(text)
