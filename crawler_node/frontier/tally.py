"""Statistics: what one outcome adds to them, the same in every store."""

from dataclasses import dataclass, replace

from crawler_node.contracts import Failure, LogLine, Outcome, PageState, Refusal, Statistics, TargetKind

BROKEN_SENTENCE = (
    "Every worker that tried this page broke off without an answer, so it is given up."
    " Try the failed pages again later, or exclude its address."
)


@dataclass(frozen=True, slots=True)
class Effect:
    """What a store found while it applied an outcome.

    `state` is what the URL became (a retry that was one too many is FAILED); `links_new` counts links that became
    frontier rows; `clashing_documents` are duplicates by their key alone, with other values; `is_duplicate_page` tells
    that another page of the runner had the same bytes.
    """

    state: PageState
    links_new: int = 0
    new_documents: int = 0
    changed_documents: int = 0
    unchanged_documents: int = 0
    duplicate_documents: int = 0
    clashing_documents: int = 0
    is_duplicate_page: bool = False

    @property
    def documents(self) -> int:
        """Those that are kept in lists: a duplicate of another is not."""
        return self.new_documents + self.changed_documents + self.unchanged_documents


def count_outcome(statistics: Statistics, outcome: Outcome, effect: Effect) -> None:
    """Add one outcome. An outcome given back unused adds only the requests it made."""
    page = outcome.page
    statistics.requests += outcome.host.requests if outcome.host is not None else 0
    if page.is_given_back:
        return
    if page.status is not None:
        _add(statistics.http_codes, str(page.status))
    _count_state(statistics, outcome, effect)
    _count_links(statistics, outcome, effect)
    _count_documents(statistics, outcome, effect)


def keep_within_budget(
    statistics: Statistics, outcome: Outcome, *, keep_bytes: int | None
) -> tuple[Outcome, LogLine | None]:
    """The outcome without its raw page where the budget has no room for it, and a line for the first such page."""
    size = len(outcome.page.raw)
    if not size:
        return outcome, None
    if keep_bytes is None or statistics.kept_bytes + size <= keep_bytes:
        statistics.kept_bytes += size
        return outcome, None
    statistics.unkept_pages += 1
    lighter = replace(outcome, page=replace(outcome.page, raw=b""))
    return lighter, _budget_line(keep_bytes) if statistics.unkept_pages == 1 else None


def _budget_line(keep_bytes: int) -> LogLine:
    return LogLine(
        "warning",
        f"The {keep_bytes / 1_000_000:g} MB for kept pages are used up. The crawl goes on, but what does not fit is not"
        " kept; raise the limit in the crawler to keep more.",
    )


def _count_state(statistics: Statistics, outcome: Outcome, effect: Effect) -> None:
    page = outcome.page
    if effect.state is PageState.DONE:
        _count_page(statistics, outcome, effect)
    elif effect.state is PageState.REDIRECTED:
        statistics.redirects += 1
    elif effect.state is PageState.QUEUED:
        statistics.retries += 1
    elif effect.state is PageState.FAILED:
        statistics.failed += 1
        _add(statistics.failures, str(page.failure) if page.failure is not None else "unknown")
    elif effect.state is PageState.SKIPPED and page.refusal is not None:
        _add(statistics.urls_refused, str(page.refusal))


def _count_page(statistics: Statistics, outcome: Outcome, effect: Effect) -> None:
    page = outcome.page
    if outcome.lease.kind is TargetKind.SITEMAP:
        statistics.sitemaps += 1
        return
    statistics.pages += 1
    if page.lane:
        _add(statistics.lanes, page.lane)
    statistics.bytes += page.body_bytes
    statistics.load_seconds += page.load_seconds
    statistics.process_seconds += page.process_seconds
    statistics.unchanged_pages += page.is_unchanged
    statistics.duplicate_pages += effect.is_duplicate_page
    statistics.fruitful_pages += effect.documents > 0
    has_news = effect.new_documents + effect.changed_documents > 0
    statistics.pages_since_new_document = 0 if has_news else statistics.pages_since_new_document + 1
    statistics.duplicates_in_a_row = statistics.duplicates_in_a_row + 1 if effect.is_duplicate_page else 0


def _count_links(statistics: Statistics, outcome: Outcome, effect: Effect) -> None:
    statistics.links_collected += outcome.links_found
    refused = 0
    for reason, count in outcome.links_refused.items():
        refused += count
        _add(statistics.links_refused, str(reason), count)
    statistics.links_visited += max(outcome.links_found - refused - effect.links_new, 0)


def _count_documents(statistics: Statistics, outcome: Outcome, effect: Effect) -> None:
    statistics.documents += effect.documents
    statistics.new_documents += effect.new_documents
    statistics.changed_documents += effect.changed_documents
    statistics.duplicate_documents += effect.duplicate_documents
    statistics.clashing_documents += effect.clashing_documents
    for document in outcome.documents:
        statistics.missing_fields += len(document.missing)
        for name in document.missing:
            _add(statistics.missing, name)
        for name in document.fallbacks:
            _add(statistics.fallbacks, name)


def count_given_up(statistics: Statistics) -> None:
    """A page that nobody came back with fails without an outcome."""
    statistics.failed += 1
    _add(statistics.failures, str(Failure.EXTRACTION))


def count_refused(statistics: Statistics, refusal: Refusal, count: int = 1) -> None:
    """URLs that entered the frontier as skipped, or were skipped while they waited."""
    _add(statistics.urls_refused, str(refusal), count)


def _add(counts: dict[str, int], name: str, count: int = 1) -> None:
    total = counts.get(name, 0) + count
    if total:
        counts[name] = total
    else:
        counts.pop(name, None)
