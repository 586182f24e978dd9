"""Templates."""

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response

from backend.api.project_scope import ProjectNounViewSet
from backend.api.templates.previews import PreviewRequestSerializer, PreviewSerializer, preview_template
from backend.api.templates.replays import ReplayRequestSerializer, ReplaySerializer
from backend.api.templates.serializers import TemplateSerializer
from backend.apps.crawlers.models import Crawler
from backend.apps.errors import Invalid
from backend.apps.projects.models import Project
from backend.apps.templates.models import Template
from backend.apps.templates.replaying import replay_template
from backend.apps.templates.services import delete_template, duplicate_template, save_template


class TemplateViewSet(ProjectNounViewSet):
    queryset = Template.objects.select_related("project").prefetch_related("inspectors", "actions")
    serializer_class = TemplateSerializer

    def save_noun(self, values: dict[str, Any], *, project: Project, noun: Template | None = None) -> Template:
        return save_template(values=values, project=project, template=noun)

    @extend_schema(request=PreviewRequestSerializer, responses=PreviewSerializer)
    @action(detail=False, methods=["post"])
    def preview(self, request: Request) -> Response:
        """What a template makes of one page, at an address or as given markup; nothing is stored."""
        self._project_of_body(request)
        asked = PreviewRequestSerializer(data=request.data)
        asked.is_valid(raise_exception=True)
        return Response(PreviewSerializer(preview_template(**asked.validated_data)).data)

    @extend_schema(request=ReplayRequestSerializer, responses=ReplaySerializer)
    @action(detail=True, methods=["post"])
    def replay(self, request: Request, pk: str | None = None) -> Response:
        """The action chain on one page in a browser: a sentence and a picture for every step; nothing is stored.

        It takes a browser for up to 90 seconds, so one runs at a time: 429 with Retry-After while another does.
        """
        template = self.get_object()
        asked = ReplayRequestSerializer(data=request.data)
        asked.is_valid(raise_exception=True)
        values = {**asked.validated_data, "crawler": self._crawler(template, asked.validated_data["crawler"])}
        return Response(ReplaySerializer(replay_template(template=template, **values)).data)

    def _crawler(self, template: Template, number: int | None) -> Crawler | None:
        if number is None:
            return None
        found = Crawler.objects.filter(pk=number, project=template.project_id).select_related("template").first()
        if found is None:
            raise Invalid({"crawler": ["There is no such crawler in the template's project. Choose one of its own."]})
        return found

    def duplicate_noun(self, noun: Template) -> Template:
        return duplicate_template(template=noun)

    def delete_noun(self, noun: Template) -> None:
        delete_template(template=noun)
