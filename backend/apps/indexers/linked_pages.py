"""Which pages the link graph has: every address that was fetched, as it was last, under one canonical key."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final
from urllib.parse import urlsplit

import numpy as np

from backend.apps.documents.models import Page
from backend.apps.runners.models import Runner
from backend.search_engine.links import KeyTable
from backend.search_engine.links.graph import Numbers
from crawler_node.engine import CrawlSpec
from crawler_node.fetch.statuses import GONE
from crawler_node.urls import Canonicalizer

BATCH_PAGES: Final = 5_000
MAX_ALIASES_IN_A_ROW: Final = 10
NOT_MODIFIED: Final = 304
OPEN, UNCHANGED, SETTLED = range(3)
FIELDS = ("pk", "key", "url", "state", "http_status", "target")
Row = tuple[int, bytes, str, str, int | None, str]


@dataclass(frozen=True, slots=True)
class LinkedPages:
    """Pages by number. A key's page is the one that its redirects and canonical declarations lead to.

    `newest` has, for each key of the table, the id of the row its content comes from, or -1; `key_of_page` the number
    of each page's own key.
    """

    table: KeyTable
    page_of_key: Numbers
    key_of_page: Numbers
    newest: "np.ndarray[tuple[int], np.dtype[np.int64]]"
    host_of_page: Numbers
    hosts: tuple[str, ...]
    runners: tuple[int, ...]

    @property
    def count(self) -> int:
        """How many pages there are."""
        return len(self.host_of_page)

    def find(self, keys: bytes) -> Numbers:
        """The pages of keys (end to end, 16 bytes each); -1 for one that was never fetched."""
        numbers = self.table.find(keys)
        if not len(self.page_of_key):
            return numbers
        return np.where(numbers >= 0, self.page_of_key[numbers], -1).astype(np.int32)


def read_linked_pages(crawler_ids: Sequence[int], on_batch: Callable[[int], None]) -> LinkedPages:
    """All pages of these crawlers' runs; `on_batch` is told how many rows were read."""
    reader = _PageReader()
    runners = Runner.objects.filter(crawler__in=crawler_ids, pruned_at=None).order_by("-pk")
    for runner in runners.only("specification"):
        canonicalizer = _canonicalizer(runner)
        for rows in batches(runner.pk):
            reader.take(rows, canonicalizer)
            on_batch(len(rows))
    return reader.finish(tuple(runner.pk for runner in runners))


def batches(runner_id: int) -> Iterator[list[Row]]:
    """A run's page rows, in short reads: a long one would hold up the crawl's own housekeeping of the database."""
    last, rows = 0, Page.objects.filter(runner=runner_id).order_by("pk")
    while batch := list(rows.filter(pk__gt=last).values_list(*FIELDS)[:BATCH_PAGES]):
        yield batch
        last = batch[-1][0]


def _canonicalizer(runner: Runner) -> Canonicalizer:
    """With the options that the run itself had."""
    crawler = runner.specification.get("crawler")
    return Canonicalizer(CrawlSpec.from_json(crawler).addresses if crawler else None)


class _PageReader:
    """Takes page rows, the newest run's first: what an address was last decides."""

    def __init__(self) -> None:
        self._table = KeyTable()
        self._newest: list[int] = []
        self._host: list[int] = []
        self._is_settled = bytearray()
        self._aliases: dict[int, bytes] = {}
        self._hosts: dict[str, int] = {}

    def take(self, rows: Sequence[Row], canonicalizer: Canonicalizer) -> None:
        numbers = self._table.add(b"".join(bytes(row[1]) for row in rows)).tolist()
        more = len(self._table) - len(self._newest)
        self._newest += [-1] * more
        self._host += [-1] * more
        self._is_settled += bytes(more)
        for number, row in zip(numbers, rows, strict=True):
            if self._is_settled[number] != SETTLED:
                self._settle(number, row)
                self._note_alias(number, row, canonicalizer)

    def _settle(self, number: int, row: Row) -> None:
        """A page that only failed this time is still what an older run saw; one that is gone is not."""
        pk, _, url, state, status, _ = row
        if state == "done" and self._is_settled[number] == OPEN:
            self._newest[number] = pk
            self._host[number] = self._hosts.setdefault(urlsplit(url).netloc, len(self._hosts))
        if state in ("done", "redirected") or status in GONE:
            self._is_settled[number] = UNCHANGED if status == NOT_MODIFIED else SETTLED

    def _note_alias(self, number: int, row: Row, canonicalizer: Canonicalizer) -> None:
        """Where a page says it really is. An unchanged one was not read: the run that read it tells."""
        _, key, url, state, _, target = row
        found = canonicalizer.canonicalize(target, url) if target and state in ("done", "redirected") else None
        if found is not None and found.key != bytes(key):
            self._aliases[number] = found.key

    def finish(self, runners: tuple[int, ...]) -> LinkedPages:
        newest = np.array(self._newest, dtype=np.int64)
        leads_to = self._follow(newest >= 0)
        is_page = (newest >= 0) & (leads_to == np.arange(len(newest)))
        page_number = np.where(is_page, np.cumsum(is_page) - 1, -1).astype(np.int32)
        page_of_key = np.where(leads_to >= 0, page_number[leads_to], -1).astype(np.int32)
        hosts = np.array(self._host, dtype=np.int32)[is_page]
        key_of_page = np.flatnonzero(is_page).astype(np.int32)
        return LinkedPages(self._table, page_of_key, key_of_page, newest, hosts, tuple(self._hosts), runners)

    def _follow(self, was_fetched: "np.ndarray[tuple[int], np.dtype[np.bool_]]") -> Numbers:
        """Where each key leads at last: to a fetched page, or nowhere (-1). In a circle everyone stays himself."""
        own = np.arange(len(was_fetched), dtype=np.int32)
        step = own.copy()
        if self._aliases:
            at = np.fromiter(self._aliases, dtype=np.int32)
            found = self._table.find(b"".join(self._aliases.values()))
            step[at] = np.where(found >= 0, found, at)
        last = own
        for _ in range(MAX_ALIASES_IN_A_ROW):
            last = step[last]
        last = np.where((step[last] == last) & was_fetched[last], last, own)
        return np.where(was_fetched[last], last, -1).astype(np.int32)
