"""Jobs: to look at, to hold, to release and to cancel."""

from django_filters import rest_framework as filters
from drf_spectacular.utils import extend_schema
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response

from backend.api.filtering import RowFilterSet
from backend.api.jobs.serializers import JobSerializer
from backend.api.project_scope import ProjectReadViewSet
from backend.apps.jobs.models import Job, JobState, Wish
from backend.apps.runners.services import tell_job


class JobFilter(RowFilterSet):
    state = filters.MultipleChoiceFilter(choices=JobState.choices)

    class Meta:
        model = Job
        fields = ["project", "kind", "state", "runner", "indexer"]


class JobViewSet(ProjectReadViewSet):
    queryset = Job.objects.select_related(
        "project", "runner__crawler", "runner__created_by", "indexer", "requested_node"
    ).prefetch_related("placements__node", "transitions")
    serializer_class = JobSerializer
    filterset_class = JobFilter
    search_fields = ["reason"]
    ordering_fields = ["id", "priority", "state", "started_at", "finished_at"]

    @extend_schema(request=None, responses=JobSerializer)
    @action(detail=True, methods=["post"])
    def hold(self, request: Request, pk: str | None = None) -> Response:
        """Pass it over while it waits; pause it while it runs."""
        return self._tell(Wish.PAUSE)

    @extend_schema(request=None, responses=JobSerializer)
    @action(detail=True, methods=["post"])
    def release(self, request: Request, pk: str | None = None) -> Response:
        """Let it wait for its turn again, or go on."""
        return self._tell(Wish.RUN)

    @extend_schema(request=None, responses=JobSerializer)
    @action(detail=True, methods=["post"])
    def cancel(self, request: Request, pk: str | None = None) -> Response:
        """End it for good; what it has collected stays."""
        return self._tell(Wish.STOP)

    def _tell(self, wish: Wish) -> Response:
        job = self.get_object()
        tell_job(job=job, wish=wish)
        return Response(self.get_serializer(self.get_queryset().get(pk=job.pk)).data)
