"""Workers that vanish: a job goes on as long as it gets anywhere, and is given up when it does not."""

import json

import pytest
from django.utils import timezone

from backend.apps.documents.models import Page
from backend.apps.jobs.head_store import SqlHeadStore
from backend.apps.jobs.models import Job, PlacementState
from backend.apps.jobs.services import submit_runner
from backend.apps.nodes.services import LOCALHOST, register_localhost
from backend.apps.runners.crawl_store import SqlCrawlStore, fail_page
from backend.apps.runners.models import CrawlState, Runner, RunnerStatus
from crawler_node.frontier import FrontierOptions
from head_node import Placement, settle
from tests.contracts.crawl_store import candidate, done
from tests.integration.runners.test_sql_crawl_store import make_runner

pytestmark = pytest.mark.django_db


@pytest.fixture
def job() -> Job:
    runner = make_runner()
    SqlCrawlStore(runner, FrontierOptions()).plant([candidate("/a"), candidate("/b")])
    register_localhost(version="1", now=timezone.now())
    return submit_runner(runner=runner, workers=1, needs_browser=False, now=timezone.now())


def lose_a_worker(job: Job) -> None:
    store = SqlHeadStore()
    worker = store.place(Placement(job.pk, 1, LOCALHOST))
    assert worker is not None
    store.worker_vanished(worker, reason="Its process is gone.")
    assert job.placements.get(pk=worker.placement_id).state == PlacementState.LOST


def make_progress(runner: Runner) -> None:
    state = CrawlState.objects.get(runner=runner)
    counts = json.loads(state.statistics)
    CrawlState.objects.filter(runner=runner).update(
        statistics=json.dumps({**counts, "requests": counts.get("requests", 0) + 1})
    )


def settle_all() -> None:
    store = SqlHeadStore()
    for open_job in store.open_jobs():
        if settlement := settle(open_job):
            store.settle(settlement)


def test_a_job_that_gets_nowhere_is_given_up(job: Job) -> None:
    for _ in range(5):
        settle_all()
        lose_a_worker(job)
    settle_all()
    runner = Runner.objects.get(pk=job.runner_id)
    assert runner.status == RunnerStatus.EXIT
    assert "crashed 5 times" in runner.reason


def test_a_job_that_gets_on_between_crashes_is_never_given_up(job: Job) -> None:
    for _ in range(20):
        lose_a_worker(job)
        make_progress(job.runner)
        settle_all()
    assert Runner.objects.get(pk=job.runner_id).status == RunnerStatus.QUEUED


def test_a_lost_workers_leases_return_at_once(job: Job) -> None:
    head = SqlHeadStore()
    worker = head.place(Placement(job.pk, 1, LOCALHOST))
    assert worker is not None
    crawl = SqlCrawlStore(job.runner, FrontierOptions(respect_robots=False))
    name = job.placements.get(pk=worker.placement_id).worker_name
    assert len(crawl.lease(worker=name, limit=5).leases) == 2
    head.worker_vanished(worker, reason="Its process is gone.")
    assert len(crawl.lease(worker="another", limit=5).leases) == 2


def test_of_two_heads_one_leads(job: Job) -> None:
    store = SqlHeadStore()
    assert store.lead(head="one")
    assert not store.lead(head="other")
    assert store.lead(head="one")
    store.resign(head="one")
    assert store.lead(head="other")


def test_a_page_that_holds_its_worker_fails_with_the_reason_and_the_others_go_on(job: Job) -> None:
    store = SqlCrawlStore(job.runner, FrontierOptions(respect_robots=False))
    hanging, other = store.lease(worker="w", limit=2).leases
    assert fail_page(job.runner, url=hanging.url, sentence="It took too long.")
    assert not fail_page(job.runner, url=hanging.url, sentence="It took too long.")
    page = Page.objects.get(runner=job.runner)
    assert (page.url, page.state, page.failure) == (hanging.url, "failed", "It took too long.")
    assert [(line.level, line.message, line.url) for line in job.runner.log.all()] == [
        ("error", "It took too long.", hanging.url)
    ]
    progress = store.commit(worker="w", outcomes=[done(hanging), done(other)])
    assert progress.accepted == {other.fence}
    assert (progress.statistics.failed, progress.statistics.pages, progress.statistics.leased) == (1, 1, 0)
