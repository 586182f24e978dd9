"""Failed pages are tried again as a whole run does it: with its job, its limits and its counts."""

import pytest
from django.db import connection

from backend.apps.errors import Conflict
from backend.apps.jobs.clock import database_now
from backend.apps.jobs.models import Wish
from backend.apps.jobs.services import wish_for_job
from backend.apps.runners.crawl_store import SqlCrawlStore
from backend.apps.runners.models import Runner, RunnerStatus
from backend.apps.runners.selectors import statistics_of
from backend.apps.runners.services import pause_runner, resume_runner, retry_failed_pages, start_runner
from backend.apps.runners.specification import read_specification
from tests.contracts.crawl_store import done, failed
from tests.integration.jobs.test_browser_places import crawler_with
from tests.integration.runners.test_runs_at_once import meanwhile

pytestmark = pytest.mark.django_db
SEEDS = {"seeds": ["https://shop.example/a", "https://shop.example/b"], "respect_robots": False, "lane": "http"}


def ended_run(**options: object) -> Runner:
    """Its first page has failed, its second was read, and it is over."""
    runner = start_runner(crawler=crawler_with({**SEEDS, **options}, []), user=None)
    store = SqlCrawlStore(runner, read_specification(runner).crawl.frontier_options())
    for outcome in (lambda lease: failed(lease, can_retry=False), done):
        (lease,) = store.lease(worker="w", limit=1).leases
        store.commit(worker="w", outcomes=[outcome(lease)])
    wish_for_job(job_id=runner.jobs.get().pk, wish=Wish.STOP, now=database_now())
    return as_it_is(runner)


def as_it_is(runner: Runner) -> Runner:
    return Runner.objects.select_related("crawl_state", "crawler__project").get(pk=runner.pk)


def test_an_ended_run_goes_on_with_its_failed_pages() -> None:
    runner = ended_run()
    assert (runner.status, statistics_of(runner)["failures"]) == (RunnerStatus.EXIT, {"error status": 1})
    assert retry_failed_pages(runner=runner) == 1
    runner = as_it_is(runner)
    counts = statistics_of(runner)
    assert (runner.status, counts["queued"], counts["failed"], counts["failures"]) == (RunnerStatus.QUEUED, 1, 0, {})
    assert runner.jobs.count() == 2


def test_pages_stay_failed_where_the_limits_of_the_run_are_used_up() -> None:
    runner = ended_run(max_pages=1)
    with pytest.raises(Conflict, match="maximum number of pages is reached"):
        retry_failed_pages(runner=runner)
    runner = as_it_is(runner)
    counts = statistics_of(runner)
    assert (runner.status, counts["queued"], counts["failed"]) == (RunnerStatus.EXIT, 0, 1)
    assert counts["failures"] == {"error status": 1}
    assert runner.jobs.count() == 1


def stop(runner: Runner) -> None:
    wish_for_job(job_id=runner.jobs.latest("pk").pk, wish=Wish.STOP, now=database_now())


def test_a_retry_that_was_stopped_goes_on_with_the_pages_that_wait() -> None:
    runner = ended_run()
    retry_failed_pages(runner=runner)
    stop(runner)
    assert statistics_of(as_it_is(runner))["queued"] == 1
    assert retry_failed_pages(runner=as_it_is(runner)) == 1
    runner = as_it_is(runner)
    assert (runner.status, statistics_of(runner)["queued"], runner.jobs.count()) == (RunnerStatus.QUEUED, 1, 3)


def test_a_run_that_was_stopped_is_not_begun_again_by_trying_failed_pages() -> None:
    runner = start_runner(crawler=crawler_with(SEEDS, []), user=None)
    stop(runner)
    with pytest.raises(Conflict, match="nothing to try again"):
        retry_failed_pages(runner=as_it_is(runner))
    assert as_it_is(runner).jobs.count() == 1


def test_when_everything_was_tried_again_there_is_nothing_left() -> None:
    runner = ended_run()
    retry_failed_pages(runner=runner)
    store = SqlCrawlStore(runner, read_specification(runner).crawl.frontier_options())
    (lease,) = store.lease(worker="w", limit=1).leases
    store.commit(worker="w", outcomes=[done(lease)])
    stop(runner)
    with pytest.raises(Conflict, match="nothing to try again"):
        retry_failed_pages(runner=as_it_is(runner))


@pytest.mark.skipif(connection.vendor != "postgresql", reason="On SQLite whoever writes is alone.")
@pytest.mark.django_db(transaction=True)
def test_who_resumes_a_paused_run_while_its_failed_pages_are_tried_again_waits_and_both_happen() -> None:
    runner = start_runner(crawler=crawler_with(SEEDS, []), user=None)
    store = SqlCrawlStore(runner, read_specification(runner).crawl.frontier_options())
    (lease,) = store.lease(worker="w", limit=1).leases
    store.commit(worker="w", outcomes=[failed(lease, can_retry=False)])
    pause_runner(runner=runner)
    paused = as_it_is(runner)
    assert paused.status == RunnerStatus.PAUSED
    with meanwhile(lambda: resume_runner(runner=paused), at='UPDATE "jobs_job"'):
        assert retry_failed_pages(runner=paused) == 1
    runner = as_it_is(runner)
    assert (runner.status, runner.jobs.get().wish) == (RunnerStatus.QUEUED, Wish.RUN)
    assert (statistics_of(runner)["queued"], statistics_of(runner)["failed"]) == (2, 0)
