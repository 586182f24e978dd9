"""Workers that vanish: a job goes on as long as it gets anywhere, and is given up when it does not."""

import json

import pytest
from django.utils import timezone

from backend.apps.documents.models import Page
from backend.apps.jobs.head_store import SqlHeadStore
from backend.apps.jobs.models import Job, JobState, PlacementState
from backend.apps.jobs.services import submit_runner
from backend.apps.jobs.worker_session import WorkerSession
from backend.apps.nodes.services import LOCALHOST, Slots, register_localhost, register_node, trust_node
from backend.apps.runners.crawl_store import SqlCrawlStore, fail_page
from backend.apps.runners.models import CrawlState, CrawlUrl, Runner, RunnerStatus
from crawler_node.frontier import FrontierOptions
from head_node import Placement, plan, settle
from tests.contracts.crawl_store import candidate, done
from tests.integration.runners.test_sql_crawl_store import make_runner

pytestmark = pytest.mark.django_db


@pytest.fixture
def job() -> Job:
    runner = make_runner()
    SqlCrawlStore(runner, FrontierOptions()).plant([candidate("/a"), candidate("/b")])
    register_localhost(version="1", now=timezone.now())
    return submit_runner(runner=runner, workers=1, needs_browser=False, now=timezone.now())


def lose_a_worker(job: Job, *, node: str = LOCALHOST) -> None:
    store = SqlHeadStore()
    worker = store.place(Placement(job.pk, 1, node))
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
        if settlement := settle(open_job, store.nodes()):
            store.settle(settlement)


def test_a_job_that_gets_nowhere_is_given_up(job: Job) -> None:
    for _ in range(5):
        settle_all()
        lose_a_worker(job)
    settle_all()
    runner = Runner.objects.get(pk=job.runner_id)
    assert runner.status == RunnerStatus.EXIT
    assert "crashed 5 times" in runner.reason


def lose_all_workers(job: Job, nodes: list[str]) -> None:
    """They were all at work, and are found dead one after another: a power cut, or no memory left."""
    store = SqlHeadStore()
    placed = [store.place(Placement(job.pk, number, node)) for number, node in enumerate(nodes, start=1)]
    for worker in placed:
        assert worker is not None
        store.worker_vanished(worker, reason="Its process is gone.")


def test_workers_that_die_together_count_as_one_crash(job: Job) -> None:
    lose_all_workers(job, [LOCALHOST] * 6)
    settle_all()
    job.refresh_from_db()
    assert (job.state, job.crashes) == (JobState.QUEUED, 1)


def test_a_job_that_kills_all_its_workers_again_and_again_is_given_up(job: Job, bad_node: str) -> None:
    for generation in range(1, 6):
        assert job.state != JobState.FINISHED
        lose_all_workers(job, [bad_node] + [LOCALHOST] * 5)
        settle_all()
        job.refresh_from_db()
        assert job.crashes == generation
    assert job.state == JobState.FINISHED
    assert "crashed 5 times in a row on bad, localhost" in job.reason


def test_who_dies_of_what_it_was_given_after_the_last_crash_counts_again(job: Job) -> None:
    """Of two workers the one dies again and again while the other, which was there first, gets nothing done."""
    store = SqlHeadStore()
    idle = store.place(Placement(job.pk, 2, LOCALHOST))
    for _ in range(4):
        lose_a_worker(job)
    assert idle is not None
    store.worker_vanished(idle, reason="Its process is gone.")
    job.refresh_from_db()
    assert job.crashes == 4
    lose_a_worker(job)
    settle_all()
    assert Runner.objects.get(pk=job.runner_id).status == RunnerStatus.EXIT


@pytest.fixture
def bad_node() -> str:
    """The roomiest of all nodes."""
    slots, now = Slots(http=99, browser=0), SqlHeadStore().now()
    register_node(name="bad", token=trust_node(name="bad"), address="", version="1", slots=slots, now=now)
    return "bad"


def planned(job: Job) -> list[str]:
    store = SqlHeadStore()
    return [placement.node for placement in plan(store.open_jobs(), store.nodes(), store.now())]


def test_a_node_that_kills_workers_does_not_end_a_job_that_another_can_do(job: Job, bad_node: str) -> None:
    assert planned(job) == [bad_node]
    for _ in range(6):
        lose_a_worker(job, node=bad_node)
        settle_all()
        assert planned(job) == [LOCALHOST]
    assert Runner.objects.get(pk=job.runner_id).status == RunnerStatus.QUEUED
    lose_a_worker(job)
    settle_all()
    runner = Runner.objects.get(pk=job.runner_id)
    assert (runner.status, "7 times in a row on bad, localhost" in runner.reason) == (RunnerStatus.EXIT, True)


