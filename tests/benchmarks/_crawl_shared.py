"""Several workers on one runner, without a web server: pages come from memory, so that only crawling is measured.

`python -m tests.benchmarks._crawl_shared URL PAGES WORKERS`: makes the database, starts the workers together, and tells
what they did. `… --join FOLDER URL PAGES` is one of them; it says when it is ready and begins when told.
"""

import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from backend.demo_site.throughput.pages import PREFIX, item_page
from tests.benchmarks._contest import Result, Stopwatch, begin_together, tell, wait_for_the_others
from tests.benchmarks._crawl_ours import make_reader, make_runner, make_spec, use_database


def share(url: str, pages: int, workers: int) -> None:
    with tempfile.TemporaryDirectory(prefix="gleaner-bench-") as folder:
        use_database(Path(folder))
        from crawler_node.engine import seed_candidates

        store = _store(url, pages, make_runner())
        store.plant(seed_candidates(make_spec(url, pages)))
        command = [sys.executable, "-m", "tests.benchmarks._crawl_shared", "--join", folder, url, str(pages)]
        joined = [
            subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) for _ in range(workers)
        ]
        tell(_time_together(joined, store))


def _time_together(joined: list[Any], store: Any) -> Result:
    """CPU of all, and the time of the one that took longest; they begin at one moment."""
    told = [json.loads(line) for line in begin_together(joined)]
    for worker in joined:
        worker.communicate()
    found = store.statistics()
    seconds = max(each["wall_seconds"] for each in told)
    return Result(found.pages, found.documents, sum(each["cpu_seconds"] for each in told), seconds)


def join(folder: str, url: str, pages: int) -> None:
    use_database(Path(folder))
    import uvloop

    from backend.apps.runners.models import Runner
    from crawler_node.engine import build_worker
    from crawler_node.memory import settle

    spec = make_spec(url, pages, respect_robots=False)
    store = _store(url, pages, Runner.objects.get())
    bodies = [item_page(number, pages) for number in range(pages)]
    settle()
    wait_for_the_others()
    watch = Stopwatch()

    async def run() -> None:
        name = f"worker-{time.monotonic_ns()}"
        lane: Any = MemoryLane(bodies)
        await build_worker(spec, name=name, store=store, lane=lane, reader=make_reader(with_features=False)).run()

    uvloop.run(run())
    tell(watch.result(pages=0, documents=0))


def _store(url: str, pages: int, runner: Any) -> Any:
    from backend.apps.runners.crawl_store import SqlCrawlStore

    return SqlCrawlStore(runner, make_spec(url, pages, respect_robots=False).frontier_options())


class MemoryLane:
    """Answers at once with pages that are already there."""

    def __init__(self, bodies: list[bytes]) -> None:
        from crawler_node.fetch.cookies import CookieShelf

        self._bodies = bodies
        self.cookies = CookieShelf(is_kept=False)

    async def fetch(self, lease: Any) -> Any:
        from crawler_node.contracts import FetchedPage

        body = self._bodies[int(lease.url.rpartition(PREFIX)[2])]
        return FetchedPage(lease.url, 200, {"content-type": "text/html; charset=utf-8"}, body, requested_url=lease.url)


if __name__ == "__main__":
    if sys.argv[1] == "--join":
        join(sys.argv[2], sys.argv[3], int(sys.argv[4]))
    else:
        share(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))
