"""Indexers and dictionaries."""

from typing import Any

from django.db.models import Prefetch

from backend.api.indexers.serializers import DictionarySerializer, IndexerSerializer
from backend.api.project_scope import ProjectNounViewSet
from backend.apps.indexers.models import ColumnSource, Dictionary, Indexer
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
        "columns", Prefetch("columns__sources", ColumnSource.objects.select_related("inspector__template"))
    )
    serializer_class = IndexerSerializer
    filterset_fields = ["project", "status", "dictionary"]

    def save_noun(self, values: dict[str, Any], *, project: Project, noun: Indexer | None = None) -> Indexer:
        return save_indexer(values=values, project=project, indexer=noun)

    def duplicate_noun(self, noun: Indexer) -> Indexer:
        return duplicate_indexer(indexer=noun)


class DictionaryViewSet(ProjectNounViewSet):
    queryset = Dictionary.objects.select_related("project")
    serializer_class = DictionarySerializer

    def save_noun(self, values: dict[str, Any], *, project: Project, noun: Dictionary | None = None) -> Dictionary:
        return save_dictionary(values=values, project=project, dictionary=noun)

    def duplicate_noun(self, noun: Dictionary) -> Dictionary:
        return duplicate_dictionary(dictionary=noun)

    def delete_noun(self, noun: Dictionary) -> None:
        delete_dictionary(dictionary=noun)
