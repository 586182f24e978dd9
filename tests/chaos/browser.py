"""Kill browsers and drivers at random while they work, and check that every page comes and no process stays.

`python -m tests.chaos.browser` crawls scripted pages of the test site in the browser lane and, every so many pages,
kills a random process of a browser (its head, a page's, the graphics', a zygote) or a chromedriver with SIGKILL. It
prints one JSON object last: `pages` wanted, `done` with the right content, `kills`, `processes_left` afterwards.
"""

import argparse
import json
import os
import random
import sys
import threading
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass

import psutil
import uvloop

from backend.demo_site.catalogue.products import all_products
from backend.demo_site.dynamic.data import item_path
from backend.demo_site.options import SiteOptions
from backend.demo_site.process import SiteProcess
from crawler_node.browser import BrowserLane, BrowserOptions, find_programs
from crawler_node.browser.actions import Chain, parse_actions
from crawler_node.contracts import PageState, Progress
from crawler_node.engine import CrawlSpec, WorkerOptions, build_worker, seed_candidates
from crawler_node.extract.compiler import compile_template
from crawler_node.extract.reader import TemplateReader
from crawler_node.extract.spec import parse_template
from crawler_node.fetch import HttpLane, parse_allow_networks
from crawler_node.frontier import MemoryCrawlStore

NAME = "//article[@id='item']/h1"
ACTIONS = [{"type": "wait_for", "selector": NAME, "timeout_seconds": 30}]
PATIENCE_SECONDS = 30.0
BROWSER_NAMES = ("chromium", "chromedriver", "chrome")


@dataclass
class Report:
    pages: int
    done: int
    kills: int
    processes_left: int


class Killer(threading.Thread):
    """Kills one process of a browser each time so many more pages are done."""

    def __init__(self, *, every: int, seed: int) -> None:
        super().__init__(daemon=True)
        self.pages = 0
        self._every = every
        self._chance = random.Random(seed)
        self._over = threading.Event()
        self.kills = 0

    def run(self) -> None:
        while not self._over.wait(0.05):
            if self.pages >= self._every * (self.kills + 1):
                time.sleep(self._chance.random() * 0.2)
                self._kill_one()

    def _kill_one(self) -> None:
        """Unless all have just ended by themselves."""
        with suppress(IndexError, psutil.NoSuchProcess):
            self._chance.choice(browser_processes()).kill()
            self.kills += 1

    def note(self, progress: Progress) -> None:
        self.pages = progress.statistics.pages

    def stop(self) -> None:
        self._over.set()
        self.join()


def browser_processes() -> list[psutil.Process]:
    """All that belongs to browsers of this process and runs."""
    found = psutil.Process(os.getpid()).children(recursive=True)
    return [process for process in found if _is_browser(process)]


def _is_browser(process: psutil.Process) -> bool:
    try:
        return process.name().startswith(BROWSER_NAMES) and process.status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


def break_browsers(*, pages: int, every: int, seed: int = 0, slots: int = 2) -> Report:
    """A whole crawl with so many kills."""
    products = all_products()[:pages]
    others = _children()
    with SiteProcess(SiteOptions()) as site:
        wanted = {site.url + item_path(product): product.name for product in products}
        spec = CrawlSpec(seeds=tuple(wanted), max_depth=0, sleep_ms=0, retry=10, threads=slots, lane="browser")
        store = MemoryCrawlStore(spec.frontier_options(), clock=time.monotonic)
        store.plant(seed_candidates(spec))
        killer = Killer(every=every, seed=seed)
        killer.start()
        uvloop.run(_crawl(spec, store, site.url, killer))
        killer.stop()
        left = _left(others | {site.pid})
    return Report(len(wanted), _done(store, wanted), killer.kills, left)


async def _crawl(spec: CrawlSpec, store: MemoryCrawlStore, site: str, killer: Killer) -> None:
    template = parse_template({"name": "item", "inspectors": [{"name": "name", "selector": NAME, "required": True}]})
    chain = Chain(parse_actions(ACTIONS))
    options = BrowserOptions(slots=spec.threads, deadline_seconds=30, start_seconds=60, chain=chain)
    policy = parse_allow_networks(site.removeprefix("http://"))
    http = HttpLane(spec.lane_options(policy=policy, version="chaos"))
    async with http, BrowserLane(http, find_programs(), options) as lane:
        reader = TemplateReader(compile_template(template))
        limits = WorkerOptions(threads=spec.threads, batch_seconds=0.05)
        worker = build_worker(
            spec, name="chaos", store=store, lane=lane, reader=reader, options=limits, on_progress=killer.note
        )
        await worker.run()


def _done(store: MemoryCrawlStore, wanted: dict[str, str]) -> int:
    names = {kept.versions[-1].values["name"] for kept in store.documents.kept.values()}
    pages = [row.candidate.url for row in store.rows.values() if row.state is PageState.DONE]
    return sum(wanted[url] in names for url in pages if url in wanted)


def _left(others: set[int]) -> int:
    """How many are there that should not; those that are just ending get their time."""
    deadline = time.monotonic() + PATIENCE_SECONDS
    while (left := len(_children() - others)) and time.monotonic() < deadline:
        time.sleep(0.1)
    return left


def _children() -> set[int]:
    """Processes below this one, zombies too."""
    return {one.pid for one in psutil.Process(os.getpid()).children(recursive=True)}


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="./gleaner chaos browser", description=__doc__)
    parser.add_argument("--pages", type=int, default=500, help="pages to crawl, at most 500 (500)")
    parser.add_argument("--every", type=int, default=20, help="kill something after so many pages each (20)")
    parser.add_argument("--seed", type=int, default=0, help="another number kills other processes (0)")
    options = parser.parse_args(arguments)
    report = break_browsers(pages=min(options.pages, 500), every=options.every, seed=options.seed)
    sys.stdout.write(json.dumps(asdict(report)) + "\n")
    sys.exit(0 if report.done == report.pages and not report.processes_left else 1)


if __name__ == "__main__":
    main()
