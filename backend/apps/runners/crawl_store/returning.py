"""Leases that come back without an answer: expired, or held by a worker that died."""

from collections.abc import Sequence

from django.db.backends.utils import CursorWrapper

from backend.apps.runners.crawl_store.hosts import HostBook
from backend.apps.runners.crawl_store.letters import Letter, Row, letter_to
from backend.apps.runners.crawl_store.pages import sums_of, write_log, write_minute
from backend.apps.runners.crawl_store.sql import Moment, as_datetime
from backend.apps.runners.crawl_store.state import LockedState
from backend.apps.runners.crawl_store.urls import SELECT, UrlRow, save_rows, url_row
from backend.apps.runners.models import UrlState
from crawler_node.contracts import LogLine
from crawler_node.frontier import FrontierOptions
from crawler_node.frontier.suspects import rank_after_break
from crawler_node.frontier.tally import BROKEN_SENTENCE, count_given_up

LEASED = f"{SELECT} WHERE runner_id = %s AND state = {UrlState.LEASED.value}"
FAIL_PAGE = (
    "INSERT INTO documents_page (runner_id, key, url, depth, state, content_type, size_bytes, load_ms,"
    " processing_ms, etag, last_modified, target, refusal, failure, document_count, lane, fetched_at)"
    " VALUES (%s, %s, %s, %s, 'failed', '', 0, 0, 0, '', '', '', '', %s, 0, '', %s)"
    " ON CONFLICT (runner_id, key) DO UPDATE SET state = 'failed', failure = excluded.failure"
)


def ask_expired(letter: Letter, runner_id: int, now: Moment) -> list[Row]:
    """The rows for `return_leases` of what nobody came back with in time."""
    return letter.ask(f"{LEASED} AND expires_at <= {now.sql}", [runner_id, *now.parameters])


def release_leases(
    cursor: CursorWrapper, state: LockedState, options: FrontierOptions, hosts: HostBook, *, worker: str, now: float
) -> int:
    """Queue again what one worker held, and may have died of."""
    return return_leases(cursor, state, options, hosts, _leased_by(cursor, state.runner_id, worker), now=now)


def return_leases(
    cursor: CursorWrapper,
    state: LockedState,
    options: FrontierOptions,
    hosts: HostBook,
    held: Sequence[Row],
    *,
    now: float,
) -> int:
    """Someone else gets the URL, but not for ever: what breaks every worker is given up."""
    rows = [url_row(row) for row in held]
    _take_back(state, hosts, rows)
    for row in rows:
        row.broken += 1
        row.rank = rank_after_break(row.rank, row.broken)
        if row.broken <= options.max_broken_leases:
            _queue_again(state, hosts, row)
    given_up = [row for row in rows if row.state == UrlState.LEASED]
    _give_up(cursor, state, given_up, sentence=BROKEN_SENTENCE, now=now)
    _save(cursor, rows, hosts)
    return len(rows)


def fail_leased(cursor: CursorWrapper, state: LockedState, *, worker: str, url: str, sentence: str, now: float) -> bool:
    """The page that held the worker fails, and is remembered with the reason; the rest of what it had is queued.

    False, and nothing is done, when the page is not in its hands.
    """
    rows = [url_row(row) for row in _leased_by(cursor, state.runner_id, worker)]
    failed = [row for row in rows if row.url == url]
    if not failed:
        return False
    hosts = HostBook(cursor, state.runner_id)
    _take_back(state, hosts, rows)
    for row in rows:
        if row.url != url:
            _queue_again(state, hosts, row)
    _give_up(cursor, state, failed, sentence=sentence, now=now)
    _save(cursor, rows, hosts)
    return True


def _leased_by(cursor: CursorWrapper, runner_id: int, worker: str) -> list[Row]:
    cursor.execute(f"{LEASED} AND worker = %s", [runner_id, worker])
    return cursor.fetchall()


def _queue_again(state: LockedState, hosts: HostBook, row: UrlRow) -> None:
    """As if it had not been leased."""
    row.state, row.available_at, row.attempt = UrlState.QUEUED, 0.0, row.attempt - 1
    hosts.by_id(row.host_id).queued += 1
    state.statistics.queued += 1


def _take_back(state: LockedState, hosts: HostBook, rows: Sequence[UrlRow]) -> None:
    """Nobody holds them any more, nor asks their hosts for rules."""
    hosts.load_ids(row.host_id for row in rows)
    state.statistics.leased -= len(rows)
    for row in rows:
        host = hosts.by_id(row.host_id)
        host.asking_until, host.is_changed = 0.0, True


def _give_up(cursor: CursorWrapper, state: LockedState, rows: Sequence[UrlRow], *, sentence: str, now: float) -> None:
    """They fail, and are remembered with the reason; whoever comes back with one of them after all is too late."""
    before = sums_of(state.statistics)
    for row in rows:
        row.state, row.worker, row.fence = UrlState.FAILED, "", state.next_fence()
        count_given_up(state.statistics)
    with letter_to(cursor) as letter:
        for row in rows:
            letter.ask(FAIL_PAGE, [state.runner_id, row.key, row.url, row.depth, sentence, as_datetime(now)])
        write_log(letter, state.runner_id, [LogLine("error", sentence, row.url) for row in rows], now=now)
        write_minute(letter, state.runner_id, before, state.statistics, now=now)


def _save(cursor: CursorWrapper, rows: Sequence[UrlRow], hosts: HostBook) -> None:
    with letter_to(cursor) as letter:
        save_rows(letter, rows)
        hosts.save(letter)
