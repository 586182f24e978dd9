"""Templates."""

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response

from backend.api.project_scope import ProjectNounViewSet
from backend.api.templates.previews import PreviewRequestSerializer, PreviewSerializer, preview_template
from backend.api.templates.serializers import TemplateSerializer
from backend.apps.projects.models import Project
from backend.apps.templates.models import Template
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

    def duplicate_noun(self, noun: Template) -> Template:
        return duplicate_template(template=noun)

    def delete_noun(self, noun: Template) -> None:
        delete_template(template=noun)
