"""`python -m tests.benchmarks.crawl`: pages per CPU second of a whole crawl, beside Scrapy, tuned Scrapy and Crawlee.

Everyone crawls the same pages of the test site (45 KB, 60 links, six fields) from the same server, one after another
in every round, with robots.txt, 16 requests at once, a queue that survives a crash, and everything stored. The site has
as many pages as are crawled. CPU and wall time run from the first request to the last byte stored. The floor is bare
lxml. The last line is JSON.

`--frontier`, `--memory` and `--workers` measure our engine alone: how a page's cost grows with the queue, how memory
grows with the pages, how far several workers are faster than one.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

from backend.demo_site.options import SiteOptions
from backend.demo_site.process import SiteProcess
from backend.demo_site.throughput.pages import PREFIX
from crawler_node.memory import reading_environment
from tests.benchmarks._contest import Result
from tests.benchmarks._report import replace_section, table

ROOT = Path(__file__).parents[2]
CONTESTANTS: dict[str, list[str]] = {
    "Gleaner": ["tests.benchmarks._crawl_ours"],
    "Gleaner with page text": ["tests.benchmarks._crawl_ours", "--features"],
    "Scrapy": ["tests.benchmarks._crawl_scrapy"],
    "Scrapy, tuned": ["tests.benchmarks._crawl_scrapy", "--tuned"],
    "Scrapy, tuned, own set of addresses": ["tests.benchmarks._crawl_scrapy", "--once"],
    "Crawlee": ["tests.benchmarks._crawl_crawlee"],
    "lxml alone": ["tests.benchmarks._crawl_floor"],
}
OURS = {"tests.benchmarks._crawl_ours", "tests.benchmarks._crawl_shared"}
FEW_WAITING = 10_000
Results = dict[str, list[Result]]


def main() -> None:
    options = _options()
    summary = {}
    if options.frontier:
        summary |= _measure_frontier(options)
    if options.memory:
        summary |= _measure_memory(options)
    if options.workers:
        summary |= _measure_workers(options)
    if summary:
        print(json.dumps(summary))
        return
    names = [name for name in CONTESTANTS if not options.only or name in options.only]
    results: Results = {name: [] for name in names}
    with SiteProcess(SiteOptions(pages=options.pages)) as site:
        for _ in range(options.rounds):
            for name in names:
                results[name].append(_run(name, f"{site.url}{PREFIX}0", options.pages))
    lines = _lines(results, options.pages, options.rounds)
    print("\n".join(lines))
    if options.write_docs:
        replace_section(ROOT / "docs" / "benchmarks.md", "Crawling", lines)
    print(json.dumps(_summary(results)))


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="./gleaner bench crawl", description=__doc__)
    parser.add_argument("--pages", type=int, default=2_000, help="pages of the site, all of them crawled (2000)")
    parser.add_argument("--rounds", type=int, default=3, help="how often everyone crawls them, in turn (3)")
    parser.add_argument("--only", action="append", metavar="NAME", help="only this contestant; may be repeated")
    parser.add_argument(
        "--frontier", type=int, metavar="N", help="instead: what a page costs with N addresses waiting, beside 10,000"
    )
    parser.add_argument("--memory", type=int, metavar="N", help="instead: what a worker holds in memory over N pages")
    parser.add_argument("--workers", type=int, metavar="N", help="instead: how much faster N workers are than one")
    parser.add_argument("--write-docs", action="store_true", help="replace the section Crawling of docs/benchmarks.md")
    return parser.parse_args()


def _measure_frontier(options: argparse.Namespace) -> dict[str, float]:
    """CPU of a page with few and with many addresses in the queue, in turn.

    The queues are filled before all crawls: a machine that has just worked for a minute is slower for a while.
    """
    spent: dict[int, list[float]] = {FEW_WAITING: [], options.frontier: []}
    with SiteProcess(SiteOptions(pages=options.pages)) as site, tempfile.TemporaryDirectory() as folder:
        url = f"{site.url}{PREFIX}0"
        for waiting in spent:
            _fill(url, options.pages, waiting, Path(folder) / str(waiting))
        for _ in range(options.rounds):
            for waiting, found in spent.items():
                result = _ours(url, options.pages, f"--from={folder}/{waiting}")
                found.append(1000 * result.cpu_seconds / result.pages)
    few, many = (statistics.median(found) for found in spent.values())
    print(f"{few:.2f} ms of CPU a page with {FEW_WAITING:,} addresses waiting, {many:.2f} with {options.frontier:,}.")
    return {"frontier_rows": options.frontier, "frontier_ratio": round(many / few, 2)}


def _measure_memory(options: argparse.Namespace) -> dict[str, float]:
    """What a worker holds in memory, page text included, a quarter on its way and at most after that."""
    with SiteProcess(SiteOptions(pages=options.memory)) as site:
        samples = _ours(f"{site.url}{PREFIX}0", options.memory, "--features").memory_mb
    quarter, most = samples[len(samples) // 4], max(samples)
    print(f"{quarter:.0f} MB after a quarter of {options.memory:,} pages, at most {most:.0f} MB.")
    return {"memory_pages": options.memory, "memory_mb": round(most), "memory_growth": round(most / quarter, 2)}


def _measure_workers(options: argparse.Namespace) -> dict[str, float]:
    """How much faster so many workers are than one, with pages from memory instead of a server on the same cores.

    The most that the cores allow is less than their number: one worker alone uses a second core here and there.
    """
    url = f"http://bench.example{PREFIX}0"
    results: dict[int, list[Result]] = {1: [], options.workers: []}
    for _ in range(options.rounds):
        for count, found in results.items():
            found.append(_ask(["tests.benchmarks._crawl_shared", url, str(options.pages), str(count)]))
    one, many = (statistics.median(each.wall_seconds for each in found) for found in results.values())
    alone, shared = (statistics.median(each.cpu_seconds for each in found) for found in results.values())
    most = min(options.workers, (os.cpu_count() or 1) * one / alone)
    print(f"{options.pages:,} pages: {one:.1f} s with one worker, {many:.1f} s with {options.workers}.")
    print(f"One worker uses {alone / one:.2f} cores, so that {options.workers} are {most:.2f} times as fast at most.")
    return {
        "workers": options.workers,
        "workers_ratio": round(one / many, 2),
        "workers_most": round(most, 2),
        "workers_cpu": round(shared / alone, 2),
    }


def _fill(url: str, pages: int, waiting: int, folder: Path) -> None:
    print(f"Putting {waiting:,} addresses into a queue …", file=sys.stderr)
    folder.mkdir()
    _run_module(["tests.benchmarks._crawl_ours", url, str(pages), f"--fill={folder}", f"--waiting={waiting}"])


def _ours(url: str, pages: int, *more: str) -> Result:
    return _ask(["tests.benchmarks._crawl_ours", url, str(pages), *more])


def _ask(arguments: list[str]) -> Result:
    return Result(**json.loads(_run_module(arguments).strip().splitlines()[-1]))


def _run_module(arguments: list[str]) -> str:
    """What it printed. Our workers get the environment that the head starts them in."""
    environment = reading_environment(os.environ) if arguments[0] in OURS else None
    command = [sys.executable, "-m", *arguments]
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"{' '.join(arguments)} failed:\n{done.stderr[-2000:]}")
    return done.stdout


def _run(name: str, url: str, pages: int) -> Result:
    module, *more = CONTESTANTS[name]
    target = f"pages:{pages}" if "floor" in module else url
    result = _ask([module, target, str(pages), *more])
    if not pages - 1 <= result.pages <= pages + 20 or result.documents < pages - 1:
        sys.exit(f"{name} crawled {result.pages} pages and found {result.documents} documents instead of {pages}.")
    return result


def _cpu_ms(results: Results, name: str) -> float:
    return statistics.median(1000 * result.cpu_seconds / result.pages for result in results[name])


def _wall_ms(results: Results, name: str) -> float:
    return statistics.median(1000 * result.wall_seconds / result.pages for result in results[name])


def _lines(results: Results, pages: int, rounds: int) -> list[str]:
    rows = [
        (
            name,
            f"{_cpu_ms(results, name):.2f}",
            f"{1000 / _cpu_ms(results, name):.0f}",
            f"{_wall_ms(results, name):.2f}",
        )
        for name in results
    ]
    head = [f"{pages:,} pages of 45 KB with 60 links, median of {rounds} rounds, everyone in turn.", ""]
    return head + table(["", "CPU ms a page", "pages a CPU second", "wall ms a page"], rows)


def _summary(results: Results) -> dict[str, float]:
    if "Gleaner" not in results:
        return {}
    ours, wall = _cpu_ms(results, "Gleaner"), _wall_ms(results, "Gleaner")
    ratios = {
        "cpu_ratio_to_scrapy": ("Scrapy", _cpu_ms, ours),
        "cpu_ratio_to_tuned_scrapy": ("Scrapy, tuned", _cpu_ms, ours),
        "cpu_ratio_to_scrapy_with_own_set": ("Scrapy, tuned, own set of addresses", _cpu_ms, ours),
        "cpu_ratio_to_crawlee": ("Crawlee", _cpu_ms, ours),
        "wall_ratio_to_scrapy": ("Scrapy", _wall_ms, wall),
        "floor_ratio": ("lxml alone", _cpu_ms, ours),
        "page_text_ratio": ("Gleaner with page text", _cpu_ms, ours),
    }
    return {
        key: round(measure(results, name) / own, 2) for key, (name, measure, own) in ratios.items() if name in results
    }


if __name__ == "__main__":
    main()
