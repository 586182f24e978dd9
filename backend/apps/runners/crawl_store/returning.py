"""Leases that come back without an answer: expired, or held by a worker that died."""

from collections.abc import Sequence

from django.db.backends.utils import CursorWrapper

from backend.apps.runners.crawl_store.hosts import HostBook
from backend.apps.runners.crawl_store.letters import Letter, Row, letter_to
from backend.apps.runners.crawl_store.sql import Moment, as_datetime
from backend.apps.runners.crawl_store.state import LockedState
from backend.apps.runners.crawl_store.urls import SELECT, UrlRow, save_rows, url_row
from backend.apps.runners.models import UrlState
from crawler_node.contracts import Failure
from crawler_node.frontier import FrontierOptions

LEASED = f"{SELECT} WHERE runner_id = %s AND state = {UrlState.LEASED.value}"


def ask_expired(letter: Letter, runner_id: int, now: Moment) -> list[Row]:
    """The rows for `return_leases` of what nobody came back with in time."""
    return letter.ask(f"{LEASED} AND expires_at <= {now.sql}", [runner_id, *now.parameters])


def release_leases(
    cursor: CursorWrapper, state: LockedState, options: FrontierOptions, hosts: HostBook, *, worker: str
) -> int:
    """Queue again what one worker held."""
    cursor.execute(f"{LEASED} AND worker = %s", [state.runner_id, worker])
    return return_leases(cursor, state, options, hosts, cursor.fetchall())


def return_leases(
    cursor: CursorWrapper, state: LockedState, options: FrontierOptions, hosts: HostBook, held: Sequence[Row]
) -> int:
    """Someone else gets the URL, but not for ever: what breaks every worker is given up."""
    rows = [url_row(row) for row in held]
    hosts.load_ids(row.host_id for row in rows)
    counts = state.statistics
    for row in rows:
        host = hosts.by_id(row.host_id)
        host.asking_until = 0.0
        host.is_changed = True
        row.broken += 1
        row.attempt -= 1
        counts.leased -= 1
        if row.broken <= options.max_broken_leases:
            row.state, row.available_at = UrlState.QUEUED, 0.0
            host.queued += 1
            counts.queued += 1
        else:
            row.state = UrlState.FAILED
            counts.failed += 1
            counts.failures[str(Failure.EXTRACTION)] = counts.failures.get(str(Failure.EXTRACTION), 0) + 1
    _save(cursor, rows, hosts)
    return len(rows)


def _save(cursor: CursorWrapper, rows: Sequence[UrlRow], hosts: HostBook) -> None:
    with letter_to(cursor) as letter:
        save_rows(letter, rows)
        hosts.save(letter)


def fail_leased(cursor: CursorWrapper, state: LockedState, *, url: str, sentence: str, now: float) -> bool:
    """The one leased page of that address fails, and is remembered with the reason."""
    cursor.execute(f"{LEASED} AND url = %s", [state.runner_id, url])
    rows = [url_row(row) for row in cursor.fetchall()]
    hosts = HostBook(cursor, state.runner_id)
    hosts.load_ids(row.host_id for row in rows)
    counts = state.statistics
    for row in rows:
        row.state, row.worker, row.fence = UrlState.FAILED, "", state.next_fence()
        hosts.by_id(row.host_id).asking_until, hosts.by_id(row.host_id).is_changed = 0.0, True
        counts.leased -= 1
        counts.failed += 1
        counts.failures[str(Failure.EXTRACTION)] = counts.failures.get(str(Failure.EXTRACTION), 0) + 1
        cursor.execute(
            "INSERT INTO documents_page (runner_id, key, url, depth, state, content_type, size_bytes, load_ms,"
            " processing_ms, etag, last_modified, target, refusal, failure, document_count, lane, fetched_at)"
            " VALUES (%s, %s, %s, %s, 'failed', '', 0, 0, 0, '', '', '', '', %s, 0, '', %s)"
            " ON CONFLICT (runner_id, key) DO UPDATE SET state = 'failed', failure = excluded.failure",
            [state.runner_id, row.key, row.url, row.depth, sentence, as_datetime(now)],
        )
    _save(cursor, rows, hosts)
    return bool(rows)
