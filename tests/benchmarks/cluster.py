"""`python -m tests.benchmarks.cluster`: what a second and a fourth worker bring, and what coordination costs.

One, two and four workers crawl the same pages on a private PostgreSQL, one after another in every round. The site takes
its time to answer, as websites do: what is measured is how well workers share a frontier, not how many cores there
are. Pages a second are those of the middle of the crawl, from the tenth to the ninetieth hundredth of its pages.
The last line is JSON: `speedup_2`, `speedup_4`, `queries_per_page` (questions to the frontier's tables for each page,
the worst of all), `round_trips_per_page` (all questions to the database) and `overlap`.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psycopg

from backend.bootstrap.servers.postgres import private_postgres
from backend.demo_site.options import SiteOptions
from backend.demo_site.process import SiteProcess
from backend.demo_site.throughput.pages import PREFIX
from tests.benchmarks._report import replace_section, table

ROOT = Path(__file__).parents[2]
WORKERS = (1, 2, 4)
MIDDLE = """
SELECT count(*) * 0.8 / extract(epoch FROM percentile_disc(0.9) WITHIN GROUP (ORDER BY fetched_at)
    - percentile_disc(0.1) WITHIN GROUP (ORDER BY fetched_at))
FROM documents_page WHERE runner_id = %s AND state = 'done'
"""


@dataclass(frozen=True)
class Result:
    pages_per_second: float
    queries_per_page: float
    round_trips_per_page: float
    overlap: float
    balance: float


def main() -> None:
    options = _options()
    results: dict[int, list[Result]] = {workers: [] for workers in WORKERS}
    with (
        private_postgres() as url,
        SiteProcess(SiteOptions(pages=options.pages)) as site,
        tempfile.TemporaryDirectory(prefix="gleaner-bench-") as name,
    ):
        site.turn(latency_seconds=options.latency)
        env = {**os.environ, "GLEANER_VAR": name, "GLEANER_DATABASE_URL": url, "GLEANER_LOG_LEVEL": "WARNING"}
        env |= {"GLEANER_ALLOW_NETWORKS": site.url.removeprefix("http://")}
        subprocess.run([sys.executable, "manage.py", "migrate", "-v0"], cwd=ROOT, env=env, check=True)
        for number in range(options.rounds):
            for workers in WORKERS:
                file = _project(f"{number} {workers}", f"{site.url}{PREFIX}0", threads=options.threads)
                results[workers].append(_crawl(file, Path(name), env, url, workers=workers, pages=options.pages))
    lines = _lines(results, options)
    print("\n".join(lines))
    if options.write_docs:
        replace_section(ROOT / "docs" / "benchmarks.md", "Cluster", lines)
    print(json.dumps(_summary(results)))


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="./gleaner bench cluster", description=__doc__)
    parser.add_argument("--pages", type=int, default=2_000, help="pages of the site, all of them crawled (2000)")
    parser.add_argument("--rounds", type=int, default=3, help="how often everyone crawls them, in turn (3)")
    parser.add_argument("--threads", type=int, default=8, help="requests at once of each worker (8)")
    parser.add_argument("--latency", type=float, default=0.2, help="seconds the site takes to answer (0.2)")
    parser.add_argument("--write-docs", action="store_true", help="replace the section Cluster of docs/benchmarks.md")
    return parser.parse_args()


def _project(name: str, seed: str, *, threads: int) -> dict[str, Any]:
    inspectors = [{"name": "sku", "selector": "//dd[@class='sku']", "key": True}]
    crawler = {"name": "bulk", "template": "item", "seeds": [seed], "sleep_ms": 0, "threads": threads}
    templates = [{"name": "item", "inspectors": inspectors}]
    return {"version": 1, "name": name, "templates": templates, "crawlers": [crawler]}


def _crawl(file: dict[str, Any], folder: Path, env: dict[str, str], url: str, *, workers: int, pages: int) -> Result:
    path = folder / "project.json"
    path.write_text(json.dumps(file))
    command = [sys.executable, "manage.py", "crawl", str(path), "--workers", str(workers)]
    done = subprocess.run(command, cwd=ROOT, env=env, capture_output=True, text=True, check=True)
    told = json.loads(done.stdout.strip().splitlines()[-1])
    assert told["pages"] == pages, told
    with psycopg.connect(url) as connection:
        row = connection.execute(MIDDLE, [told["runner"]]).fetchone()
    costs = told["cooperation"]
    return Result(
        float(row[0]) if row else 0.0,
        costs["frontier_queries_per_page"],
        costs["round_trips_per_page"],
        costs["overlap"],
        costs["balance"],
    )


def _median(results: list[Result], name: str) -> float:
    return statistics.median(getattr(result, name) for result in results)


def _lines(results: dict[int, list[Result]], options: argparse.Namespace) -> list[str]:
    head = ["workers", "pages/s", "frontier queries/page", "round trips/page", "overlap", "balance"]
    names = ("pages_per_second", "queries_per_page", "round_trips_per_page", "overlap", "balance")
    rows = [[count, *(f"{_median(found, name):.3g}" for name in names)] for count, found in results.items()]
    told = f"{options.pages} pages, {options.rounds} rounds, {options.threads} requests at once for each worker"
    return [f"{told}, {options.latency} s until the site answers, PostgreSQL; medians.", "", *table(head, rows)]


def _summary(results: dict[int, list[Result]]) -> dict[str, float]:
    """Speed-ups are medians of ratios within one round: the machine's mood is the same for both."""

    def speedup(workers: int) -> float:
        pairs = zip(results[1], results[workers], strict=True)
        return round(statistics.median(many.pages_per_second / one.pages_per_second for one, many in pairs), 2)

    every = [result for found in results.values() for result in found]
    return {
        "speedup_2": speedup(2),
        "speedup_4": speedup(4),
        "queries_per_page": max(result.queries_per_page for result in every),
        "round_trips_per_page": max(result.round_trips_per_page for result in every),
        "overlap": max(result.overlap for result in every),
    }


if __name__ == "__main__":
    main()
