"""Answer a question: the same for a view, for a thread of the gate and for a search process."""

import logging
from collections.abc import Iterable
from typing import NamedTuple, Protocol
from urllib.parse import parse_qsl

from backend.api.errors import BROKEN, handle_exception
from backend.apps.errors import GleanerError, Invalid
from backend.apps.search.answer_bytes import to_json
from backend.apps.search.asking import kept_or_computed
from backend.apps.search.served import Served
from backend.apps.search.similar import answer_similar
from backend.apps.search.suggesting import answer_suggest
from backend.apps.search.wishes import SearchWish, read_flag, wish_of_pairs

log = logging.getLogger(__name__)

MAX_PARAMETERS = 300

Pairs = list[tuple[str, str]]


class Question(NamedTuple):
    """`kind` is search, suggest or similar; `asked` the parameters of an address, or what a body wishes."""

    served: Served
    kind: str
    asked: str | SearchWish


class Answer(NamedTuple):
    """Status and JSON; whether it was kept from an earlier question."""

    status: int
    body: bytes
    was_kept: bool = False


class Answers(Protocol):
    """Who answers questions for the gate."""

    async def answer(self, question: Question) -> Answer:
        """The answer, or an error in the API's shape; never raises for what was asked."""


def pairs_of(query_string: str) -> Pairs:
    """The parameters of an address, in order."""
    try:
        return parse_qsl(query_string, keep_blank_values=True, max_num_fields=MAX_PARAMETERS)
    except ValueError:
        raise Invalid({"q": [f"An address can have at most {MAX_PARAMETERS} parameters. Use POST."]}) from None


def ask(question: Question) -> Answer:
    """The answer. Raises what cannot be asked, and what is broken, as GleanerError."""
    served, kind, asked = question
    if isinstance(asked, SearchWish):
        return Answer(200, *kept_or_computed(served, asked))
    pairs = pairs_of(asked)
    if kind == "search":
        return Answer(200, *kept_or_computed(served, wish_of_pairs(pairs)))
    given = dict(pairs)
    limit = _whole(given.pop("limit", "10"), "limit")
    safe = _flag(given.pop("safe"), "safe") if kind == "suggest" and "safe" in given else None
    wanted = given.pop("q" if kind == "suggest" else "doc", "")
    _refuse_others(given)
    if kind == "suggest":
        return Answer(200, answer_suggest(served, wanted, limit=limit, safe=safe))
    return Answer(200, answer_similar(served, wanted, limit=limit))


def answered(question: Question) -> Answer:
    """The answer, or the error in the API's shape."""
    try:
        return ask(question)
    except GleanerError as error:
        response = handle_exception(error, {})
        return Answer(response.status_code, to_json(response.data)) if response is not None else broken()
    except Exception:
        log.exception("A question could not be answered.")
        return broken()


def broken() -> Answer:
    """Something of ours went wrong."""
    return Answer(500, to_json({"code": "server_error", "detail": BROKEN, "fields": {}}))


def _whole(text: str, name: str) -> int:
    if not text.isdecimal() or len(text) > 6:
        raise Invalid({name: ["Give a whole number."]})
    return int(text)


def _flag(text: str, name: str) -> bool:
    try:
        return read_flag(text)
    except ValueError as error:
        raise Invalid({name: [str(error)]}) from None


def _refuse_others(names: Iterable[str]) -> None:
    errors = {name[:100]: [f"There is no parameter “{name[:100]}”."] for name in names}
    if errors:
        raise Invalid(errors)
