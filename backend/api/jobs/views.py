"""Jobs, to look at."""

from django_filters import rest_framework as filters

from backend.api.jobs.serializers import JobSerializer
from backend.api.project_scope import ProjectReadViewSet
from backend.apps.jobs.models import Job, JobState


class JobFilter(filters.FilterSet):
    state = filters.MultipleChoiceFilter(choices=JobState.choices)

    class Meta:
        model = Job
        fields = ["project", "kind", "state", "runner", "indexer"]


class JobViewSet(ProjectReadViewSet):
    queryset = Job.objects.select_related("project").prefetch_related("placements__node", "transitions")
    serializer_class = JobSerializer
    filterset_class = JobFilter
    search_fields = ["reason"]
    ordering_fields = ["id", "priority", "state", "started_at", "finished_at"]
