"""What the database says, beside what the processes are: imported once Django is set up."""

import json
import time
import urllib.error
import urllib.request
from datetime import timedelta
from typing import Any

from backend.apps.documents.models import Document, DocumentVersion, Page
from backend.apps.jobs.clock import database_now
from backend.apps.jobs.models import Job, JobState, Placement, PlacementState
from backend.apps.jobs.retrying import retried
from backend.apps.nodes.models import Node, NodeState
from backend.apps.runners.models import CrawlUrl, Runner, UrlState
from backend.apps.runners.selectors import statistics_of
from tests.chaos._cluster_hosts import NODES
from tests.chaos._cluster_processes import Processes

UP = (NodeState.ONLINE, NodeState.BUSY)
FRESH = timedelta(seconds=4)
LIVE = (PlacementState.PLACED, PlacementState.RUNNING)
WORKING = (JobState.RUNNING, JobState.EXITING)
SEEN_AS = {  # as docs/cluster.md has it
    JobState.QUEUED: ("queued", "lost"),
    JobState.HELD: ("paused",),
    JobState.RUNNING: ("running",),
    JobState.EXITING: ("running",),
    JobState.FINISHED: ("completed", "exit"),
}


class Eyes:
    """`cut` are the nodes that cannot be reached: of their processes only that nobody counts on them is asked."""

    def __init__(self, processes: Processes, cut: frozenset[str], *, web: str) -> None:
        self._processes, self._cut, self._web = processes, cut, web

    def lies(self, *, patience_seconds: float) -> set[str]:
        """What is wrong, and still is whenever looked at again: a worker may end between two looks."""
        found = retried(self._lies)
        deadline = time.monotonic() + patience_seconds
        while found and time.monotonic() < deadline:
            time.sleep(1.0)
            found &= retried(self._lies)
        return found

    def _lies(self) -> set[str]:
        lies = self._placements_that_lie() | self._jobs_that_lie() | self.nodes_that_lie()
        return lies if self.is_web_ready() else lies | {"the web is not ready"}

    def is_web_ready(self) -> bool:
        """As whoever balances its load asks: it answers, and finds its database. Its pages need not be built here."""
        try:
            checks = _ask_readiness(f"http://{self._web}/readyz")
        except OSError:
            return False
        return all(check["ok"] for name, check in checks.items() if check["is_needed"] and name != "user_interface")

    def _placements_that_lie(self) -> set[str]:
        rows = Placement.objects.select_related("node").filter(state=PlacementState.RUNNING)
        said = {row.pk: row for row in rows}
        workers = self._processes.workers()
        lies = set()
        for number, row in said.items():
            if row.node.name in self._cut:
                lies.add(f"placement {number} runs on {row.node.name}, which is cut off")
            elif number not in workers or workers[number].pid != row.process_id:
                lies.add(f"placement {number} runs, but its process does not")
        for number in workers.keys() - said.keys():
            row = Placement.objects.select_related("node").get(pk=number)
            if row.node.name not in self._cut and row.state not in LIVE:
                lies.add(f"placement {number} is {row.state}, but its process runs")
        return lies

    def _jobs_that_lie(self) -> set[str]:
        """Finished ones too: nobody may still work on what is said to be over."""
        lies = set()
        for job in Job.objects.select_related("runner").prefetch_related("placements"):
            has_workers = any(row.state == PlacementState.RUNNING for row in job.placements.all())
            if job.state in WORKING and not has_workers:
                lies.add(f"job {job.pk} is {job.state}, but nobody works on it")
            if job.state not in WORKING and has_workers:
                lies.add(f"job {job.pk} is {job.state}, but somebody works on it")
            if job.runner is not None and job.runner.status not in SEEN_AS[JobState(job.state)]:
                lies.add(f"job {job.pk} is {job.state}, its runner {job.runner.status}")
        return lies

    def nodes_that_lie(self) -> set[str]:
        """A node is online when its agent runs and can be reached, and lost only when nothing was heard from it."""
        lies = set()
        now = database_now()
        for node in Node.objects.filter(name__in=NODES):
            is_there = node.name in self._processes.running and node.name not in self._cut
            if node.state in UP and not is_there:
                lies.add(f"node {node.name} is {node.state}, but its agent is away")
            if node.state not in UP and node.heartbeat_at is not None and now - node.heartbeat_at < FRESH:
                lies.add(f"node {node.name} is {node.state}, but was just heard from")
        return lies

    def are_nodes_up(self) -> bool:
        return Node.objects.filter(name__in=NODES, state__in=UP).count() == len(NODES)

    def status_of(self, runner: int) -> str:
        return retried(lambda: Runner.objects.get(pk=runner).status)

    def pages_of(self, runner: int) -> int:
        counted = retried(lambda: statistics_of(Runner.objects.select_related("crawl_state").get(pk=runner)))
        return int(counted["pages"])

    def results_of(self, runner: int) -> dict[str, Any]:
        return retried(lambda: self._results_of(runner))

    def _results_of(self, runner: int) -> dict[str, Any]:
        row = Runner.objects.get(pk=runner)
        versions = DocumentVersion.objects.filter(runner_id=runner)
        urls = CrawlUrl.objects.filter(runner_id=runner)
        documents = Document.objects.filter(crawler=row.crawler_id)
        return {
            "status": row.status,
            "reason": row.reason,
            "pages": list(Page.objects.filter(runner_id=runner, state="done").values_list("url", flat=True)),
            "documents": [fields["sku"] for fields in versions.values_list("fields", flat=True)],
            "copies": documents.exclude(duplicate_of=None).count(),
            "open": urls.filter(state__in=[UrlState.QUEUED, UrlState.LEASED]).count(),
            "failed": urls.filter(state=UrlState.FAILED).count(),
        }


def _ask_readiness(url: str) -> dict[str, dict[str, Any]]:
    try:
        with urllib.request.urlopen(url, timeout=20) as answer:
            body = answer.read()
    except urllib.error.HTTPError as refusal:
        body = refusal.read()
    found: dict[str, dict[str, Any]] = json.loads(body)["checks"]
    return found
