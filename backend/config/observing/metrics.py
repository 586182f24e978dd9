"""Gleaner's numbers for Prometheus: requests are counted here, everything else is read from the database when asked."""

import json
import logging
from collections.abc import Iterator

from django.db import Error as DatabaseFailure
from django.db.models import Count
from prometheus_client import (
    CollectorRegistry,
    Counter,
    GCCollector,
    Histogram,
    PlatformCollector,
    ProcessCollector,
    generate_latest,
)
from prometheus_client.core import GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from backend.apps.events.feed import open_streams
from backend.apps.jobs.clock import database_now
from backend.apps.jobs.models import Job, Placement, PlacementState
from backend.apps.nodes.models import Node
from backend.apps.nodes.selectors import judged_nodes
from backend.apps.runners.models import CrawlState, Runner, RunnerStatus

log = logging.getLogger(__name__)

registry = CollectorRegistry()
for _collector in (ProcessCollector, PlatformCollector, GCCollector):
    _collector(registry=registry)

REQUESTS = Counter("gleaner_requests", "Answers given.", ["method", "route", "status"], registry=registry)
REQUEST_SECONDS = Histogram(
    "gleaner_request_seconds",
    "Time until an answer began.",
    ["method", "route"],
    buckets=(0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10),
    registry=registry,
)
SEARCHES = Counter(
    "gleaner_searches",
    "Questions to indexes; `kept` ones were asked before and the index has not changed.",
    ["kind", "status", "kept"],
    registry=registry,
)
SEARCH_SECONDS = Histogram(
    "gleaner_search_seconds",
    "Time from a question that was let in to its answer.",
    ["kind"],
    buckets=(0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 2.5),
    registry=registry,
)
HEAD_TICKS = Counter("gleaner_head_ticks", "Rounds of the head node's loop.", registry=registry)
NODE_TURNS = Counter("gleaner_node_turns", "Rounds of a crawler node's agent.", registry=registry)


def observe_search(kind: str, status: int, seconds: float, was_kept: bool) -> None:
    """Count a question; those that are refused at the door took no time."""
    SEARCHES.labels(kind, status, "yes" if was_kept else "no").inc()
    if seconds:
        SEARCH_SECONDS.labels(kind).observe(seconds)


class StateCollector(Collector):
    """Jobs, nodes, workers and runs as the database has them; asked anew at every scrape."""

    def collect(self) -> Iterator[Metric]:
        yield GaugeMetricFamily("gleaner_event_streams", "Open event streams of this process.", value=open_streams())
        try:
            found = [*self._counts(), *self._runs()]
        except DatabaseFailure as error:
            log.warning("Metrics could not be read from the database: %s", error)
            found = []
        yield GaugeMetricFamily("gleaner_database_up", "1 when the database answers.", value=1 if found else 0)
        yield from found

    def _counts(self) -> Iterator[Metric]:
        jobs = GaugeMetricFamily("gleaner_jobs", "Jobs that are not finished.", labels=["kind", "state"])
        rows = Job.objects.exclude(state="finished").order_by().values_list("kind", "state")
        for kind, state, count in rows.annotate(count=Count("pk")):
            jobs.add_metric([kind, state], count)
        nodes = GaugeMetricFamily("gleaner_nodes", "Nodes by state.", labels=["state"])
        judged_nodes(now=database_now())
        for state, count in Node.objects.order_by().values_list("state").annotate(count=Count("pk")):
            nodes.add_metric([state], count)
        live = Placement.objects.filter(state__in=[PlacementState.PLACED, PlacementState.RUNNING]).count()
        yield from (jobs, nodes, GaugeMetricFamily("gleaner_workers", "Workers that are placed or run.", value=live))

    def _runs(self) -> Iterator[Metric]:
        running = CrawlState.objects.filter(runner__status=RunnerStatus.RUNNING)
        yield from run_metrics(dict(running.values_list("runner_id", "statistics")))


class RunnerCollector(Collector):
    """The counts of the run that a worker works on."""

    def __init__(self, runner: Runner) -> None:
        self._runner = runner

    def collect(self) -> Iterator[Metric]:
        try:
            rows = dict(CrawlState.objects.filter(runner=self._runner).values_list("runner_id", "statistics"))
        except DatabaseFailure:
            rows = {}
        yield from run_metrics(rows)


def run_metrics(statistics: dict[int, str]) -> list[Metric]:
    """Gauges by run of what its statistics (JSON) count."""
    counted = ("pages", "documents", "failed", "queued", "leased", "requests", "bytes")
    gauges = {
        name: GaugeMetricFamily(f"gleaner_runner_{name}", f"Of a run: {name}.", labels=["runner"]) for name in counted
    }
    for runner, text in statistics.items():
        counts = json.loads(text)
        for name, gauge in gauges.items():
            gauge.add_metric([str(runner)], counts.get(name, 0))
    return list(gauges.values())


def rendered() -> bytes:
    """All numbers of a web process, in Prometheus' text format."""
    return bytes(generate_latest(with_state))


class _WithState(Collector):
    """The process's own numbers, then the database's."""

    def collect(self) -> Iterator[Metric]:
        yield from registry.collect()
        yield from StateCollector().collect()


with_state = CollectorRegistry()
with_state.register(_WithState())
