"""Asking a host for its robots.txt."""

from typing import NamedTuple, Protocol

from crawler_node.contracts import Failure, FetchedPage, FetchFailure, Refusal, RobotsRecord
from crawler_node.urls.parse import parse_url

MAX_ROBOTS_BYTES = 500 * 1024


class RobotsLane(Protocol):
    """The part of a lane that robots.txt needs."""

    async def fetch_following(
        self,
        url: str,
        *,
        types: frozenset[str] | None = None,
        max_bytes: int | None = None,
        pause_seconds: float = 0.0,
        may_cut: bool = False,
    ) -> FetchedPage | FetchFailure: ...


class RobotsAnswer(NamedTuple):
    """What a host said, how often it was asked for it, and, when it could not say, why and what to tell people."""

    record: RobotsRecord
    requests: int
    sentence: str = ""
    retry_after_seconds: float | None = None
    refusal: Refusal | None = None
    failure: Failure | None = None


def robots_address(url: str) -> str:
    """Where the robots.txt for a URL is."""
    parsed = parse_url(url)
    return "" if parsed is None else f"{parsed.scheme}://{parsed.authority}/robots.txt"


def usual_sitemap(url: str) -> str:
    """Where a site has its sitemap when it does not say."""
    return robots_address(url).removesuffix("robots.txt") + "sitemap.xml"


async def fetch_robots(lane: RobotsLane, url: str, *, pause_seconds: float) -> RobotsAnswer:
    """The record for a robots.txt by RFC 9309, 2.3.1: found, unavailable (all allowed) or unreachable (nothing is).

    Only the first 500 KiB count, and of them whole lines: half a rule would forbid more than was meant. A file that
    leads from redirect to redirect, or nowhere, is unavailable. 429 is taken as unreachable: a server that asks us to
    slow down has not agreed.
    """
    answer = await lane.fetch_following(url, max_bytes=MAX_ROBOTS_BYTES, pause_seconds=pause_seconds, may_cut=True)
    requests = len(answer.hops) + 1
    if isinstance(answer, FetchedPage):
        return RobotsAnswer(RobotsRecord(_whole_lines(answer.body).decode("utf-8-sig", "replace")), requests)
    if _is_unavailable(answer):
        return RobotsAnswer(RobotsRecord(""), requests)
    sentence = f"The robots.txt could not be read, so nothing is fetched for now. {answer.sentence}"
    wish = answer.retry_after_seconds
    return RobotsAnswer(RobotsRecord(None), requests, sentence, wish, answer.refusal, answer.failure)


def _whole_lines(body: bytes) -> bytes:
    """The file without a last line that was cut."""
    if len(body) < MAX_ROBOTS_BYTES:
        return body
    return body[: max(body.rfind(b"\n"), body.rfind(b"\r")) + 1]


def _is_unavailable(answer: FetchFailure) -> bool:
    """Whether there is no such file, however often one asks (RFC 9309, 2.3.1.2 and 2.3.1.3)."""
    if answer.failure in (Failure.REDIRECT_LOOP, Failure.BAD_REDIRECT):
        return True
    return answer.status is not None and 400 <= answer.status < 500 and answer.status != 429
