"""Why a page is in the results, or is not."""

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.exceptions import NotFound
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from backend.api.access import Access, DeclaredAccess
from backend.api.search.serializers import ExplanationSerializer
from backend.apps.crawlers.models import Crawler
from backend.apps.projects.models import Project
from backend.apps.search.trace import trace
from backend.apps.search.trace.steps import STEP_NAMES, StepState
from backend.search_engine.query.syntax import MAX_CHARACTERS


class TraceParameters(serializers.Serializer):
    url = serializers.CharField(max_length=5_000, help_text="The address of the page.")
    q = serializers.CharField(
        required=False, allow_blank=True, default="", max_length=MAX_CHARACTERS, help_text="Also its rank for a query."
    )


class StepSerializer(serializers.Serializer):
    name = serializers.ChoiceField(choices=STEP_NAMES)
    state = serializers.ChoiceField(choices=[str(state) for state in StepState])
    sentence = serializers.CharField(allow_blank=True)
    at = serializers.DateTimeField(allow_null=True)


class LinkingPageSerializer(serializers.Serializer):
    url = serializers.CharField()
    anchor = serializers.CharField(allow_blank=True, help_text="The words of the link.")


class TracedRunSerializer(serializers.Serializer):
    """The newest run that knows the address, else the newest run."""

    id = serializers.IntegerField()
    number = serializers.IntegerField()
    status = serializers.CharField()


class QualityPartSerializer(serializers.Serializer):
    name = serializers.CharField()
    value = serializers.FloatField(help_text="From 0 to 1.")
    weight = serializers.FloatField()
    reason = serializers.CharField(help_text="What it was read from.")


class QualitySerializer(serializers.Serializer):
    score = serializers.FloatField(help_text="The mean of its parts by their weights, from 0 to 1.")
    parts = QualityPartSerializer(many=True)


class TracedPageSerializer(serializers.Serializer):
    id = serializers.IntegerField()
    url = serializers.CharField()
    http_status = serializers.IntegerField(allow_null=True)
    content_type = serializers.CharField(allow_blank=True)
    size_bytes = serializers.IntegerField()
    load_ms = serializers.FloatField()
    processing_ms = serializers.FloatField()
    lane = serializers.CharField(help_text="How it was fetched: http or browser; empty where nobody noted it.")
    target = serializers.CharField(allow_blank=True, help_text="Where a redirect led.")
    fetched_at = serializers.DateTimeField()
    quality = QualitySerializer(allow_null=True, help_text="How good it looks by itself; where its text was kept.")


class FiredSelectorSerializer(serializers.Serializer):
    """Known where the run kept its pages."""

    field = serializers.CharField()
    selector = serializers.CharField(allow_null=True, help_text="What gave the value; null where nothing did.")
    is_fallback = serializers.BooleanField()
    is_required = serializers.BooleanField()


class TracedDocumentSerializer(serializers.Serializer):
    id = serializers.IntegerField()
    url = serializers.CharField()
    values = serializers.DictField()
    version = serializers.IntegerField()
    duplicate_of = serializers.CharField(allow_null=True)
    gone_at = serializers.DateTimeField(allow_null=True)
    last_seen_at = serializers.DateTimeField()
    selectors = FiredSelectorSerializer(many=True)


class TracedIndexSerializer(serializers.Serializer):
    indexer = serializers.IntegerField()
    name = serializers.CharField()
    document = serializers.IntegerField()
    is_indexed = serializers.BooleanField()
    index_sentence = serializers.CharField()
    generation = serializers.IntegerField(allow_null=True)
    words = serializers.DictField(child=serializers.IntegerField(), help_text="Words indexed, by field.")
    rank = serializers.IntegerField(allow_null=True)
    total = serializers.IntegerField(allow_null=True)
    rank_sentence = serializers.CharField(allow_blank=True)
    explanation = ExplanationSerializer(allow_null=True)


class TraceSerializer(serializers.Serializer):
    url = serializers.CharField(help_text="As the crawler asks for it.")
    run = TracedRunSerializer(allow_null=True)
    stopped_at = serializers.ChoiceField(choices=STEP_NAMES, allow_null=True)
    reason = serializers.CharField()
    steps = StepSerializer(many=True)
    found_on = LinkingPageSerializer(many=True)
    page = TracedPageSerializer(allow_null=True)
    documents = TracedDocumentSerializer(many=True)
    indexes = TracedIndexSerializer(many=True)


class TraceView(APIView):
    permission_classes = [DeclaredAccess]
    access = {"GET": Access.VIEWER}

    @extend_schema(operation_id="crawlers_trace", parameters=[TraceParameters], responses=TraceSerializer)
    def get(self, request: Request, id: int) -> Response:
        """What became of an address: discovered, filtered, fetched, extracted, deduplicated, indexed, ranked."""
        seen = Project.objects.visible_to(request.user).values("pk")
        crawler = Crawler.objects.select_related("project", "template").filter(pk=id, project__in=seen).first()
        if crawler is None:
            raise NotFound
        parameters = TraceParameters(data=request.query_params)
        parameters.is_valid(raise_exception=True)
        told = trace(crawler, parameters.validated_data["url"], query=parameters.validated_data["q"])
        return Response(told)
