"""What an HTTP status means for a crawl, and the sentence people read about it."""

from http import HTTPStatus
from math import ceil

from crawler_node.contracts import Failure, FetchFailure

REDIRECTS = frozenset({301, 302, 303, 307, 308})
OVERLOADED = frozenset({429, 503})
# 52x are a proxy's words for an origin that did not answer.
WORTH_A_RETRY = frozenset({408, 425, 429, 500, 502, 503, 504, 520, 521, 522, 523, 524, 527})
GONE = frozenset({404, 410})
MOVED = frozenset({301, 308})  # for good: what the page had is not there any more

_SENTENCES = {
    304: "The server says that the page has not changed (304), but we never had it.",
    400: "The server did not understand our request (400).",
    401: "The page wants a login (401).",
    403: "The server refuses to show us this page (403).",
    404: "There is no such page (404).",
    410: "The page is gone for good (410).",
    451: "The page is withheld for legal reasons (451).",
}

_UNITS = ((3_600, "h"), (60, "min"), (1, "s"))


def failure_for_status(
    url: str, status: int, *, retry_after_seconds: float | None, load_seconds: float = 0.0
) -> FetchFailure:
    """The failure that a status of 400 or more, or one that makes no sense, stands for."""
    return FetchFailure(
        url,
        Failure.RATE_LIMITED if status in OVERLOADED else Failure.HTTP,
        sentence_for_status(status, retry_after_seconds=retry_after_seconds),
        can_retry=status in WORTH_A_RETRY,
        status=status,
        retry_after_seconds=retry_after_seconds,
        load_seconds=load_seconds,
    )


def sentence_for_status(status: int, *, retry_after_seconds: float | None = None) -> str:
    """The status as people read it."""
    if status in OVERLOADED and retry_after_seconds is not None:
        return f"The server asked us to wait {_say_wait(retry_after_seconds)} ({status})."
    if status == HTTPStatus.TOO_MANY_REQUESTS:
        return "The server asked us to slow down (429)."
    if status in _SENTENCES:
        return _SENTENCES[status]
    if status >= 500:
        return f"The server has a problem of its own ({status})."
    return f"The server answered with status {status}."


def _say_wait(seconds: float) -> str:
    """Rounded up, in the unit that people would use: 2 s, 15 min, 24 h."""
    size, unit = next(each for each in _UNITS if seconds >= each[0] * 2 or each[0] == 1)
    return f"{ceil(seconds / size):,} {unit}"
