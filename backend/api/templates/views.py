"""Templates."""

from typing import Any

from backend.api.project_scope import ProjectNounViewSet
from backend.api.templates.serializers import TemplateSerializer
from backend.apps.projects.models import Project
from backend.apps.templates.models import Template
from backend.apps.templates.services import delete_template, duplicate_template, save_template


class TemplateViewSet(ProjectNounViewSet):
    queryset = Template.objects.select_related("project").prefetch_related("inspectors", "actions")
    serializer_class = TemplateSerializer

    def save_noun(self, values: dict[str, Any], *, project: Project, noun: Template | None = None) -> Template:
        return save_template(values=values, project=project, template=noun)

    def duplicate_noun(self, noun: Template) -> Template:
        return duplicate_template(template=noun)

    def delete_noun(self, noun: Template) -> None:
        delete_template(template=noun)
