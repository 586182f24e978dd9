"""Indexers and dictionaries."""

from collections.abc import Callable
from typing import Any

from django.db.models import Prefetch, QuerySet
from django.http import HttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema, extend_schema_view
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.serializers import BaseSerializer

from backend.api.document_exports import AnyAccept
from backend.api.indexers.serializers import (
    DictionarySerializer,
    IndexerSerializer,
    IndexerStateSerializer,
    IndexLogLineSerializer,
    ListedDictionarySerializer,
    NewIndexJobSerializer,
    ShownEntriesParameters,
)
from backend.api.log_lines import LogLinesView
from backend.api.project_scope import ProjectNounViewSet
from backend.apps.errors import Conflict
from backend.apps.indexers.models import ColumnSource, Dictionary, Indexer, IndexLogLine
from backend.apps.indexers.running import accept_build, delete_indexer, discard_build, start_indexer, stop_indexer
from backend.apps.indexers.selectors import held_build, state_of
from backend.apps.indexers.services import (
    delete_dictionary,
    duplicate_dictionary,
    duplicate_indexer,
    save_dictionary,
    save_indexer,
)
from backend.apps.projects.models import Project


class IndexerViewSet(ProjectNounViewSet):
    queryset = Indexer.objects.select_related("project").prefetch_related(
        "columns", "crawlers", Prefetch("columns__sources", ColumnSource.objects.select_related("inspector__template"))
    )
    serializer_class = IndexerSerializer
    filterset_fields = ["project", "status", "dictionary"]

    def save_noun(self, values: dict[str, Any], *, project: Project, noun: Indexer | None = None) -> Indexer:
        return save_indexer(values=values, project=project, indexer=noun)

    def duplicate_noun(self, noun: Indexer) -> Indexer:
        return duplicate_indexer(indexer=noun)

    def delete_noun(self, noun: Indexer) -> None:
        delete_indexer(indexer=noun)

    @extend_schema(responses=IndexerStateSerializer)
    @action(detail=True, methods=["get"])
    def state(self, request: Request, pk: str | None = None) -> Response:
        """How far the index is, what is served, what waits for a person, and what to look at."""
        return self._state(self.get_object())

    @extend_schema(request=NewIndexJobSerializer, responses=IndexerStateSerializer)
    @action(detail=True, methods=["post"])
    def start(self, request: Request, pk: str | None = None) -> Response:
        """Build the index, or bring it up to date; `rebuild` builds it anew beside what is served."""
        indexer = self.get_object()
        wanted = NewIndexJobSerializer(data=request.data)
        wanted.is_valid(raise_exception=True)
        start_indexer(indexer=indexer, rebuild=wanted.validated_data["rebuild"])
        return self._state(indexer)

    @extend_schema(request=None, responses=IndexerStateSerializer)
    @action(detail=True, methods=["post"])
    def stop(self, request: Request, pk: str | None = None) -> Response:
        """Stop building or following; what is served stays searchable as it is."""
        indexer = self.get_object()
        stop_indexer(indexer=indexer)
        return self._state(indexer)

    @extend_schema(request=None, responses=IndexerStateSerializer)
    @action(detail=True, methods=["post"])
    def accept(self, request: Request, pk: str | None = None) -> Response:
        """Serve the build that was held back."""
        return self._decide(accept_build)

    @extend_schema(request=None, responses=IndexerStateSerializer)
    @action(detail=True, methods=["post"])
    def discard(self, request: Request, pk: str | None = None) -> Response:
        """Throw the build away that was held back; what is served stays."""
        return self._decide(discard_build)

    def _decide(self, decide: Callable[..., None]) -> Response:
        indexer = self.get_object()
        held = held_build(indexer)
        if held is None:
            raise Conflict("No build of this indexer waits for a decision.")
        decide(build=held)
        return self._state(indexer)

    def _state(self, indexer: Indexer) -> Response:
        indexer.refresh_from_db()
        return Response(IndexerStateSerializer(state_of(indexer)).data)


class IndexerLogView(LogLinesView):
    """The log of an indexer's jobs, newest first."""

    parent_field = "indexer"
    parents = Indexer.objects.all()
    parent_project_path = "project"
    queryset: Any = IndexLogLine.objects.order_by("-id")
    serializer_class = IndexLogLineSerializer


@extend_schema_view(
    list=extend_schema(responses=ListedDictionarySerializer(many=True)),
    **{
        name: extend_schema(parameters=[ShownEntriesParameters])
        for name in ("retrieve", "create", "update", "partial_update", "duplicate")
    },
)
class DictionaryViewSet(ProjectNounViewSet):
    queryset = Dictionary.objects.select_related("project")
    serializer_class = DictionarySerializer

    def get_queryset(self) -> QuerySet[Dictionary]:
        found = super().get_queryset()
        return found.defer("entries") if self.action == "list" else found

    def get_serializer_class(self) -> type[BaseSerializer]:
        return ListedDictionarySerializer if self.action == "list" else DictionarySerializer

    def get_serializer_context(self) -> dict[str, Any]:
        wanted = ShownEntriesParameters(data=self.request.query_params if self.request else {})
        wanted.is_valid(raise_exception=True)
        return {**super().get_serializer_context(), **wanted.validated_data}

    @extend_schema(responses={(200, "text/plain"): OpenApiTypes.BINARY})
    @action(detail=True, methods=["get"], content_negotiation_class=AnyAccept)
    def entries(self, request: Request, pk: str | None = None) -> HttpResponse:
        """All entries as a text file, one a line."""
        dictionary = self.get_object()
        headers = {"Content-Disposition": f'attachment; filename="dictionary-{dictionary.pk}.txt"'}
        return HttpResponse(dictionary.entries, content_type="text/plain; charset=utf-8", headers=headers)

    def save_noun(self, values: dict[str, Any], *, project: Project, noun: Dictionary | None = None) -> Dictionary:
        return save_dictionary(values=values, project=project, dictionary=noun)

    def duplicate_noun(self, noun: Dictionary) -> Dictionary:
        return duplicate_dictionary(dictionary=noun)

    def delete_noun(self, noun: Dictionary) -> None:
        delete_dictionary(dictionary=noun)
