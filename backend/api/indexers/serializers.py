"""Shapes of indexers, their columns, and dictionaries."""

from typing import Any

from rest_framework import serializers

from backend.api.strict_fields import StrictFieldsMixin
from backend.apps.indexers.models import Dictionary, IndexColumn, Indexer
from backend.apps.indexers.services import COLUMN_FIELDS, DICTIONARY_FIELDS, INDEXER_FIELDS

MAX_ENTRIES_CHARACTERS = 60 * 2**20


class ColumnSerializer(StrictFieldsMixin, serializers.ModelSerializer):
    id = serializers.IntegerField(required=False, help_text="Keeps the column when it is renamed.")
    sources = serializers.ListField(
        child=serializers.CharField(max_length=350), help_text="Inspectors that fill it, as template.inspector."
    )

    class Meta:
        model = IndexColumn
        fields = ["id", *COLUMN_FIELDS, "sources"]

    def to_representation(self, column: IndexColumn) -> dict[str, Any]:
        own = {field: getattr(column, field) for field in COLUMN_FIELDS}
        return {"id": column.pk, **own, "sources": [str(source) for source in column.sources.all()]}


class IndexerSerializer(StrictFieldsMixin, serializers.ModelSerializer):
    columns = ColumnSerializer(many=True, required=False)
    dictionary = serializers.PrimaryKeyRelatedField(queryset=Dictionary.objects.all(), allow_null=True, required=False)
    stop_words = serializers.ListField(child=serializers.CharField(max_length=500), required=False)
    word_weights = serializers.DictField(child=serializers.FloatField(), required=False)
    weights = serializers.DictField(child=serializers.FloatField(), required=False)
    synonyms = serializers.ListField(
        child=serializers.ListField(child=serializers.CharField(max_length=200)), required=False
    )

    class Meta:
        model = Indexer
        fields = ["id", "project", *INDEXER_FIELDS, "columns", "status", "created_at", "updated_at"]
        read_only_fields = ["status"]
        validators: list[Any] = []
        extra_kwargs = {
            "k": {"min_value": 0, "max_value": 1_000},
            "b": {"min_value": 0, "max_value": 1},
            "small_words": {"min_value": 0, "max_value": 20},
            "q": {"min_value": 2, "max_value": 5},
        }

    def get_fields(self) -> dict[str, serializers.Field]:
        fields = super().get_fields()
        if (project := self.context.get("project")) is not None:
            fields["dictionary"].queryset = Dictionary.objects.filter(project=project)
        return fields


class DictionarySerializer(StrictFieldsMixin, serializers.ModelSerializer):
    class Meta:
        model = Dictionary
        fields = ["id", "project", *DICTIONARY_FIELDS, "entry_count", "created_at", "updated_at"]
        read_only_fields = ["entry_count"]
        validators: list[Any] = []
        extra_kwargs = {"entries": {"trim_whitespace": False, "max_length": MAX_ENTRIES_CHARACTERS}}
