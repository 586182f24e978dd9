"""Hosts that give nothing more: bad ones, and those whose budget is used up."""

from django.db.backends.utils import CursorWrapper

from backend.apps.runners.crawl_store.hosts import HostRow
from backend.apps.runners.crawl_store.state import LockedState
from backend.apps.runners.crawl_store.urls import TABLE
from backend.apps.runners.models import UrlState
from crawler_node.contracts import Refusal
from crawler_node.frontier.tally import count_refused
from crawler_node.politeness.pace import PaceRules

SKIP = (
    f"UPDATE {TABLE} SET state = {UrlState.SKIPPED.value}, refusal = %s, fence = 0"  # noqa: S608
    f" WHERE host_id = %s AND state = {UrlState.QUEUED.value}"
)


def skip_queue(cursor: CursorWrapper, state: LockedState, host: HostRow, rules: PaceRules) -> Refusal | None:
    """Skip what such a host still has in its queue, with the reason; None when nothing was skipped.

    Some of it may be leases that had expired: whoever comes back with one of them after all is too late.
    """
    reason = host.refusal(rules)
    if reason is None or host.queued == 0:
        return None
    cursor.execute(SKIP, [str(reason), host.id])
    counts = state.statistics
    counts.queued -= host.queued
    counts.skipped += host.queued
    count_refused(counts, reason, host.queued)
    host.queued, host.is_changed = 0, True
    return reason
