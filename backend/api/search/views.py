"""Ask an indexer: search, suggestions, documents like one, a whole result as a file."""

from typing import Any

from django.http import HttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request

from backend.api.document_exports import AnyAccept, FileStream, export_response
from backend.api.search.answering import Question, pairs_of
from backend.api.search.export_turn import EXPORT_TURN, PUBLIC_EXPORT_TURN, InTurn
from backend.api.search.published import PublishedView
from backend.api.search.serializers import (
    ResultExportParameters,
    SearchAnswerSerializer,
    SearchBodySerializer,
    SearchParameters,
    SimilarAnswerSerializer,
    SimilarParameters,
    SuggestAnswerSerializer,
    SuggestParameters,
)
from backend.apps.documents.exports import ExportFormat
from backend.apps.search.exporting import ResultSource
from backend.apps.search.wishes import wish_of_json, wish_of_pairs


class AskView(PublishedView):
    """One GET that answers with JSON."""

    kind: str

    def answer(self, request: Request, indexer_id: int) -> HttpResponse:
        served = self.served(request, indexer_id)
        return self.respond(request, Question(served, self.kind, request.META.get("QUERY_STRING", "")))


class SearchView(AskView):
    kind = "search"

    @extend_schema(
        operation_id="indexers_search", parameters=[SearchParameters], responses=SearchAnswerSerializer, filters=False
    )
    def get(self, request: Request, id: int) -> HttpResponse:
        """Search."""
        return self.answer(request, id)

    @extend_schema(operation_id="indexers_search_long", request=SearchBodySerializer, responses=SearchAnswerSerializer)
    def post(self, request: Request, id: int) -> HttpResponse:
        """Search with a long query, or many conditions, in a body. Changes nothing."""
        served = self.served(request, id)
        return self.respond(request, Question(served, self.kind, wish_of_json(request.data)))


class SuggestView(AskView):
    kind = "suggest"
    is_typing = True

    @extend_schema(operation_id="indexers_suggest", parameters=[SuggestParameters], responses=SuggestAnswerSerializer)
    def get(self, request: Request, id: int) -> HttpResponse:
        """What to offer while a query is being typed."""
        return self.answer(request, id)


class SimilarView(AskView):
    kind = "similar"

    @extend_schema(operation_id="indexers_similar", parameters=[SimilarParameters], responses=SimilarAnswerSerializer)
    def get(self, request: Request, id: int) -> HttpResponse:
        """Documents like one of the results."""
        return self.answer(request, id)


class ResultExportView(PublishedView):
    content_negotiation_class = AnyAccept

    @extend_schema(
        operation_id="indexers_search_export",
        parameters=[ResultExportParameters],
        responses={(200, format.media_type.partition(";")[0]): OpenApiTypes.BINARY for format in ExportFormat},
    )
    def get(self, request: Request, id: int) -> FileStream:
        """A whole result as a file, best first; paging does not count here."""
        served = self.served(request, id)
        pairs = pairs_of(request.META.get("QUERY_STRING", ""))
        choices = _choices({name: value for name, value in pairs if name in ("format", "bom")})
        wish = wish_of_pairs((name, value) for name, value in pairs if name not in ("format", "bom"))
        turn = EXPORT_TURN if self.is_member else PUBLIC_EXPORT_TURN
        mark = turn.take()
        try:
            response = export_response(ResultSource(served, wish), choices, name=f"{served.indexer.name} {wish.q}")
        except BaseException:
            turn.give_back(mark)
            raise
        response.streaming_content = InTurn(iter(response.streaming_content), turn, mark)
        return response


def _choices(given: dict[str, str]) -> dict[str, Any]:
    choices = ResultExportParameters(data=given)
    choices.is_valid(raise_exception=True)
    return {"format": choices.validated_data["format"], "bom": choices.validated_data["bom"]}
