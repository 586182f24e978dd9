"""`python -m tests.benchmarks.cluster`: what a second and a fourth worker bring, and what coordination costs.

One, two and four workers crawl the same pages on a private PostgreSQL, one after another in every round. The site takes
its time to answer, as websites do, so that workers wait rather than compute: what is measured is how well they share a
frontier, not how many cores there are. Then the same once more with a site that answers at once: there the site,
PostgreSQL and all workers share the cores of this machine, and more workers bring what cores are left.

Everything is counted in the middle of the crawl, from the tenth to the ninetieth hundredth of its pages. The last line
is JSON, of the site that takes its time: `speedup_2`, `speedup_4`, `queries_per_page` (messages to PostgreSQL that
concern the frontier, COMMIT included, for each page: the worst median), `queries_per_page_whole` (from the first
message of a crawl to its last), `round_trips_per_page` (all messages) and `overlap`.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
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

TOLD = """
SELECT coalesce(sum((live->>'pages')::int), 0), coalesce(sum((live->>'frontier_queries')::int), 0),
    coalesce(sum((live->>'round_trips')::int), 0)
FROM jobs_placement WHERE job_id = (SELECT max(id) FROM jobs_job)
"""
NAMES = ("pages_per_second", "queries_per_page", "queries_per_page_whole", "round_trips_per_page", "overlap", "balance")
HEAD = ["workers", "pages/s", "frontier queries/page", "of the whole crawl", "round trips/page", "overlap", "balance"]


@dataclass(frozen=True)
class Result:
    pages_per_second: float
    queries_per_page: float
    queries_per_page_whole: float
    round_trips_per_page: float
    overlap: float
    balance: float


Results = dict[int, list[Result]]


def main() -> None:
    options = _options()
    with (
        private_postgres() as url,
        SiteProcess(SiteOptions(pages=options.pages)) as site,
        tempfile.TemporaryDirectory(prefix="gleaner-bench-") as name,
    ):
        env = {**os.environ, "GLEANER_VAR": name, "GLEANER_DATABASE_URL": url, "GLEANER_LOG_LEVEL": "WARNING"}
        env |= {"GLEANER_ALLOW_NETWORKS": site.url.removeprefix("http://")}
        subprocess.run([sys.executable, "manage.py", "migrate", "-v0"], cwd=ROOT, env=env, check=True)
        bench = Bench(url, site, Path(name), env, options)
        slow = bench.measure(rounds=options.rounds, latency=options.latency)
        quick = bench.measure(rounds=1, latency=0.0)
    lines = [*_lines(slow, options, options.rounds, options.latency), "", *_lines(quick, options, 1, 0.0)]
    print("\n".join(lines))
    if options.write_docs:
        replace_section(ROOT / "docs" / "benchmarks.md", "Cluster", lines)
    print(json.dumps(_summary(slow)))


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="./gleaner bench cluster", description=__doc__)
    parser.add_argument("--pages", type=int, default=1_500, help="pages of the site, all of them crawled (1500)")
    parser.add_argument("--rounds", type=int, default=2, help="how often everyone crawls them, in turn (2)")
    parser.add_argument("--threads", type=int, default=8, help="requests at once of each worker (8)")
    parser.add_argument("--latency", type=float, default=0.2, help="seconds the site takes to answer (0.2)")
    parser.add_argument("--write-docs", action="store_true", help="replace the section Cluster of docs/benchmarks.md")
    return parser.parse_args()


@dataclass(frozen=True)
class Bench:
    """A database and a site to crawl."""

    url: str
    site: SiteProcess
    folder: Path
    env: dict[str, str]
    options: argparse.Namespace

    def measure(self, *, rounds: int, latency: float) -> Results:
        self.site.turn(latency_seconds=latency)
        results: Results = {workers: [] for workers in WORKERS}
        for number in range(rounds):
            for workers in WORKERS:
                results[workers].append(self._crawl(f"{latency} {number} {workers}", workers=workers))
        return results

    def _crawl(self, name: str, *, workers: int) -> Result:
        path, pages = self.folder / "project.json", self.options.pages
        file = _project(name, f"{self.site.url}{PREFIX}0", threads=self.options.threads)
        path.write_text(json.dumps(file))
        command = [sys.executable, "manage.py", "crawl", str(path), "--workers", str(workers)]
        log = self.folder / "crawl.log"
        with psycopg.connect(self.url, autocommit=True) as connection, log.open("w") as errors:
            crawl = subprocess.Popen(command, cwd=ROOT, env=self.env, stdout=subprocess.PIPE, stderr=errors, text=True)
            assert crawl.stdout is not None
            first, last = _middle_of(connection, crawl, pages=pages)
            answer = crawl.stdout.read().strip()
            assert crawl.wait() == 0, f"the crawl failed:\n{log.read_text()[-2000:]}"
            told = json.loads(answer.splitlines()[-1])
            row = connection.execute(MIDDLE, [told["runner"]]).fetchone()
        assert told["pages"] == pages, told
        costs, fetched = told["cooperation"], last[0] - first[0]
        return Result(
            float(row[0]) if row else 0.0,
            (last[1] - first[1]) / fetched,
            costs["frontier_queries_per_page"],
            (last[2] - first[2]) / fetched,
            costs["overlap"],
            costs["balance"],
        )


def _middle_of(
    connection: "psycopg.Connection[Any]", crawl: "subprocess.Popen[str]", *, pages: int
) -> tuple[list[int], list[int]]:
    """What workers said of their pages and messages when a tenth was done, and when nine tenths were."""
    samples: list[list[int]] = []
    before = [0, 0, 0]
    while crawl.poll() is None:
        row = connection.execute(TOLD).fetchone()
        if row is not None and 0.1 * pages <= row[0] < pages and list(row) != before:
            before = list(row)
            samples.append(before)
        time.sleep(0.2)
    middle = [sample for sample in samples if sample[0] <= 0.9 * pages]
    samples = middle if len(middle) > 1 else samples
    assert crawl.returncode or len(samples) > 1, "it was over too soon to look at its middle: give it more pages"
    return (samples[0], samples[-1]) if samples else (before, before)


def _project(name: str, seed: str, *, threads: int) -> dict[str, Any]:
    inspectors = [{"name": "sku", "selector": "//dd[@class='sku']", "key": True}]
    crawler = {"name": "bulk", "template": "item", "seeds": [seed], "sleep_ms": 0, "threads": threads}
    templates = [{"name": "item", "inspectors": inspectors}]
    return {"version": 1, "name": name, "templates": templates, "crawlers": [crawler]}


def _median(results: list[Result], name: str) -> float:
    return statistics.median(getattr(result, name) for result in results)


def _lines(results: Results, options: argparse.Namespace, rounds: int, latency: float) -> list[str]:
    rows = [[count, *(f"{_median(found, name):.3g}" for name in NAMES)] for count, found in results.items()]
    answers = f"{latency} s until the site answers" if latency else "the site answers at once"
    told = f"{options.pages} pages, {options.threads} requests at once for each worker, {answers}, PostgreSQL"
    return [f"{told}; medians of {rounds}." if rounds > 1 else f"{told}.", "", *table(HEAD, rows)]


def _summary(results: dict[int, list[Result]]) -> dict[str, float]:
    """Speed-ups are medians of ratios within one round: the machine's mood is the same for both."""

    def speedup(workers: int) -> float:
        pairs = zip(results[1], results[workers], strict=True)
        return round(statistics.median(many.pages_per_second / one.pages_per_second for one, many in pairs), 2)

    def worst(name: str) -> float:
        return round(max(_median(found, name) for found in results.values()), 3)

    return {
        "speedup_2": speedup(2),
        "speedup_4": speedup(4),
        "queries_per_page": worst("queries_per_page"),
        "queries_per_page_whole": worst("queries_per_page_whole"),
        "round_trips_per_page": worst("round_trips_per_page"),
        "overlap": max(result.overlap for found in results.values() for result in found),
    }


if __name__ == "__main__":
    main()
