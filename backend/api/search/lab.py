"""The relevance lab over REST: judge results, evaluate settings, compare two, search for better ones."""

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import mixins, serializers, status, viewsets
from rest_framework.decorators import action
from rest_framework.exceptions import NotFound, ValidationError
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from backend.api.access import Access, DeclaredAccess, require_role
from backend.api.project_scope import ProjectScopedMixin
from backend.api.strict_fields import StrictFieldsMixin
from backend.apps.errors import Invalid
from backend.apps.indexers.models import Indexer
from backend.apps.projects.models import Project, Role
from backend.apps.search.lab.evaluating import Evaluation, compare, evaluate
from backend.apps.search.lab.judging import MAX_JUDGEMENTS, judge, save_query
from backend.apps.search.lab.tunings import DEFAULT_SECONDS, LOST, MAX_SECONDS, is_silent, start_tuning, stop_tuning
from backend.apps.search.models import MAX_GRADE, JudgedQuery, Judgement, Tuning, TuningState
from backend.apps.search.served import SERVED, Served
from backend.apps.search.wishes import try_out_of_json


def indexer_for(request: Request, indexer_id: Any, role: Role) -> Indexer:
    """The indexer, for those with this role in its project; a stranger's is nothing."""
    seen = Project.objects.visible_to(request.user).values("pk")
    try:
        found = Indexer.objects.select_related("project").filter(pk=indexer_id, project__in=seen).first()
    except (ValueError, TypeError, OverflowError):
        found = None
    if found is None:
        raise NotFound
    require_role(found.project, request, role)
    return found


class GradeField(serializers.IntegerField):
    def __init__(self, **options: Any) -> None:
        text = "0 not at all, 1 a little, 2 good, 3 exactly what was wanted."
        super().__init__(min_value=0, max_value=MAX_GRADE, help_text=text, **options)


class JudgementSerializer(StrictFieldsMixin, serializers.ModelSerializer):
    key = serializers.CharField(source="document_key", max_length=200, help_text="The key of a result.")
    grade = GradeField()

    class Meta:
        model = Judgement
        fields = ["key", "grade", "judged_at"]
        read_only_fields = ["judged_at"]


class JudgedQuerySerializer(StrictFieldsMixin, serializers.ModelSerializer):
    judgements = JudgementSerializer(many=True, required=False, max_length=MAX_JUDGEMENTS)

    class Meta:
        model = JudgedQuery
        fields = ["id", "indexer", "text", "judgements", "created_at", "updated_at"]
        validators: list[Any] = []


