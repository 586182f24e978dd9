"""Whole crawls for tests: a spec, a store in memory, a real lane, a real site."""

import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass

from crawler_node.contracts import CrawlStore, PageState
from crawler_node.engine import (
    CrawlSpec,
    Worker,
    WorkerOptions,
    WorkerReport,
    build_worker,
    seed_candidates,
)
from crawler_node.extract.compiler import compile_template
from crawler_node.extract.reader import TemplateReader
from crawler_node.extract.selectors import compile_selector
from crawler_node.extract.spec import parse_template
from crawler_node.fetch import HttpLane, parse_allow_networks
from crawler_node.frontier import MemoryCrawlStore
from crawler_node.urls import parse_url

TITLE = {"name": "page", "inspectors": [{"name": "title", "selector": "//h1"}]}


@dataclass
class Crawl:
    """How a crawl ended, and the store it left."""

    report: WorkerReport
    store: MemoryCrawlStore

    def urls(self, state: PageState) -> list[str]:
        return sorted(row.candidate.url for row in self.store.rows.values() if row.state is state)

    def values(self) -> list[Mapping[str, object]]:
        return [kept.versions[-1].values for kept in self.store.documents.kept.values() if kept.duplicate_of is None]


def make_worker(
    spec: CrawlSpec,
    store: CrawlStore,
    lane: HttpLane,
    *,
    name: str = "w1",
    template: Mapping[str, object] = TITLE,
    options: WorkerOptions | None = None,
) -> Worker:
    scope = [compile_selector(text) for text in spec.links_scope]
    reader = TemplateReader(compile_template(parse_template(template)), links_scope=scope)
    return build_worker(spec, name=name, store=store, lane=lane, reader=reader, options=options)


def make_lane(spec: CrawlSpec, extra: Sequence[str] = ()) -> HttpLane:
    parsed = [found for seed in spec.seeds if (found := parse_url(seed)) is not None]
    policy = parse_allow_networks([f"{found.host}:{found.port}" for found in parsed] + list(extra))
    return HttpLane(spec.lane_options(policy=policy, version="1", contact="mailto:test@example.org"))


def make_spec(seed: str, **choices: object) -> CrawlSpec:
    return CrawlSpec.from_json({"seeds": [seed], "sleep_ms": 0, **choices})


async def crawl(
    spec: CrawlSpec,
    *,
    template: Mapping[str, object] = TITLE,
    allow: Sequence[str] = (),
    store: MemoryCrawlStore | None = None,
    during: Callable[[Worker], Awaitable[None]] | None = None,
) -> Crawl:
    """One worker from seeds to the end."""
    import asyncio

    store = store or MemoryCrawlStore(spec.frontier_options(), clock=time.monotonic)
    store.plant(seed_candidates(spec))
    async with make_lane(spec, allow) as lane:
        worker = make_worker(spec, store, lane, template=template)
        companion = asyncio.create_task(during(worker)) if during else None  # type: ignore[arg-type]
        report = await worker.run()
        if companion is not None:
            await companion
    return Crawl(report, store)
