"""A dry run: fetch a few pages, save nothing, tell what would be followed or skipped and why, and estimate the rest."""

import json
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, replace
from typing import Any

import uvloop

from backend.apps.crawlers.describing import describe_crawler
from backend.apps.crawlers.models import Crawler
from backend.apps.runners.specification import fill_in_secrets, fill_in_typed
from backend.apps.templates.describing import describe_template
from backend.config.crawl_progress import say_duration
from backend.config.crawl_worker import ALLOW_PRIVATE, make_reader
from backend.config.lanes import OpenLane, open_lane
from crawler_node.contracts import PageState, Refusal
from crawler_node.engine import CrawlSpec, WorkerOptions, WorkerReport, build_worker, seed_candidates
from crawler_node.extract.spec import TemplateSpec, parse_template
from crawler_node.frontier import MemoryCrawlStore
from wording import say_count

EXAMPLES = 3
FOLLOWED = 10
WARNINGS = 5


@dataclass(frozen=True, slots=True)
class Trial:
    """What a dry run does, secrets filled in: it needs the database no more."""

    crawl: CrawlSpec
    template: TemplateSpec

    @classmethod
    def of(cls, crawler: Crawler) -> "Trial":
        spec = fill_in_secrets(CrawlSpec.from_json(describe_crawler(crawler)), crawler.project)
        return cls(spec, fill_in_typed(parse_template(describe_template(crawler.template)), crawler.project))


def dry_run(trial: Trial, *, pages: int, allow_networks: Sequence[str], out: Any) -> bool:
    """Whether any page could be read."""
    spec, template = trial.crawl, trial.template
    spec = replace(spec, max_pages=min(pages, spec.max_pages or pages))
    store = MemoryCrawlStore(spec.frontier_options(), clock=time.monotonic)
    store.plant(seed_candidates(spec))
    began = time.monotonic()
    reader = make_reader(spec, template, with_features=False)
    report = uvloop.run(_crawl(spec, store, reader, open_lane(spec, template, reader, allow_networks=allow_networks)))
    seconds = time.monotonic() - began
    _tell_pages(store, out)
    _tell_skipped(store, out)
    _tell_followed(store, out)
    _tell_estimate(report, seconds, out)
    found, warnings = report.statistics, _warnings_of(store)
    for sentence in warnings:
        out.write(f"Warning: {sentence}")
    out.write(
        json.dumps(
            {
                "pages": found.pages,
                "documents": found.documents,
                "would_follow": found.queued,
                "skipped": found.urls_refused,
                "failed": found.failed,
                "seconds": round(seconds, 3),
                "warnings": warnings,
            }
        )
    )
    return found.pages > 0


async def _crawl(
    spec: CrawlSpec, store: MemoryCrawlStore, reader: Any, lane: AbstractAsyncContextManager[OpenLane]
) -> WorkerReport:
    async with lane as opened:
        options = WorkerOptions(threads=opened.threads)
        worker = build_worker(spec, name="dry-run", store=store, lane=opened.lane, reader=reader, options=options)
        return await worker.run()


def _tell_pages(store: MemoryCrawlStore, out: Any) -> None:
    documents = Counter(kept.page_key for kept in store.documents.kept.values())
    for row in store.rows.values():
        if row.record is None or row.state in (PageState.QUEUED, PageState.SKIPPED):
            continue
        told = row.record.sentence or say_count(documents[row.candidate.key], "document")
        out.write(f"{row.record.status or '---'}  {row.candidate.url}  {told}")


def _tell_skipped(store: MemoryCrawlStore, out: Any) -> None:
    skipped: dict[Any, list[str]] = {}
    for row in store.rows.values():
        if row.state is PageState.SKIPPED and row.refusal is not None:
            skipped.setdefault(row.refusal, []).append(row.candidate.url)
    for refusal, urls in sorted(skipped.items(), key=lambda entry: -len(entry[1])):
        out.write(f"Skipped {len(urls):,} ({refusal}): {refusal.sentence} For example {', '.join(urls[:EXAMPLES])}")


def _tell_followed(store: MemoryCrawlStore, out: Any) -> None:
    """The first addresses of the queue, in the order they would be asked for."""
    queued = [row for row in store.rows.values() if row.state is PageState.QUEUED]
    for row in sorted(queued, key=lambda row: (row.rank, row.number))[:FOLLOWED]:
        out.write(f"Next {row.candidate.url}")


def _warnings_of(store: MemoryCrawlStore) -> list[str]:
    """What the log warns of, each sentence once, the most frequent first."""
    told = Counter(line.message for line in store.log if line.level in ("warning", "error"))
    return [sentence for sentence, _ in told.most_common(WARNINGS)]


def _tell_estimate(report: WorkerReport, seconds: float, out: Any) -> None:
    counts = report.statistics
    if not counts.pages:
        out.write(_nothing_read(counts.urls_refused))
        return
    more = say_count(counts.queued, "more address", "more addresses")
    out.write(f"{more} would be followed; pages found later add to that.")
    if counts.queued:
        left = max(counts.queued * seconds / counts.pages, 1)
        out.write(f"At this pace that takes about {say_duration(left)} with one worker.")


def _nothing_read(refused: Mapping[str, int]) -> str:
    told = "No page could be fetched, so there is nothing to estimate. Check the start addresses."
    return f"{told} {ALLOW_PRIVATE}" if Refusal.FORBIDDEN_ADDRESS in refused else told
