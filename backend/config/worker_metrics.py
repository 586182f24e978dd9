"""What a crawl worker tells about itself with every sign of life: how fast it is, what it does, what it costs."""

import threading
import time
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from typing import Any

import psutil
from django.db import connection

from crawler_node.contracts import CrawlStore, LeaseBatch, LogLine, Outcome, PageState, Progress

WINDOW_SECONDS = 60.0
MAX_URLS_TOLD = 20
COMMIT_ROUND_TRIPS = 1
FRONTIER = "runners_crawl"  # the beginning of the names of its tables


class MeteredStore:
    """The crawl store, with a count of what passes through and of the round trips to the database that it takes.

    `fetched` pages that another worker had committed before are not among the `pages`: the difference is overlap.
    `frontier_queries` are those round trips that coordinate: COMMIT, and every message to the database with anything
    about the frontier's tables in it, whatever else it carries.
    """

    def __init__(self, store: CrawlStore) -> None:
        self._store = store
        self._lock = threading.Lock()
        self._recent: deque[tuple[float, int]] = deque()
        self._began = time.monotonic()
        self.pages = 0
        self.fetched = 0
        self.round_trips = 0
        self.frontier_queries = 0

    def lease(self, *, worker: str, limit: int) -> LeaseBatch:
        with self._counted():
            return self._store.lease(worker=worker, limit=limit)

    def commit(self, *, worker: str, outcomes: Sequence[Outcome], log: Sequence[LogLine] = ()) -> Progress:
        with self._counted():
            progress = self._store.commit(worker=worker, outcomes=outcomes, log=log)
        done = [outcome.lease.fence for outcome in outcomes if outcome.page.state is PageState.DONE]
        with self._lock:
            self.fetched += len(done)
            accepted = len(progress.accepted.intersection(done))
            self.pages += accepted
            self._recent.append((time.monotonic(), accepted))
        return progress

    def pages_per_minute(self) -> float:
        """Over the last minute, or since the worker began."""
        now = time.monotonic()
        with self._lock:
            while self._recent and now - self._recent[0][0] > WINDOW_SECONDS:
                self._recent.popleft()
            count = sum(pages for _, pages in self._recent)
        return round(60.0 * count / max(1.0, min(WINDOW_SECONDS, now - self._began)), 1)

    def _counted(self) -> AbstractContextManager[None]:
        self.round_trips += COMMIT_ROUND_TRIPS
        self.frontier_queries += COMMIT_ROUND_TRIPS
        return connection.execute_wrapper(self._count)

    def _count(self, execute: Callable[..., Any], sql: str, params: Any, many: bool, context: Any) -> Any:
        self.round_trips += 1
        self.frontier_queries += FRONTIER in sql
        return execute(sql, params, many, context)


def live_facts(store: MeteredStore, *, urls: Sequence[str], lane: str, is_stopping: bool) -> dict[str, Any]:
    """As people and programs see it in `qstat -f` and in the API."""
    stage = "stopping" if is_stopping else "crawling" if urls else "waiting"
    return {
        "pages": store.pages,
        "fetched": store.fetched,
        "round_trips": store.round_trips,
        "frontier_queries": store.frontier_queries,
        "pages_per_minute": store.pages_per_minute(),
        "stage": stage,
        "lane": lane,
        "memory_bytes": psutil.Process().memory_info().rss,
        "urls": list(urls[:MAX_URLS_TOLD]),
    }
