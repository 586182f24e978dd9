"""Shapes of indexers, their columns, and dictionaries."""

from typing import Any

from django.conf import settings
from rest_framework import serializers

from backend.api.strict_fields import StrictFieldsMixin
from backend.apps.indexers.crawler_choice import MAX_CRAWLERS
from backend.apps.indexers.dictionary_entries import first_entries
from backend.apps.indexers.models import BuildState, Dictionary, IndexColumn, Indexer, IndexerStatus, IndexLogLine
from backend.apps.indexers.services import COLUMN_FIELDS, DICTIONARY_FIELDS, INDEXER_FIELDS
from backend.apps.indexers.validation import MAX_PUBLIC_PER_MINUTE


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


class CrawlersField(serializers.ListField):
    """Crawlers by id; the service knows which of them the project has."""

    def __init__(self, **options: Any) -> None:
        child = serializers.IntegerField(min_value=1, max_value=2**63 - 1)
        text = "Whose documents it takes; none: those of all crawlers whose templates fill its columns."
        super().__init__(child=child, max_length=MAX_CRAWLERS, help_text=text, **options)

    def to_representation(self, crawlers: Any) -> list[int]:
        return [crawler.pk for crawler in crawlers.all()]


class IndexerSerializer(StrictFieldsMixin, serializers.ModelSerializer):
    columns = ColumnSerializer(many=True, required=False)
    crawlers = CrawlersField(required=False)
    dictionary = serializers.PrimaryKeyRelatedField(queryset=Dictionary.objects.all(), allow_null=True, required=False)
    stop_words = serializers.ListField(child=serializers.CharField(max_length=500), required=False)
    word_weights = serializers.DictField(child=serializers.FloatField(), required=False)
    weights = serializers.DictField(child=serializers.FloatField(), required=False)
    synonyms = serializers.ListField(
        child=serializers.ListField(child=serializers.CharField(max_length=200)), required=False
    )
    public_origins = serializers.ListField(child=serializers.CharField(max_length=300), required=False)

    class Meta:
        model = Indexer
        fields = ["id", "project", *INDEXER_FIELDS, "columns", "crawlers", "status", "created_at", "updated_at"]
        read_only_fields = ["status"]
        validators: list[Any] = []
        extra_kwargs = {
            "k": {"min_value": 0, "max_value": 1_000},
            "b": {"min_value": 0, "max_value": 1},
            "small_words": {"min_value": 0, "max_value": 20},
            "q": {"min_value": 2, "max_value": 5},
            "max_loss_percent": {"min_value": 0, "max_value": 100},
            "public_per_minute": {"min_value": 1, "max_value": MAX_PUBLIC_PER_MINUTE},
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
        extra_kwargs = {
            "entries": {"trim_whitespace": False, "max_length": settings.DATA_UPLOAD_MAX_MEMORY_SIZE},
        }

    def to_representation(self, dictionary: Dictionary) -> dict[str, Any]:
        shown = super().to_representation(dictionary)
        most = self.context.get("max_entries")
        if most is not None and dictionary.entry_count > most:
            shown["entries"] = first_entries(dictionary.entries, most)
        return shown


class ListedDictionarySerializer(serializers.ModelSerializer):
    """Without its entries, which may be millions."""

    class Meta:
        model = Dictionary
        fields = [name for name in DictionarySerializer.Meta.fields if name != "entries"]


class ShownEntriesParameters(serializers.Serializer):
    max_entries = serializers.IntegerField(
        required=False, min_value=1, help_text="Answer with so many entries at most; without it, with all."
    )


class NewIndexJobSerializer(StrictFieldsMixin, serializers.Serializer):
    rebuild = serializers.BooleanField(required=False, default=False, help_text="Build it anew, beside what is served.")


class FillSerializer(serializers.Serializer):
    before = serializers.FloatField(help_text="Percent of the documents that had a value.")
    after = serializers.FloatField()


class ExampleSerializer(serializers.Serializer):
    key = serializers.CharField()
    title = serializers.CharField(allow_blank=True)
    url = serializers.CharField(allow_blank=True)


class ComparisonSerializer(serializers.Serializer):
    documents_before = serializers.IntegerField()
    documents_after = serializers.IntegerField()
    lost = serializers.IntegerField(help_text="Documents that were served and are not in this build.")
    new = serializers.IntegerField()
    deleted = serializers.IntegerField(
        help_text="Documents that people deleted, or took out with their crawler: no loss."
    )
    fill = serializers.DictField(child=FillSerializer(), help_text="By column.")
    lost_examples = ExampleSerializer(many=True)
    emptied_examples = serializers.DictField(
        child=ExampleSerializer(many=True), help_text="By column: documents that had a value and have none."
    )
    reasons = serializers.ListField(child=serializers.CharField(), help_text="Why it waits for a person.")


class ProblemSerializer(serializers.Serializer):
    values = serializers.IntegerField()
    unreadable = serializers.IntegerField()
    examples = serializers.ListField(child=serializers.CharField())


class BuildSerializer(serializers.Serializer):
    number = serializers.IntegerField()
    name = serializers.CharField()
    state = serializers.ChoiceField(choices=BuildState.choices)
    reason = serializers.CharField(allow_blank=True)
    done = serializers.IntegerField(help_text="Documents read.")
    total = serializers.IntegerField(help_text="Documents to read, as far as is known.")
    documents = serializers.IntegerField(help_text="Documents in the index.")
    documents_per_second = serializers.FloatField()
    eta_seconds = serializers.FloatField(allow_null=True)
    fill = serializers.DictField(child=serializers.IntegerField(), help_text="Documents with a value, by column.")
    problems = serializers.DictField(
        child=ProblemSerializer(),
        help_text="Values that cannot be read, by column; under an empty name, documents of which nothing can be read.",
    )
    comparison = ComparisonSerializer(allow_null=True)
    started_at = serializers.DateTimeField(allow_null=True)
    finished_at = serializers.DateTimeField(allow_null=True)


class IndexerStateSerializer(serializers.Serializer):
    status = serializers.ChoiceField(choices=IndexerStatus.choices)
    reason = serializers.CharField(allow_blank=True)
    job = serializers.IntegerField(allow_null=True)
    is_at_work = serializers.BooleanField()
    is_following = serializers.BooleanField(
        help_text="New, changed and gone documents are taken over at once; while a build is held, up to those whose "
        "loss would be too great. Beside a build under way they are not: they come with it."
    )
    building = BuildSerializer(allow_null=True)
    held = BuildSerializer(allow_null=True, help_text="Waits until a person accepts or discards it.")
    served = BuildSerializer(allow_null=True, help_text="Answers searches.")
    stale = serializers.ListField(child=serializers.CharField(), help_text="Why it needs a rebuild, in sentences.")
    warnings = serializers.ListField(child=serializers.CharField(), help_text="What a person should look at.")


class IndexLogLineSerializer(serializers.ModelSerializer):
    class Meta:
        model = IndexLogLine
        fields = ["id", "at", "level", "message"]
