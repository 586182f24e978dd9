"""When a runner ends, and why."""

from crawler_node.contracts import Statistics, StopReason, Wish
from crawler_node.frontier.options import FrontierOptions, Inefficiency

_SMALL_LEASE = 50
# Workers stay for so long with nothing to do. Our own pauses are shorter: only a server asks for more.
PATIENCE_SECONDS = 600.0


def fair_share(limit: int, queued: int) -> int:
    """How many of the queued URLs one call may lease: a small lease whole, of a large one leave others their half."""
    return min(limit, max(_SMALL_LEASE, queued // 2))


def stop_reason(
    options: FrontierOptions, statistics: Statistics, *, wish: Wish, ran_seconds: float
) -> StopReason | None:
    """The reason to lease nothing more, None to go on. The user's wish comes first, then limits, then inefficiency."""
    if wish is not Wish.RUN:
        return StopReason.STOPPED if wish is Wish.STOP else StopReason.PAUSED
    if options.max_pages is not None and statistics.pages >= options.max_pages:
        return StopReason.MAX_PAGES
    if options.max_documents is not None and statistics.documents >= options.max_documents:
        return StopReason.MAX_DOCUMENTS
    if options.wall_seconds is not None and ran_seconds >= options.wall_seconds:
        return StopReason.WALL_TIME
    return _inefficiency(options.inefficiency, statistics)


def _inefficiency(rules: Inefficiency, statistics: Statistics) -> StopReason | None:
    if _reached(statistics.pages_since_new_document, rules.pages_without_new_document):
        return StopReason.NO_NEW_DOCUMENTS
    if _reached(statistics.duplicates_in_a_row, rules.pages_only_duplicate):
        return StopReason.ALL_DUPLICATE
    tried = statistics.pages + statistics.failed
    if rules.error_rate is not None and tried >= rules.error_rate_after:
        return StopReason.ERROR_RATE if statistics.failed >= rules.error_rate * tried else None
    return None


def _reached(count: int, limit: int | None) -> bool:
    return limit is not None and count >= limit
