"""Putting a worker together from a specification, a store and a lane."""

import time
from collections.abc import Callable
from datetime import UTC, datetime

from crawler_node.contracts import CrawlStore, PageReader, Progress
from crawler_node.engine.gate import HostGate
from crawler_node.engine.pages import AskingTwiceLane, BrowserUsingLane, Lane, PageWork
from crawler_node.engine.seen import SeenFilter
from crawler_node.engine.sieve import LinkSieve
from crawler_node.engine.spec import CrawlSpec
from crawler_node.engine.worker import Worker, WorkerOptions
from crawler_node.fetch.identity import PRODUCT, product_token
from crawler_node.robots import RobotsBook
from crawler_node.urls import Canonicalizer, LinkResolver


def build_worker(
    spec: CrawlSpec,
    *,
    name: str,
    store: CrawlStore,
    lane: Lane,
    reader: PageReader,
    on_progress: Callable[[Progress], None] | None = None,
    options: WorkerOptions | None = None,
    close_store: Callable[[], None] | None = None,
) -> Worker:
    """A worker ready to run; raises SpecError for a choice that cannot work.

    `close_store` is called in the store's thread when the worker ends.
    """
    robots = RobotsBook(product=product_token(spec.user_agent) if spec.user_agent else PRODUCT, clock=time.monotonic)
    seen = SeenFilter()
    gate = HostGate(clock=time.monotonic, max_in_flight=spec.open_requests_per_host)
    canonicalizer = Canonicalizer(spec.addresses)
    sieve = LinkSieve(
        resolver=LinkResolver(canonicalizer),
        scope=spec.scope(),
        traps=spec.trap_rules(this_year=datetime.now(UTC).year),
        seen=seen,
        rules_for=robots.rules_for,
        max_depth=spec.max_depth,
        respect_robots=spec.respect_robots,
        keep_links=spec.keep_links,
        canonical_links=spec.canonical_links,
        preferred=spec.preferred(),
        seed_keys=frozenset(found.key for seed in spec.seeds if (found := canonicalizer.canonicalize(seed.strip()))),
    )
    pages = PageWork(spec=spec, lane=lane, reader=reader, sieve=sieve, robots=robots, gate=gate)
    worker = Worker(
        name=name,
        store=store,
        pages=pages,
        lane=lane,
        robots=robots,
        seen=seen,
        gate=gate,
        options=options or WorkerOptions(threads=spec.threads),
        on_progress=on_progress,
        close_store=close_store,
    )
    pages.tell = worker.note
    if isinstance(lane, AskingTwiceLane):
        lane.ask_again = pages.ask_in_browser
    if isinstance(lane, BrowserUsingLane):
        lane.tell, lane.manners_of = worker.note, pages.manners_of
    return worker
