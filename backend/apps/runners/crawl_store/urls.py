"""URLs of a runner: read for the batch in hand, changed by the rules, written back once."""

from collections.abc import Iterable
from dataclasses import dataclass

from backend.apps.runners.crawl_store.letters import Letter, Row
from backend.apps.runners.crawl_store.sql import storable
from backend.apps.runners.models import UrlState
from crawler_node.contracts import Candidate, PageState, TargetKind

TABLE = "runners_crawlurl"
FIXED = ("key", "host_id", "url", "kind", "hops", "etag", "last_modified")
CHANGING = ("state", "rank", "depth", "available_at", "attempt", "broken", "fence", "worker", "expires_at", "refusal")
SELECT = f"SELECT id, {', '.join((*FIXED, *CHANGING))} FROM {TABLE}"  # noqa: S608
TYPES = {
    "state": "smallint",
    "rank": "float8",
    "depth": "int",
    "available_at": "float8",
    "attempt": "int",
    "broken": "int",
    "fence": "bigint",
    "worker": "text",
    "expires_at": "float8",
    "refusal": "text",
    "hops": "smallint",
}
MOVED = {"url": "text", "host_id": "bigint", "kind": "text", "etag": "text", "last_modified": "text"}
INSERT = ("runner_id", *FIXED, *CHANGING, "anchor", "found_on", "found_at")

STATES = {
    PageState.QUEUED: UrlState.QUEUED,
    PageState.LEASED: UrlState.LEASED,
    PageState.DONE: UrlState.DONE,
    PageState.REDIRECTED: UrlState.REDIRECTED,
    PageState.FAILED: UrlState.FAILED,
    PageState.SKIPPED: UrlState.SKIPPED,
}
PAGE_STATES = {value: key for key, value in STATES.items()}


@dataclass(slots=True)
class UrlRow:
    """One URL of the frontier. `id` 0: not written yet."""

    id: int
    key: bytes
    host_id: int
    url: str
    kind: str
    hops: int
    etag: str
    last_modified: str
    state: int
    rank: float
    depth: int
    available_at: float = 0.0
    attempt: int = 0
    broken: int = 0
    fence: int = 0
    worker: str = ""
    expires_at: float = 0.0
    refusal: str = ""
    anchor: str = ""
    found_on: int | None = None
    is_changed: bool = False
    is_moved: bool = False

    def retarget(self, candidate: Candidate, rank: float) -> None:
        """The same address, found on a better way; what one page takes for a page may be a sitemap."""
        self.depth, self.rank, self.hops = candidate.depth, rank, candidate.hops
        self.is_changed = True
        if candidate.kind is TargetKind.SITEMAP and self.kind != candidate.kind:
            self.kind, self.is_moved = str(candidate.kind), True

    def respell(self, candidate: Candidate, host_id: int) -> None:
        """The same page is asked for as the candidate spells it: perhaps at another host (with or without `www.`)."""
        self.url, self.host_id, self.is_moved = storable(candidate.url), host_id, True

    def ask_whole(self) -> None:
        """The page is asked for without conditions from now on."""
        self.etag, self.last_modified, self.is_moved = "", "", True


def url_row(row: tuple) -> UrlRow:
    return UrlRow(row[0], bytes(row[1]), *row[2:])


def new_row(candidate: Candidate, *, host_id: int, rank: float, found_on: int | None) -> UrlRow:
    return UrlRow(
        id=0,
        key=candidate.key,
        host_id=host_id,
        url=storable(candidate.url),
        kind=str(candidate.kind),
        hops=candidate.hops,
        etag=storable(candidate.etag),
        last_modified=storable(candidate.last_modified),
        state=UrlState.SKIPPED,
        rank=rank,
        depth=candidate.depth,
        anchor=storable(candidate.anchor),
        found_on=found_on,
    )


class UrlBook:
    """The URLs that one transaction touches, by key."""

    def __init__(self, runner_id: int) -> None:
        self._runner_id = runner_id
        self.rows: dict[bytes, UrlRow] = {}

    def ask(self, letter: Letter, keys: Iterable[bytes]) -> list[Row]:
        """The rows for `read`."""
        statement = f"{SELECT} WHERE runner_id = %s AND key IN {{}}"
        return letter.ask_in(statement, [self._runner_id], list(dict.fromkeys(keys)))

    def read(self, rows: Iterable[Row]) -> None:
        for row in rows:
            found = url_row(row)
            self.rows[found.key] = found

    def save(self, letter: Letter, now: float) -> None:
        new = [row for row in self.rows.values() if row.id == 0]
        names = (*FIXED, *CHANGING, "anchor", "found_on")
        letter.insert(TABLE, INSERT, [[self._runner_id, *_values(row, names), now] for row in new])
        save_rows(letter, [row for row in self.rows.values() if row.id and row.is_changed])
        moved = [row for row in self.rows.values() if row.id and row.is_moved]
        letter.update(TABLE, MOVED, [[*_values(row, MOVED), row.id] for row in moved])


def save_rows(letter: Letter, rows: Iterable[UrlRow]) -> None:
    letter.update(TABLE, TYPES, [[*_values(row, TYPES), row.id] for row in rows])


def _values(row: UrlRow, names: Iterable[str]) -> list[object]:
    return [getattr(row, name) for name in names]
