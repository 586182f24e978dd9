"""A whole crawl of a static site in one lane with everything stored: what lane auto costs over lane http."""

import json
import sys
import tempfile
from pathlib import Path
from typing import Any

from tests.benchmarks._crawl_ours import make_reader, make_runner, make_spec, use_database


def main(url: str, pages: int, lane: str) -> None:
    with tempfile.TemporaryDirectory(prefix="gleaner-bench-") as folder:
        use_database(Path(folder))
        _crawl(url, pages, lane)


def _crawl(url: str, pages: int, lane: str) -> None:
    import uvloop

    from tests.benchmarks._contest import Stopwatch

    run = _prepare(url, pages, lane)
    watch = Stopwatch()
    statistics = uvloop.run(run())
    result = watch.result(pages=statistics.pages, documents=statistics.documents)
    sampled = statistics.requests - statistics.pages - 1  # robots.txt is asked for once
    print(json.dumps({"pages": result.pages, "cpu_seconds": result.cpu_seconds, "sampled": sampled}), flush=True)


def _prepare(url: str, pages: int, lane: str) -> Any:
    from backend.apps.runners.crawl_store import SqlCrawlStore
    from backend.config.lanes import open_lane
    from crawler_node.engine import build_worker, seed_candidates
    from crawler_node.extract.spec import TemplateSpec

    spec = make_spec(url, pages, lane=lane)
    reader = make_reader(with_features=False)
    store = SqlCrawlStore(make_runner(), spec.frontier_options())
    store.plant(seed_candidates(spec))
    network = url.removeprefix("http://").partition("/")[0]

    async def run() -> Any:
        lanes = open_lane(spec, TemplateSpec("item", ()), reader, allow_networks=[network])
        async with lanes as opened:
            worker = build_worker(spec, name="bench", store=store, lane=opened.lane, reader=reader)
            return (await worker.run()).statistics

    return run


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), sys.argv[3])
