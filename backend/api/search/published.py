"""Who may ask an indexer: its project's members, and anybody where it is public, within a rate and for some origins."""

from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.http import HttpResponse
from rest_framework.exceptions import NotAuthenticated, NotFound, Throttled
from rest_framework.request import Request
from rest_framework.throttling import SimpleRateThrottle
from rest_framework.views import APIView

from backend.api.access import Access, DeclaredAccess
from backend.api.search.answering import Question, ask
from backend.apps.indexers.models import Indexer
from backend.apps.projects.models import Project
from backend.apps.search.served import SERVED, Served

ADMISSION = "gleaner.admission"
"""Where in an ASGI scope the gate waits for an `Admission`."""


@dataclass(slots=True)
class Admission:
    """What a view let somebody ask, for the gate to have it answered; None when the view refused."""

    question: Question | None = None
    is_member: bool = False


SUGGESTIONS_PER_SEARCH = 5
"""Typing a query asks for suggestions several times; they have an allowance of their own, and cost less."""


class PublicSearchThrottle(SimpleRateThrottle):
    """So many questions a minute from one address to one public indexer; suggestions are counted apart."""

    scope = "public search"

    def __init__(self, indexer: Indexer, *, is_typing: bool) -> None:
        self._indexer = indexer
        self._is_typing = is_typing
        super().__init__()

    def get_rate(self) -> str:
        times = SUGGESTIONS_PER_SEARCH if self._is_typing else 1
        return f"{times * self._indexer.public_per_minute}/min"

    def get_cache_key(self, request: Request, view: APIView) -> str:
        kind = "suggest" if self._is_typing else "search"
        return f"{kind}_{self._indexer.pk}_{address_of(request)}"


def address_of(request: Request) -> str:
    """The caller's address: the last one that our own proxy saw, where there is one."""
    forwarded = request.headers.get("X-Forwarded-For", "")
    if settings.SECURE_PROXY_SSL_HEADER is not None and forwarded:
        return forwarded.rpartition(",")[2].strip()
    return str(request.META.get("REMOTE_ADDR", ""))


class PublishedView(APIView):
    """A view of `indexers/{id}/…` that the public may use where the indexer is public."""

    permission_classes = [DeclaredAccess]
    access = {"*": Access.PUBLISHED}
    indexer: Indexer | None = None
    is_member = False
    is_typing = False
    """Whether it is asked while a query is being typed."""

    def served(self, request: Request, indexer_id: int) -> Served:
        """What is asked, for those who may; 401 or 404 for others, 409 while there is no index."""
        self.indexer = Indexer.objects.filter(pk=indexer_id).first()
        self.is_member = self._is_member(request)
        if not self.is_member:
            self._admit_public(request)
        return SERVED.get(self.indexer)

    def respond(self, request: Request, question: Question) -> HttpResponse:
        """The answer; behind the gate an empty one, whose body the gate has made."""
        admission = getattr(request._request, "scope", {}).get(ADMISSION)
        if admission is None:
            return HttpResponse(ask(question).body, content_type="application/json")
        admission.question, admission.is_member = question, self.is_member
        return HttpResponse(b"", content_type="application/json")

    def _is_member(self, request: Request) -> bool:
        if self.indexer is None or not request.user.is_authenticated:
            return False
        return Project.objects.visible_to(request.user).filter(pk=self.indexer.project_id).exists()

    def _admit_public(self, request: Request) -> None:
        if self.indexer is None or not self.indexer.public:
            self.indexer = None
            raise NotFound if request.user.is_authenticated else NotAuthenticated
        throttle = PublicSearchThrottle(self.indexer, is_typing=self.is_typing)
        if not throttle.allow_request(request, self):
            raise Throttled(throttle.wait())

    def options(self, request: Request, *args: Any, **kwargs: Any) -> HttpResponse:
        """What a browser asks before a page of another website may send a long query."""
        self.indexer = Indexer.objects.filter(pk=kwargs["id"], public=True).first()
        headers = {"Access-Control-Allow-Methods": "GET, POST", "Access-Control-Allow-Headers": "Content-Type"}
        return HttpResponse(status=204, headers={**headers, "Access-Control-Max-Age": "600"})

    def finalize_response(self, request: Request, response: Any, *args: Any, **kwargs: Any) -> Any:
        response = super().finalize_response(request, response, *args, **kwargs)
        origin = request.headers.get("Origin", "")
        if self.indexer is not None and self.indexer.public and origin:
            response.headers["Vary"] = "Origin, Cookie"
            if {origin, "*"} & set(self.indexer.public_origins):
                response.headers["Access-Control-Allow-Origin"] = origin
        return response
