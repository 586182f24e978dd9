"""What was fetched: one row a page, its heavy parts beside it, and the sums of each minute."""

import json
from collections.abc import Sequence
from dataclasses import asdict

import zstandard
from django.db.backends.utils import CursorWrapper

from backend.apps.runners.crawl_store.letters import Letter, Row, values_table
from backend.apps.runners.crawl_store.sql import as_datetime, is_postgres, rows_in, storable, to_json
from backend.apps.runners.crawl_store.urls import UrlRow
from crawler_node.contracts import LogLine, Outcome, PageFeatures, PageState, Statistics
from crawler_node.frontier.tally import Effect

COLUMNS = (
    *("runner_id", "key", "url", "depth", "state", "http_status", "content_type", "size_bytes", "load_ms"),
    *("processing_ms", "content_sha1", "etag", "last_modified", "target", "refusal", "failure", "document_count"),
    *("lane", "fetched_at"),
)
REPLACE = (
    f" ON CONFLICT (runner_id, key) DO UPDATE SET {', '.join(f'{name} = excluded.{name}' for name in COLUMNS[2:])}"
)
UPSERT = f"INSERT INTO documents_page ({', '.join(COLUMNS)}) VALUES ({', '.join(['%s'] * len(COLUMNS))}){REPLACE}"  # noqa: S608
CONTENT = ("features", "links", "raw")
REPLACE_CONTENT = f" ON CONFLICT (page_id) DO UPDATE SET {', '.join(f'{name} = excluded.{name}' for name in CONTENT)}"
UPSERT_CONTENT = (
    f"INSERT INTO documents_pagecontent (page_id, {', '.join(CONTENT)}) VALUES (%s, %s, %s, %s){REPLACE_CONTENT}"  # noqa: S608
)
SUMS = ("pages", "documents", "failed", "bytes", "requests")


class PageDesk:
    """Collects the pages of one transaction and writes them at its end."""

    def __init__(self, cursor: CursorWrapper, runner_id: int) -> None:
        self._cursor = cursor
        self._runner_id = runner_id
        self._hashes: set[bytes] = set()
        self._rows: dict[bytes, list[object]] = {}
        self._contents: dict[bytes, list[bytes | None]] = {}

    def ask_hashes(self, letter: Letter, outcomes: Sequence[Outcome]) -> list[Row]:
        """The rows for `read_hashes`: which of these contents this run has seen before."""
        hashes = sorted({outcome.page.sha1 for outcome in outcomes if outcome.page.sha1})
        statement = "SELECT DISTINCT content_sha1 FROM documents_page WHERE runner_id = %s AND content_sha1 IN {}"
        return letter.ask_in(statement, [self._runner_id], hashes)

    def read_hashes(self, rows: Sequence[Row]) -> None:
        self._hashes = {bytes(row[0]) for row in rows}

    def is_known_content(self, sha1: bytes) -> bool:
        """Whether another page had these very bytes; from now on it is known."""
        is_known = bool(sha1) and sha1 in self._hashes
        if sha1:
            self._hashes.add(sha1)
        return is_known

    def remember(
        self, row: UrlRow, outcome: Outcome, state: PageState, effect: Effect, *, features: bytes | None = None
    ) -> None:
        """`features` are those of a page that has not changed, already packed."""
        page = outcome.page
        if page.is_given_back:
            return
        documents = effect.documents + effect.duplicate_documents
        is_whole = documents >= len(outcome.documents)  # else the limit left some out, and the next run asks for them
        self._rows[row.key] = [
            self._runner_id,
            row.key,
            storable(outcome.lease.url),
            row.depth,
            str(state),
            page.status,
            storable(page.content_type)[:200],
            page.body_bytes,
            page.load_seconds * 1000,
            page.process_seconds * 1000,
            page.sha1 or None,
            storable(page.etag) if is_whole else "",
            storable(page.last_modified) if is_whole else "",
            storable(page.target),
            str(page.refusal or ""),
            storable(page.sentence),
            documents,
            page.lane,
        ]
        features = pack_features(page.features) or features
        if features or outcome.links or page.raw:
            self._contents[row.key] = [features, outcome.links or None, page.raw or None]

    def save(self, letter: Letter, *, now: float) -> None:
        fetched_at = as_datetime(now)
        rows = [[*row, fetched_at] for row in self._rows.values()]
        if not is_postgres():
            self._save_one_by_one(rows)
            return
        letter.insert("documents_page", COLUMNS, rows, ending=REPLACE)
        if self._contents:
            contents = [[key, *parts] for key, parts in self._contents.items()]
            source, parameters = values_table(["key", *CONTENT], contents)
            letter.ask(
                f"INSERT INTO documents_pagecontent (page_id, {', '.join(CONTENT)})"  # noqa: S608
                f" SELECT p.id, {', '.join(f'v.{name}::bytea' for name in CONTENT)} FROM {source}"
                f" JOIN documents_page p ON p.runner_id = %s AND p.key = v.key{REPLACE_CONTENT}",
                [*parameters, self._runner_id],
            )

    def _save_one_by_one(self, rows: Sequence[Sequence[object]]) -> None:
        self._cursor.executemany(UPSERT, rows)
        if not self._contents:
            return
        statement = "SELECT key, id FROM documents_page WHERE runner_id = %s AND key IN {}"
        ids = {
            bytes(key): found
            for key, found in rows_in(self._cursor, statement, [self._runner_id], list(self._contents))
        }
        self._cursor.executemany(UPSERT_CONTENT, [[ids[key], *parts] for key, parts in self._contents.items()])


def pack_features(features: PageFeatures | None) -> bytes | None:
    """Title, headings, text and quality as compressed JSON."""
    if features is None:
        return None
    return zstandard.compress(to_json(asdict(features)).encode(), 1)


def unpack_features(packed: bytes) -> dict[str, object]:
    found: dict[str, object] = json.loads(zstandard.decompress(packed))
    return found


def write_log(letter: Letter, runner_id: int, lines: Sequence[LogLine], *, now: float) -> None:
    at = as_datetime(now)
    rows = [[runner_id, at, line.level, storable(line.message), storable(line.url)] for line in lines]
    letter.insert("runners_logline", ["runner_id", "at", "level", "message", "url"], rows)


def write_minute(letter: Letter, runner_id: int, before: Sequence[float], after: Statistics, *, now: float) -> None:
    """Add what this transaction counted to the minute it happened in."""
    added = [value - earlier for value, earlier in zip(sums_of(after), before, strict=True)]
    if not any(added):
        return
    changes = ", ".join(f"{name} = runners_runnerminute.{name} + excluded.{name}" for name in SUMS)
    letter.insert(
        "runners_runnerminute",
        ["runner_id", "minute", *SUMS],
        [[runner_id, int(now // 60), *added]],
        ending=f" ON CONFLICT (runner_id, minute) DO UPDATE SET {changes}",
    )


def sums_of(statistics: Statistics) -> list[float]:
    return [getattr(statistics, name) for name in SUMS]
