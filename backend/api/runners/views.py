"""Runners and their logs, to look at."""

from typing import Any

from django_filters import rest_framework as filters
from rest_framework.generics import ListAPIView

from backend.api.pagination import Keyset
from backend.api.project_scope import OfVisibleParentMixin, ProjectReadViewSet
from backend.api.runners.serializers import LogLineSerializer, RunnerSerializer
from backend.apps.runners.models import LogLevel, LogLine, Runner, RunnerStatus


class RunnerFilter(filters.FilterSet):
    project = filters.NumberFilter(field_name="crawler__project")
    status = filters.MultipleChoiceFilter(choices=RunnerStatus.choices)

    class Meta:
        model = Runner
        fields = ["crawler", "project", "status"]


class RunnerViewSet(ProjectReadViewSet):
    project_path = "crawler__project"
    queryset = Runner.objects.select_related("crawler__project").defer("specification")
    serializer_class = RunnerSerializer
    filterset_class = RunnerFilter
    search_fields = ["crawler__name", "reason"]
    ordering_fields = ["id", "started_at", "finished_at", "status"]


class LogFilter(filters.FilterSet):
    level = filters.MultipleChoiceFilter(choices=LogLevel.choices)
    search = filters.CharFilter(field_name="message", lookup_expr="icontains")

    class Meta:
        model = LogLine
        fields = ["level", "search"]


class RunnerLogView(OfVisibleParentMixin, ListAPIView):
    """The log of a runner, newest first."""

    parent_field = "runner"
    parents = Runner.objects.all()
    parent_project_path = "crawler__project"
    queryset: Any = LogLine.objects.order_by("-id")
    serializer_class = LogLineSerializer
    pagination_class = Keyset
    filter_backends = [filters.DjangoFilterBackend]
    filterset_class = LogFilter
