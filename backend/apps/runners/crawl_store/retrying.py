"""`retry_failed`: what failed, and what was left out because its host failed, as if it had never been tried."""

from django.db.backends.utils import CursorWrapper

from backend.apps.runners.crawl_store.state import LockedState
from backend.apps.runners.models import UrlState
from crawler_node.contracts import Refusal
from crawler_node.frontier import FrontierOptions
from crawler_node.frontier.tally import count_refused

AGAIN = (
    "FROM runners_crawlurl u JOIN runners_crawlhost h ON h.id = u.host_id WHERE u.runner_id = %s AND h.pages >= %s"
    f" AND (u.state = {UrlState.FAILED.value}"
    f" OR (u.state = {UrlState.SKIPPED.value} AND u.refusal <> '' AND u.refusal = h.shut))"
)
FRESH_HOSTS = (
    "UPDATE runners_crawlhost SET shut = '', recent_requests = 0, recent_failures = 0, queued ="  # noqa: S608
    " (SELECT count(*) FROM runners_crawlurl u"
    f" WHERE u.host_id = runners_crawlhost.id AND u.state = {UrlState.QUEUED.value}) WHERE runner_id = %s"
)


def retry_failed(cursor: CursorWrapper, state: LockedState, options: FrontierOptions) -> int:
    """How many are queued again. Hosts begin anew; those that gave as many pages as they may give no more."""
    budget = options.pace.max_pages_per_host
    if budget is not None:
        over = _move(cursor, state, UrlState.SKIPPED, Refusal.OVER_BUDGET, least_pages=budget)
        state.statistics.skipped += over
        count_refused(state.statistics, Refusal.OVER_BUDGET, over)
    again = _move(cursor, state, UrlState.QUEUED)
    state.statistics.queued += again
    state.statistics.failures.clear()
    cursor.execute(FRESH_HOSTS, [state.runner_id])
    return again


def _move(cursor: CursorWrapper, state: LockedState, to: UrlState, refusal: str = "", *, least_pages: int = 0) -> int:
    """Bring what can be tried again into another state, on hosts that gave at least so many pages; how many."""
    wanted = [state.runner_id, least_pages]
    cursor.execute(f"SELECT u.state, u.refusal, count(*) {AGAIN} GROUP BY u.state, u.refusal", wanted)
    moved = cursor.fetchall()
    for before, reason, count in moved:
        _forget(state, before, reason, count)
    cursor.execute(
        "UPDATE runners_crawlurl SET state = %s, refusal = %s, attempt = 0, broken = 0, available_at = 0"  # noqa: S608
        f" WHERE id IN (SELECT u.id {AGAIN})",
        [to.value, str(refusal), *wanted],
    )
    return sum(count for *_, count in moved)


def _forget(state: LockedState, before: int, reason: str, count: int) -> None:
    if before == UrlState.FAILED:
        state.statistics.failed -= count
    else:
        state.statistics.skipped -= count
        count_refused(state.statistics, Refusal(reason), -count)
