"""Fetched: the answer that came, or why none did."""

from zstandard import ZstdError

from backend.apps.crawlers.models import Lane
from backend.apps.documents.models import Page, PageContent
from backend.apps.runners.crawl_store.pages import unpack_features
from backend.apps.runners.models import CrawlUrl, Runner, UrlState
from backend.apps.search.trace.discovery import ENDED
from backend.apps.search.trace.steps import StepName, Trace
from backend.search_engine.ranking.quality import page_quality
from crawler_node.contracts import Refusal
from crawler_node.engine import CrawlSpec
from crawler_node.frontier.suspects import is_suspect
from wording import say_count


def tell_fetch(trace: Trace, row: CrawlUrl, runner: Runner, spec: CrawlSpec) -> Page | None:
    """The page when it was fetched and kept, else None and the reason is told."""
    page = Page.objects.filter(runner=runner, key=row.key).first()
    if page is not None:
        trace.page = describe_page(page, spec)
    at = page.fetched_at if page is not None else None
    sentence = _stopped(row, page, runner)
    if sentence is not None:
        trace.stopped(StepName.FETCHED, sentence, at=at)
        return None
    if page is None:
        trace.stopped(StepName.FETCHED, "It was fetched, but what was fetched is no longer kept.")
        return None
    trace.passed(StepName.FETCHED, _answered(page), at=at)
    return page


def _stopped(row: CrawlUrl, page: Page | None, runner: Runner) -> str | None:
    match row.state:
        case UrlState.QUEUED:
            return _waiting(row, runner)
        case UrlState.LEASED:
            return "It is being fetched just now."
        case UrlState.FAILED:
            return page.failure if page is not None and page.failure else "It could not be fetched."
        case UrlState.REDIRECTED:
            target = page.target if page is not None and page.target else "another address"
            return f"It redirects to {target}. Trace that address."
        case UrlState.SKIPPED:
            return page.failure if page is not None and page.failure else Refusal(row.refusal).sentence
    return None


def _waiting(row: CrawlUrl, runner: Runner) -> str:
    tries = f" {say_count(row.attempt, 'try', 'tries')} failed so far." if row.attempt else ""
    if runner.status in ENDED:
        return f"It was still waiting when run {runner.number} ended: {runner.reason}{tries}"
    if is_suspect(row.broken):
        return (
            f"Its last {say_count(row.broken, 'worker')} broke off before an answer came. It waits until the other"
            f" pages of run {runner.number} are done, and is then tried alone."
        )
    return f"It waits for its turn in run {runner.number} ({runner.status}).{tries}"


def _answered(page: Page) -> str:
    if page.http_status == 304:
        return "The site said that it has not changed since the run before."
    return f"The site answered {page.http_status} with {page.size_bytes:,} bytes in {page.load_ms:.0f} ms."


def describe_page(page: Page, spec: CrawlSpec) -> dict[str, object]:
    """What is told of a page."""
    return {
        "id": page.pk,
        "url": page.url,
        "http_status": page.http_status,
        "content_type": page.content_type,
        "size_bytes": page.size_bytes,
        "load_ms": page.load_ms,
        "processing_ms": page.processing_ms,
        "lane": lane_of(page, spec),
        "target": page.target,
        "fetched_at": page.fetched_at,
        "quality": _quality(page),
    }


def _quality(page: Page) -> dict[str, object] | None:
    """How good the page looks by itself, and what that was read from; None where its text was not kept."""
    packed = PageContent.objects.filter(page=page).values_list("features", flat=True).first()
    if packed is None:
        return None
    try:
        features = unpack_features(bytes(packed))
    except (ValueError, ZstdError):
        return None
    found = page_quality(features.get("quality") or {}, page.url)
    return {"score": found.score, "parts": [part._asdict() for part in found.parts]}


def lane_of(page: Page, spec: CrawlSpec) -> str:
    """What a page was fetched in; where none was noted (no answer, an older run), the crawler's only one, or ''."""
    return page.lane or ("" if spec.lane == Lane.AUTO else str(spec.lane))
