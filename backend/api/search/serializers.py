"""Shapes of questions and answers. They describe the API; answers are written as bytes by `backend.apps.search`."""

from rest_framework import serializers

from backend.api.document_exports import ExportChoices
from backend.apps.indexers.column_plans import ColumnKind
from backend.apps.search.similar import MAX_LIMIT
from backend.apps.search.suggesting import MAX_SUGGESTIONS, MAX_TYPED
from backend.apps.search.wishes import (
    DEFAULT_FACET_SIZE,
    MAX_CONDITIONS,
    MAX_DEPTH,
    MAX_FACET_SIZE,
    MAX_FACETS,
    MAX_PAGE_SIZE,
    MAX_VALUES,
)
from backend.search_engine.query.syntax import MAX_CHARACTERS

NUMBERS_HELP = "Names with numbers, such as name:2,description:0.5."


def flag(text: str, *, default: bool | None = None) -> serializers.BooleanField:
    return serializers.BooleanField(required=False, help_text=text, **({} if default is None else {"default": default}))


class _Common(serializers.Serializer):
    """What an address and a body have in common."""

    q = serializers.CharField(
        required=False, allow_blank=True, max_length=MAX_CHARACTERS, help_text="The query; empty finds everything."
    )
    page = serializers.IntegerField(required=False, min_value=1, max_value=MAX_DEPTH, default=1)
    page_size = serializers.IntegerField(required=False, min_value=1, max_value=MAX_PAGE_SIZE, default=10)
    sort = serializers.CharField(
        required=False,
        help_text="A field with numbers, dates or values to choose from; a minus before it puts the greatest first.",
    )
    safe = flag("Hide unsafe documents; without it, as the indexer says.")
    group = flag("Show of near-duplicates only the best; without it, as the indexer says.")
    correct = flag("Mend words that no document has.", default=True)
    explain = flag("Say how each score came about.", default=False)
    k = serializers.FloatField(required=False, help_text="Tried out, not saved; so are all that follow.")
    b = serializers.FloatField(required=False)
    formula = serializers.CharField(required=False, allow_blank=True, max_length=MAX_CHARACTERS)


class SearchParameters(_Common):
    filter = serializers.ListField(
        child=serializers.CharField(),
        required=False,
        max_length=MAX_CONDITIONS,
        help_text="brand:Acme, price:10..20 (with both ends), price:>=10, price:<20; several must all be true. "
        'Between quotes a value is meant as it is: size:"<5 kg".',
    )
    facet = serializers.ListField(
        child=serializers.CharField(),
        required=False,
        max_length=MAX_FACETS,
        help_text="brand, brand:20 (so many values), price:0,50,100 (ranges between these edges).",
    )
    weights = serializers.CharField(required=False, help_text=NUMBERS_HELP)
    boosts = serializers.CharField(required=False, help_text=NUMBERS_HELP)
    word_weights = serializers.CharField(required=False, help_text=NUMBERS_HELP)


class ConditionSerializer(serializers.Serializer):
    """Either `values` (any of them), or ends: from `low` on and below `high`."""

    field = serializers.CharField()
    values = serializers.ListField(child=serializers.CharField(), required=False, max_length=MAX_VALUES)
    low = serializers.CharField(required=False, allow_null=True, help_text="A number or a date.")
    high = serializers.CharField(required=False, allow_null=True, help_text="A number or a date.")
    with_low = serializers.BooleanField(required=False, default=True)
    with_high = serializers.BooleanField(required=False, default=False)


class FacetWishSerializer(serializers.Serializer):
    field = serializers.CharField()
    size = serializers.IntegerField(required=False, min_value=1, max_value=MAX_FACET_SIZE, default=DEFAULT_FACET_SIZE)
    edges = serializers.ListField(
        child=serializers.CharField(), required=False, help_text="Numbers or dates; counts the ranges between them."
    )


class SearchBodySerializer(_Common):
    filters = ConditionSerializer(many=True, required=False)
    facets = FacetWishSerializer(many=True, required=False)
    weights = serializers.DictField(child=serializers.FloatField(), required=False)
    boosts = serializers.DictField(child=serializers.FloatField(), required=False, help_text="By column.")
    word_weights = serializers.DictField(child=serializers.FloatField(), required=False)


class PieceSerializer(serializers.Serializer):
    """A stretch of plain text; put the pieces one after another."""

    text = serializers.CharField()
    match = serializers.BooleanField(help_text="Whether it is what was searched for.")


class FieldPartSerializer(serializers.Serializer):
    field = serializers.CharField()
    tf = serializers.IntegerField(help_text="How often the word is in the field.")
    length = serializers.IntegerField()
    average_length = serializers.FloatField()
    alpha = serializers.FloatField(help_text="1 - b + b · length / average length.")
    boost = serializers.FloatField()
    weighted = serializers.FloatField(help_text="boost · tf / alpha.")


class PartSerializer(serializers.Serializer):
    label = serializers.CharField()
    score = serializers.FloatField()
    weight = serializers.FloatField()
    df = serializers.IntegerField(allow_null=True, help_text="How many documents have the word.")
    idf = serializers.FloatField(allow_null=True)
    fields = FieldPartSerializer(many=True)