def test_a_worker_that_fails_by_itself_does_not_give_up_what_another_node_can_do(job: Job, bad_node: str) -> None:
    store = SqlHeadStore()
    for _ in range(5):
        store.nodes()
        worker = store.place(Placement(job.pk, 1, bad_node))
        assert worker is not None
        with pytest.raises(ZeroDivisionError), WorkerSession(worker.placement_id):
            raise ZeroDivisionError
    job.refresh_from_db()
    assert job.crashes == 5
    assert job.state != JobState.FINISHED
    assert planned(job) == [LOCALHOST]


def test_once_the_work_goes_on_only_the_last_crash_is_remembered(job: Job, bad_node: str) -> None:
    lose_a_worker(job, node=bad_node)
    make_progress(job.runner)
    lose_a_worker(job)
    assert SqlHeadStore().open_jobs()[0].avoid == {LOCALHOST}


def test_a_job_that_gets_on_between_crashes_is_never_given_up(job: Job) -> None:
    for _ in range(20):
        lose_a_worker(job)
        make_progress(job.runner)
        settle_all()
    assert Runner.objects.get(pk=job.runner_id).status == RunnerStatus.QUEUED


def test_two_pages_that_kill_every_worker_cost_those_two_pages_and_not_the_job(job: Job) -> None:
    crawl = SqlCrawlStore(job.runner, FrontierOptions(respect_robots=False))
    crawl.plant([candidate(f"/{number}") for number in range(10)])
    poison = {candidate("/a").url, candidate("/b").url}
    head, is_over = SqlHeadStore(), False
    while not is_over:
        settle_all()
        job.refresh_from_db()
        assert job.state != JobState.FINISHED
        worker = head.place(Placement(job.pk, 1, LOCALHOST))
        assert worker is not None
        is_over = work_until_killed(crawl, job.placements.get(pk=worker.placement_id).worker_name, poison)
        head.worker_vanished(worker, reason="Its process is gone.")
        head.return_leases()
    failed = Page.objects.filter(runner=job.runner, state="failed").values_list("url", flat=True)
    assert (set(failed), crawl.statistics().pages) == (poison, 10)


def work_until_killed(crawl: SqlCrawlStore, worker: str, poison: set[str]) -> bool:
    """False when it died of a page, True when nothing was left."""
    while (batch := crawl.lease(worker=worker, limit=50)).stop is None:
        if poison & {lease.url for lease in batch.leases}:
            return False
        crawl.commit(worker=worker, outcomes=[done(lease) for lease in batch.leases])
    return True


def test_a_lost_workers_leases_return_at_once(job: Job) -> None:
    head = SqlHeadStore()
    worker = head.place(Placement(job.pk, 1, LOCALHOST))
    assert worker is not None
    crawl = SqlCrawlStore(job.runner, FrontierOptions(respect_robots=False))
    name = job.placements.get(pk=worker.placement_id).worker_name
    assert len(crawl.lease(worker=name, limit=5).leases) == 2
    head.worker_vanished(worker, reason="Its process is gone.")
    head.return_leases()
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
    assert not fail_page(job.runner, worker="another", url=hanging.url, sentence="It took too long.")
    assert fail_page(job.runner, worker="w", url=hanging.url, sentence="It took too long.")
    assert not fail_page(job.runner, worker="w", url=hanging.url, sentence="It took too long.")
    (again,) = store.lease(worker="another", limit=2).leases
    assert (again.url, again.attempt) == (other.url, 1)
    assert not CrawlUrl.objects.filter(broken__gt=0).exists()
    page = Page.objects.get(runner=job.runner)
    assert (page.url, page.state, page.failure) == (hanging.url, "failed", "It took too long.")
    assert [(line.level, line.message, line.url) for line in job.runner.log.all()] == [
        ("error", "It took too long.", hanging.url)
    ]
    progress = store.commit(worker="w", outcomes=[done(hanging), done(other)])
    assert progress.accepted == set()
    progress = store.commit(worker="another", outcomes=[done(again)])
    assert progress.accepted == {again.fence}
    assert (progress.statistics.failed, progress.statistics.pages, progress.statistics.leased) == (1, 1, 0)