class JudgedQueryViewSet(ProjectScopedMixin, viewsets.ModelViewSet):
    """Queries whose wanted answers are known."""

    project_path = "indexer__project"
    queryset = JudgedQuery.objects.select_related("indexer__project").prefetch_related("judgements")
    serializer_class = JudgedQuerySerializer
    filterset_fields = ["indexer"]
    search_fields = ["text"]
    ordering_fields = ["text", "created_at", "updated_at"]
    http_method_names = ["get", "post", "put", "patch", "delete", "head", "options"]

    def create(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        given = request.data.get("indexer") if isinstance(request.data, dict) else None
        if given is None:
            raise ValidationError({"indexer": ["Say which indexer this belongs to."]})
        indexer = indexer_for(request, given, Role.EDITOR)
        return self._saved(request, indexer, None, status.HTTP_201_CREATED)

    def update(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        query = self.get_object()
        return self._saved(request, query.indexer, query, status.HTTP_200_OK, partial=kwargs.get("partial", False))

    def _saved(
        self, request: Request, indexer: Indexer, query: JudgedQuery | None, code: int, *, partial: bool = False
    ) -> Response:
        serializer = self.get_serializer(query, data=request.data, partial=partial)
        serializer.is_valid(raise_exception=True)
        values = {name: value for name, value in serializer.validated_data.items() if name != "indexer"}
        if "judgements" in values:
            values["judgements"] = [{"key": row["document_key"], "grade": row["grade"]} for row in values["judgements"]]
        query = save_query(indexer=indexer, values=values, user=request.user, query=query)
        return Response(self.get_serializer(self.get_queryset().get(pk=query.pk)).data, status=code)


class LabView(APIView):
    """A POST of `indexers/{id}/…` that editors may make."""

    permission_classes = [DeclaredAccess]
    access = {"POST": Access.EDITOR}

    def given(self, request: Request, serializer: type[serializers.Serializer]) -> dict[str, Any]:
        found = serializer(data=request.data)
        found.is_valid(raise_exception=True)
        return dict(found.validated_data)


class JudgeBody(StrictFieldsMixin, serializers.Serializer):
    query = serializers.CharField(max_length=500)
    key = serializers.CharField(max_length=200, help_text="The key of a result.")
    grade = GradeField(allow_null=True)


class JudgeView(LabView):
    @extend_schema(operation_id="indexers_judge", request=JudgeBody, responses={200: JudgedQuerySerializer, 204: None})
    def post(self, request: Request, id: int) -> Response:
        """Judge one result of a query; null as grade takes it back."""
        indexer = indexer_for(request, id, Role.EDITOR)
        given = self.given(request, JudgeBody)
        query = judge(indexer=indexer, text=given["query"], key=given["key"], grade=given["grade"], user=request.user)
        if query is None:
            return Response(status=status.HTTP_204_NO_CONTENT)
        return Response(JudgedQuerySerializer(query).data)


class SettingsSerializer(serializers.Serializer):
    """Tried in the place of the stored ones; what is left out stays as it is stored."""

    k = serializers.FloatField(required=False)
    b = serializers.FloatField(required=False)
    formula = serializers.CharField(required=False, allow_blank=True)
    weights = serializers.DictField(child=serializers.FloatField(), required=False)
    boosts = serializers.DictField(child=serializers.FloatField(), required=False)
    word_weights = serializers.DictField(child=serializers.FloatField(), required=False)


class EvaluateBody(serializers.Serializer):
    settings = SettingsSerializer(required=False)


class CompareBody(serializers.Serializer):
    first = SettingsSerializer(required=False)
    second = SettingsSerializer(required=False)


class MeasuresSerializer(serializers.Serializer):
    ndcg_at_10 = serializers.FloatField()
    map = serializers.FloatField()
    precision_at_5 = serializers.FloatField()


class QueryMeasuresSerializer(MeasuresSerializer):
    id = serializers.IntegerField()
    query = serializers.CharField()
    relevant = serializers.IntegerField(help_text="Wanted documents.")
    found = serializers.IntegerField(help_text="Those of them among the results.")


class EvaluationSerializer(serializers.Serializer):
    overall = MeasuresSerializer()
    queries = QueryMeasuresSerializer(many=True)


class DifferenceSerializer(serializers.Serializer):
    id = serializers.IntegerField()
    query = serializers.CharField()
    first = serializers.FloatField()
    second = serializers.FloatField()
    difference = serializers.FloatField(help_text="Of nDCG@10: more than 0 where the second is better.")


class SettingsComparisonSerializer(serializers.Serializer):
    first = EvaluationSerializer()
    second = EvaluationSerializer()
    differences = DifferenceSerializer(many=True)
    better = serializers.IntegerField(help_text="Queries for which the second is better.")
    worse = serializers.IntegerField()
    same = serializers.IntegerField()


def _settings(request: Request, name: str) -> Any:
    body = request.data if isinstance(request.data, dict) else {}
    return try_out_of_json(body.get(name) or {})


def _evaluated(served: Served, request: Request, name: str) -> Evaluation:
    """One side of a comparison; a refusal says which one it is about."""
    try:
        return evaluate(served, _settings(request, name))
    except Invalid as error:
        raise Invalid({f"{name}.{path}": sentences for path, sentences in error.fields.items()}) from error


class EvaluateView(LabView):
    @extend_schema(operation_id="indexers_evaluate", request=EvaluateBody, responses=EvaluationSerializer)
    def post(self, request: Request, id: int) -> Response:
        """How good settings are on the judged queries. Saves nothing."""
        served = SERVED.get(indexer_for(request, id, Role.EDITOR))
        return Response(evaluate(served, _settings(request, "settings")).to_json())


class CompareView(LabView):
    @extend_schema(operation_id="indexers_compare", request=CompareBody, responses=SettingsComparisonSerializer)
    def post(self, request: Request, id: int) -> Response:
        """Two settings side by side on the judged queries. Saves nothing."""
        served = SERVED.get(indexer_for(request, id, Role.EDITOR))
        return Response(compare(_evaluated(served, request, "first"), _evaluated(served, request, "second")))


class TriedSerializer(serializers.Serializer):
    settings = SettingsSerializer()
    ndcg_at_10 = serializers.FloatField()


class TuningResultSerializer(serializers.Serializer):
    settings = SettingsSerializer(help_text="The best; what is not in it stays as stored.")
    is_stored_best = serializers.BooleanField(help_text="Nothing tried is better than what is stored.")
    trials = serializers.IntegerField()
    queries = serializers.IntegerField()
    folds = serializers.IntegerField()
    stored = serializers.FloatField(help_text="nDCG@10 of the stored settings.")
    train = serializers.FloatField(help_text="nDCG@10 of the best, on the queries it was chosen by.")
    held_out = serializers.FloatField(help_text="nDCG@10 to expect of such a choice on other queries.")
    warnings = serializers.ListField(child=serializers.CharField())
    best = TriedSerializer(many=True)


class TuningSerializer(serializers.ModelSerializer):
    result = TuningResultSerializer(allow_null=True, read_only=True)

    class Meta:
        model = Tuning
        fields = ["id", "indexer", "state", "reason", "seconds", "progress", "trials", "result", "created_at"]

    def to_representation(self, tuning: Tuning) -> dict[str, Any]:
        """One whose process died is not running, whatever was written last."""
        told: dict[str, Any] = super().to_representation(tuning)
        return told | {"state": TuningState.FAILED.value, "reason": LOST} if is_silent(tuning) else told


class NewTuningBody(StrictFieldsMixin, serializers.Serializer):
    indexer = serializers.IntegerField()
    seconds = serializers.FloatField(min_value=1, max_value=MAX_SECONDS, default=DEFAULT_SECONDS)


class TuningViewSet(ProjectScopedMixin, mixins.DestroyModelMixin, viewsets.ReadOnlyModelViewSet):
    """Searches for better settings: started, watched, stopped."""

    project_path = "indexer__project"
    queryset = Tuning.objects.select_related("indexer__project")
    serializer_class = TuningSerializer
    filterset_fields = ["indexer", "state"]
    search_fields: list[str] = []
    ordering_fields = ["id"]

    @extend_schema(request=NewTuningBody, responses={201: TuningSerializer})
    def create(self, request: Request) -> Response:
        """Search for better settings in the background."""
        given = NewTuningBody(data=request.data)
        given.is_valid(raise_exception=True)
        indexer = indexer_for(request, given.validated_data["indexer"], Role.EDITOR)
        tuning = start_tuning(indexer=indexer, seconds=given.validated_data["seconds"])
        return Response(self.get_serializer(tuning).data, status=status.HTTP_201_CREATED)

    @extend_schema(request=None, responses=TuningSerializer)
    @action(detail=True, methods=["post"])
    def stop(self, request: Request, pk: str | None = None) -> Response:
        """End it; what was tried so far counts."""
        tuning = self.get_object()
        stop_tuning(tuning=tuning)
        tuning.refresh_from_db()
        return Response(self.get_serializer(tuning).data)