class ExplanationSerializer(serializers.Serializer):
    """`text` is the sum of the parts' scores; the score is the formula's value, or the text score."""

    key = serializers.CharField()
    score = serializers.FloatField()
    text = serializers.FloatField()
    parts = PartSerializer(many=True)
    documents = serializers.IntegerField()
    formula = serializers.CharField(allow_null=True)
    variables = serializers.DictField(child=serializers.FloatField(allow_null=True))


class ResultSerializer(serializers.Serializer):
    key = serializers.CharField(help_text="The document's id.")
    rank = serializers.IntegerField()
    score = serializers.FloatField()
    url = serializers.CharField()
    title = PieceSerializer(many=True)
    snippet = PieceSerializer(many=True)
    fields = serializers.DictField(
        help_text="Values by column, shaped as documents have them: prices are {amount, currency}."
    )
    highlights = serializers.DictField(
        child=PieceSerializer(many=True), help_text="Columns in which something matched, by column."
    )
    crawler = serializers.CharField(allow_null=True)
    host = serializers.CharField(allow_null=True)
    language = serializers.CharField(allow_null=True)
    fetched_at = serializers.DateTimeField(allow_null=True)
    duplicates = serializers.IntegerField(help_text="How many near-duplicates of it are hidden.")
    explanation = ExplanationSerializer(allow_null=True)


class NoticeSerializer(serializers.Serializer):
    """Something in the query was read otherwise than it may have been meant."""

    message = serializers.CharField()
    position = serializers.IntegerField()
    hint = serializers.CharField()


class IndexStateSerializer(serializers.Serializer):
    documents = serializers.IntegerField()
    bytes = serializers.IntegerField()
    generation = serializers.IntegerField()
    suggests = serializers.BooleanField(help_text="Whether corrections and suggestions are ready.")


class ResultColumnSerializer(serializers.Serializer):
    name = serializers.CharField()
    kind = serializers.ChoiceField(choices=[str(kind) for kind in ColumnKind])
    is_searched = serializers.BooleanField()
    can_sort = serializers.BooleanField()
    can_count_values = serializers.BooleanField(help_text="Whether a facet can count its values.")
    is_facet = serializers.BooleanField(help_text="Whether the indexer offers its values to narrow results down.")


class FacetValueSerializer(serializers.Serializer):
    value = serializers.CharField()
    count = serializers.IntegerField()


class FacetRangeSerializer(serializers.Serializer):
    """From `low` on and below `high`: numbers, or moments for dates."""

    low = serializers.JSONField()
    high = serializers.JSONField()
    count = serializers.IntegerField()


class FacetSerializer(serializers.Serializer):
    """Counted as if filters on its own field were off."""

    field = serializers.CharField()
    values = FacetValueSerializer(many=True)
    ranges = FacetRangeSerializer(many=True)


class SearchAnswerSerializer(serializers.Serializer):
    query = serializers.CharField(help_text="As it was typed.")
    corrected = serializers.CharField(allow_null=True, help_text="What was searched for instead.")
    did_you_mean = serializers.CharField(allow_null=True, help_text="What may have been meant.")
    notices = NoticeSerializer(many=True)
    total = serializers.IntegerField(
        help_text="How many results there are, without the near-duplicates that are known to be hidden."
    )
    hidden = serializers.IntegerField(help_text="Near-duplicates that are known to be hidden.")
    reachable = serializers.IntegerField(
        help_text="So many of the results surely have pages. While near-duplicates are hidden and not all were looked "
        "through, it grows with the page that is asked for; it is greater than what this page ends with where a next "
        "page has results."
    )
    page = serializers.IntegerField()
    page_size = serializers.IntegerField()
    is_safe = serializers.BooleanField(help_text="Whether unsafe documents were left out.")
    index = IndexStateSerializer()
    columns = ResultColumnSerializer(many=True)
    results = ResultSerializer(many=True)
    facets = FacetSerializer(many=True)
    ms = serializers.FloatField(help_text="Milliseconds that the server took.")


class SuggestParameters(serializers.Serializer):
    q = serializers.CharField(max_length=MAX_TYPED, allow_blank=True, help_text="What was typed so far.")
    limit = serializers.IntegerField(required=False, min_value=1, max_value=MAX_SUGGESTIONS, default=10)
    safe = flag("Leave out what only unsafe documents have; without it, as the indexer says.")


class SuggestionSerializer(serializers.Serializer):
    text = serializers.CharField(help_text="The query to offer.")
    matched = serializers.CharField(help_text="What of it fits what was typed: the name itself, or a synonym.")


class SuggestAnswerSerializer(serializers.Serializer):
    suggestions = SuggestionSerializer(many=True)
    is_ready = serializers.BooleanField(help_text="False while they are being prepared.")
    is_safe = serializers.BooleanField(help_text="Whether what only unsafe documents have was left out.")
    ms = serializers.FloatField()


class SimilarParameters(serializers.Serializer):
    doc = serializers.CharField(max_length=200, help_text="The key of a result.")
    limit = serializers.IntegerField(required=False, min_value=1, max_value=MAX_LIMIT, default=10)


class SimilarAnswerSerializer(serializers.Serializer):
    key = serializers.CharField()
    results = ResultSerializer(many=True)
    index = IndexStateSerializer()
    ms = serializers.FloatField()


class ResultExportParameters(SearchParameters):
    format = serializers.ChoiceField(choices=ExportChoices().fields["format"].choices, default="csv")
    bom = flag("Mark a CSV as UTF-8, for spreadsheets that would guess otherwise.", default=False)
