"""A crawl worker put together: the SQL store, the lane, the template, one event loop."""

import asyncio
import signal
from collections.abc import Mapping
from contextlib import AbstractAsyncContextManager
from pathlib import Path
from typing import Any

import uvloop
from django.conf import settings

from backend.apps.jobs.models import Ending
from backend.apps.jobs.worker_session import WorkerSession
from backend.apps.runners.crawl_store import SqlCrawlStore
from backend.apps.runners.models import Runner
from backend.apps.runners.specification import crawl_as_it_is_now, fill_in_secrets, fill_in_typed, read_specification
from backend.config.lanes import OpenLane, ScriptHints, open_lane
from backend.config.worker_metrics import MeteredStore, live_facts
from crawler_node.contracts import FetchedPage, PageReader, PageReading, Refusal, StopReason
from crawler_node.engine import CrawlSpec, Worker, WorkerReport, build_worker
from crawler_node.engine.worker import WorkerOptions
from crawler_node.extract.compiler import compile_template
from crawler_node.extract.reader import TemplateReader
from crawler_node.extract.selectors import compile_selectors
from crawler_node.extract.spec import TemplateSpec
from crawler_node.extract.watch import PageWatch
from crawler_node.fetch import HttpLane
from crawler_node.memory import settle
from crawler_node.urls import Canonicalizer

GRACE_SECONDS = 1.5  # for pages in work when a worker is told to end: who cancels waits no longer than that
ALLOW_PRIVATE = "Addresses of a private network must be allowed (GLEANER_ALLOW_NETWORKS, --allow-network)."
COMPLETED = {
    StopReason.EXHAUSTED,
    StopReason.MAX_PAGES,
    StopReason.MAX_DOCUMENTS,
    StopReason.WALL_TIME,
    StopReason.NO_NEW_DOCUMENTS,
    StopReason.ALL_DUPLICATE,
}


def watch_file(placement_id: int) -> Path:
    """Where a worker says which page it is reading, for whoever watches over it."""
    folder: Path = settings.VAR_DIR / "run"
    folder.mkdir(parents=True, exist_ok=True)
    return folder / f"placement-{placement_id}.watch"


def work_on_runner(session: WorkerSession, runner: Runner) -> WorkerReport:
    """Crawl until the runner ends, is paused or stopped, or this process is asked to go."""
    specification = read_specification(runner)
    spec = fill_in_secrets(crawl_as_it_is_now(runner), runner.crawler.project)
    template = fill_in_typed(specification.template, runner.crawler.project)
    store = SqlCrawlStore(runner, spec.frontier_options())
    watch = PageWatch(watch_file(session.placement_id))
    reader = watched(make_reader(spec, template), watch)
    try:
        lane = open_lane(spec, template, reader, allow_networks=specification.allow_networks)
        settle()
        return uvloop.run(_crawl(session, spec, store, reader, lane))
    finally:
        watch.close()
        watch_file(session.placement_id).unlink(missing_ok=True)


def make_reader(spec: CrawlSpec, template: TemplateSpec, *, with_features: bool = True) -> TemplateReader:
    return TemplateReader(
        compile_template(template),
        links_scope=compile_selectors(spec.links_scope),
        with_features=with_features and spec.page_text,
        addresses=Canonicalizer(spec.addresses),
    )


def watched(reader: PageReader, watch: PageWatch) -> PageReader:
    def read(page: FetchedPage) -> PageReading:
        with watch.page(page.requested_url or page.url):
            return reader(page)

    return read


async def _crawl(
    session: WorkerSession,
    spec: CrawlSpec,
    store: SqlCrawlStore,
    reader: PageReader,
    lane: AbstractAsyncContextManager[OpenLane],
) -> WorkerReport:
    metered = MeteredStore(store)
    async with lane as opened:
        hints = ScriptHints(reader, is_wanted=isinstance(opened.lane, HttpLane))
        worker = build_worker(
            spec,
            name=session.name,
            store=metered,
            lane=opened.lane,
            reader=hints,
            options=WorkerOptions(threads=opened.threads, grace_seconds=GRACE_SECONDS),
        )
        for line in opened.notes:
            worker.note(line)
        hints.tell = worker.note
        session.live = lambda: live_facts(
            metered, urls=worker.urls_in_work, lane=str(spec.lane), is_stopping=worker.is_stopping
        )
        loop = asyncio.get_running_loop()
        for number in (signal.SIGTERM, signal.SIGINT):
            loop.add_signal_handler(number, worker.stop)
        leaving = asyncio.create_task(_stop_when_told(session, worker))
        try:
            return await worker.run()
        finally:
            leaving.cancel()


async def _stop_when_told(session: WorkerSession, worker: Worker) -> None:
    """People want it to end, or somebody else has our placement: what we would commit is fenced off then."""
    while not (session.lost.is_set() or session.should_stop.is_set()):
        await asyncio.sleep(0.5)
    worker.stop()


def ending_of(stop: StopReason, counts: Mapping[str, Any]) -> tuple[Ending, str]:
    """What a stop means for the whole job, with the run's counts as they stand now, and the reason as people read it.

    A pause or a stop is the head node's to settle: it knows the wish.
    """
    if stop in COMPLETED and not counts["pages"] and (why := counts["failures"] | counts["urls_refused"]):
        return Ending.EXIT, _nothing_read(why, can_retry=counts["failed"] > 0)
    if stop in COMPLETED:
        return Ending.COMPLETED, stop.sentence
    return Ending.EXIT if stop is StopReason.ERROR_RATE else Ending.NONE, stop.sentence


def _nothing_read(why: Mapping[str, int], *, can_retry: bool) -> str:
    told = ", ".join(f"{reason} ({count})" for reason, count in sorted(why.items(), key=lambda item: -item[1]))
    sentences = [
        f"No page could be read: {told}.",
        "Check the start addresses, and whether the website can be reached from here; the log says more.",
    ]
    if Refusal.FORBIDDEN_ADDRESS in why:
        sentences.append(ALLOW_PRIVATE)
    if can_retry:
        sentences.append("Then try the failed pages again.")
    return " ".join(sentences)
