"""Runners: start, pause, resume, stop, retry; their logs and charts."""

from collections.abc import Callable
from typing import Any

from django_filters import rest_framework as filters
from drf_spectacular.utils import extend_schema
from rest_framework import status
from rest_framework.decorators import action
from rest_framework.exceptions import NotFound, ValidationError
from rest_framework.generics import ListAPIView
from rest_framework.request import Request
from rest_framework.response import Response

from backend.api.access import require_role
from backend.api.document_exports import AnyAccept, FileStream, choices_of, describe_export, export_response
from backend.api.filtering import RowFilter, RowFilterSet
from backend.api.log_lines import LogLinesView
from backend.api.project_scope import OfVisibleParentMixin, ProjectReadViewSet
from backend.api.runners.serializers import (
    LogLineSerializer,
    MinuteSerializer,
    NewRunnerSerializer,
    RetriedSerializer,
    RunnerSerializer,
)
from backend.apps.crawlers.models import Crawler
from backend.apps.documents.exports import documents_of_runner
from backend.apps.housekeeping.deleting import delete_runner
from backend.apps.projects.models import Project, Role
from backend.apps.runners.models import LogLine, Runner, RunnerMinute, RunnerStatus
from backend.apps.runners.services import pause_runner, resume_runner, retry_failed_pages, start_runner, stop_runner

MINUTES_SHOWN = 24 * 60


class RunnerFilter(RowFilterSet):
    project = RowFilter(field_name="crawler__project")
    status = filters.MultipleChoiceFilter(choices=RunnerStatus.choices)

    class Meta:
        model = Runner
        fields = ["crawler", "project", "status"]


class RunnerViewSet(ProjectReadViewSet):
    project_path = "crawler__project"
    queryset = Runner.objects.select_related("crawler__project", "crawl_state").defer("specification")
    serializer_class = RunnerSerializer
    filterset_class = RunnerFilter
    search_fields = ["crawler__name", "reason"]
    ordering_fields = ["id", "started_at", "finished_at", "status"]

    @extend_schema(request=NewRunnerSerializer, responses={201: RunnerSerializer})
    def create(self, request: Request) -> Response:
        """Start a run of a crawler, on terms of its own if there are any: as `./gleaner qsub`."""
        crawler = self._crawler_of_body(request)
        serializer = NewRunnerSerializer(data=request.data)
        serializer.is_valid(raise_exception=True)
        workers = serializer.validated_data.get("workers")
        runner = start_runner(crawler=crawler, user=request.user, workers=workers, terms=serializer.terms())
        return Response(self._describe(runner), status=status.HTTP_201_CREATED)

    @extend_schema(request=None, responses=RunnerSerializer)
    @action(detail=True, methods=["post"])
    def pause(self, request: Request, pk: str | None = None) -> Response:
        """Pause: pages in work are finished, everything found is kept."""
        return self._act(pause_runner)

    @extend_schema(request=None, responses=RunnerSerializer)
    @action(detail=True, methods=["post"])
    def resume(self, request: Request, pk: str | None = None) -> Response:
        """Go on after a pause."""
        return self._act(resume_runner)

    @extend_schema(request=None, responses=RunnerSerializer)
    @action(detail=True, methods=["post"])
    def stop(self, request: Request, pk: str | None = None) -> Response:
        """Stop for good; what was collected stays."""
        return self._act(stop_runner)

    @extend_schema(request=None, responses=RetriedSerializer)
    @action(detail=True, methods=["post"])
    def retry(self, request: Request, pk: str | None = None) -> Response:
        """Try the failed pages again, and only those; where that was stopped, go on with those that still wait."""
        return Response({"pages": retry_failed_pages(runner=self.get_object())})

    def destroy(self, request: Request, pk: str | None = None) -> Response:
        """Delete a run that has ended: its pages, queue and log, and the documents that no other run has found."""
        delete_runner(runner=self.get_object())
        return Response(status=status.HTTP_204_NO_CONTENT)

    @describe_export("runners_export")
    @action(detail=True, methods=["get"], content_negotiation_class=AnyAccept)
    def export(self, request: Request, pk: str | None = None) -> FileStream:
        """The documents that this run extracted or found unchanged, as a file."""
        runner, choices = self.get_object(), choices_of(request)
        source = documents_of_runner(runner, with_duplicates=choices["with_duplicates"], with_gone=choices["with_gone"])
        return export_response(source, choices, name=f"{runner.crawler.name} {runner.number}")

    def _act(self, act: Callable[..., None]) -> Response:
        runner = self.get_object()
        act(runner=runner)
        return Response(self._describe(runner))

    def _describe(self, runner: Runner) -> dict[str, Any]:
        return self.get_serializer(self.get_queryset().get(pk=runner.pk)).data

    def _crawler_of_body(self, request: Request) -> Crawler:
        """The crawler named in the body, for those who may run it; a stranger's is nothing."""
        given = request.data.get("crawler") if isinstance(request.data, dict) else None
        if not isinstance(given, int):
            raise ValidationError({"crawler": ["Say which crawler to run."]})
        seen = Project.objects.visible_to(request.user).values("pk")
        crawler = Crawler.objects.select_related("project").filter(pk=given, project__in=seen).first()
        if crawler is None:
            raise NotFound
        require_role(crawler.project, request, Role.EDITOR)
        return crawler


class RunnerLogView(LogLinesView):
    """The log of a runner, newest first."""

    parent_field = "runner"
    parents = Runner.objects.all()
    parent_project_path = "crawler__project"
    queryset: Any = LogLine.objects.order_by("-id")
    serializer_class = LogLineSerializer


class RunnerMinutesView(OfVisibleParentMixin, ListAPIView):
    """What a runner did minute by minute, oldest first, for charts; at most the last day."""

    parent_field = "runner"
    parents = Runner.objects.all()
    parent_project_path = "crawler__project"
    queryset: Any = RunnerMinute.objects.order_by("minute")
    serializer_class = MinuteSerializer
    pagination_class = None
    filter_backends: list[Any] = []

    def get_queryset(self) -> Any:
        newest = super().get_queryset().order_by("-minute")[:MINUTES_SHOWN]
        return RunnerMinute.objects.filter(pk__in=list(newest.values_list("pk", flat=True))).order_by("minute")
