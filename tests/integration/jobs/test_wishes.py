"""What people want of a job, in every state it can be in; also while no head node runs."""

import itertools
import sys
from datetime import timedelta

import pytest

from backend.apps.jobs import head_store, worker_session
from backend.apps.jobs.clock import database_now
from backend.apps.jobs.head_store import SqlHeadStore
from backend.apps.jobs.models import Ending, Job, JobState, Placement, PlacementState, Wish
from backend.apps.jobs.placements import report_gone, unclaimed_placement
from backend.apps.jobs.services import Terms, submit_runner, wish_for_job
from backend.apps.jobs.settlements import live_worker
from backend.apps.jobs.worker_session import PlacementTaken, WorkerSession
from backend.apps.nodes.models import NodeState
from backend.apps.nodes.services import LOCALHOST, register_localhost
from backend.apps.runners import services
from backend.apps.runners.crawl_store import SqlCrawlStore
from backend.apps.runners.models import LogLine, Runner, RunnerStatus
from backend.apps.runners.services import _pause_with_reason
from crawler_node.contracts import StopReason
from head_node import HeadLoop, LiveWorker, settle
from head_node.contracts import Placement as Place
from head_node.launchers import CeleryLauncher
from tests.integration.runners.kept_pages import shop_crawler
from tests.integration.runners.test_sql_crawl_store import make_runner


class Machine:
    """A launcher whose processes are always there and never listen: what remains is what the head does by itself."""

    def __init__(self) -> None:
        self.launched: list[int] = []
        self.asked: list[int] = []
        self.killed: list[int] = []

    def launch(self, worker: LiveWorker) -> None:
        self.launched.append(worker.placement_id)

    def is_within_reach(self) -> bool:
        return True

    def is_running(self, worker: LiveWorker) -> bool:
        return True

    def has_failed_to_begin(self, worker: LiveWorker) -> bool:
        return False

    def is_here(self, worker: LiveWorker) -> bool:
        return True

    def find_hang(self, worker: LiveWorker) -> None:
        return None

    def ask_to_stop(self, worker: LiveWorker) -> None:
        self.asked.append(worker.placement_id)

    def kill(self, worker: LiveWorker) -> None:
        self.killed.append(worker.placement_id)

    def last_words(self, worker: LiveWorker) -> str:
        return "its last words"


class Later(SqlHeadStore):
    """The same store, some time later."""

    def __init__(self, delay: timedelta) -> None:
        super().__init__()
        self._delay = delay

    def now(self):  # type: ignore[no-untyped-def]
        return super().now() + self._delay


@pytest.fixture
def machine() -> Machine:
    return Machine()


@pytest.fixture(autouse=True)
def _time_hardly_passes(job: Job, monkeypatch: pytest.MonkeyPatch) -> None:
    """By a millisecond each time somebody looks; only `later` makes it late, however slow the machine is."""
    moments = itertools.count(1)
    began = database_now()
    for module in (head_store, worker_session, sys.modules[__name__]):
        monkeypatch.setattr(module, "database_now", lambda: began + next(moments) * timedelta(milliseconds=1))


def tick(machine: Machine, *, later: timedelta = timedelta(0), loop: HeadLoop | None = None) -> None:
    loop = loop or HeadLoop(store=Later(later), launchers={"": machine}, name="head")
    assert loop.tick()


def place(job: Job) -> Placement:
    worker = SqlHeadStore().place(Place(job.pk, 1, LOCALHOST))
    assert worker is not None
    return Placement.objects.get(pk=worker.placement_id)


def test_a_queued_job_is_cancelled_at_once(job: Job) -> None:
    assert wish_for_job(job_id=job.pk, wish=Wish.STOP, now=database_now())
    job.refresh_from_db()
    assert (job.state, job.runner.status, job.reason) == (JobState.FINISHED, RunnerStatus.EXIT, "Someone stopped it.")


def test_a_queued_job_is_held_and_released_at_once(job: Job) -> None:
    wish_for_job(job_id=job.pk, wish=Wish.PAUSE, now=database_now())
    job.refresh_from_db()
    assert (job.state, job.runner.status) == (JobState.HELD, RunnerStatus.PAUSED)
    wish_for_job(job_id=job.pk, wish=Wish.RUN, now=database_now())
    job.refresh_from_db()
    job.runner.refresh_from_db()
    assert (job.state, job.runner.status) == (JobState.QUEUED, RunnerStatus.QUEUED)
    assert [row.state for row in job.transitions.all()] == ["queued", "held", "queued"]


def test_a_held_job_is_cancelled_at_once(job: Job) -> None:
    wish_for_job(job_id=job.pk, wish=Wish.PAUSE, now=database_now())
    wish_for_job(job_id=job.pk, wish=Wish.STOP, now=database_now())
    job.refresh_from_db()
    assert job.state == JobState.FINISHED


def test_a_job_can_be_submitted_on_hold(job: Job) -> None:
    held = submit_runner(
        runner=make_runner(), workers=1, needs_browser=False, now=database_now(), terms=Terms(is_held=True)
    )
    held.refresh_from_db()
    assert (held.state, held.reason) == (JobState.HELD, "Submitted on hold.")


def test_a_placement_that_nobody_claimed_yet_is_taken_back_when_its_job_is_cancelled(
    job: Job, machine: Machine
) -> None:
    placement = place(job)
    wish_for_job(job_id=job.pk, wish=Wish.STOP, now=database_now())
    with pytest.raises(PlacementTaken):
        WorkerSession(placement.pk).__enter__()
    tick(machine)
    job.refresh_from_db()
    placement.refresh_from_db()
    assert (job.state, placement.state, job.crashes) == (JobState.FINISHED, PlacementState.LOST, 0)


def running(job: Job) -> Placement:
    placement = place(job)
    WorkerSession(placement.pk)._claim()
    job.refresh_from_db()
    assert job.state == JobState.RUNNING
    return placement


def test_a_running_job_is_asked_to_stop_and_ended_when_it_does_not(job: Job, machine: Machine) -> None:
    placement = running(job)
    wish_for_job(job_id=job.pk, wish=Wish.STOP, now=database_now())
    job.refresh_from_db()
    assert job.state == JobState.EXITING
    loop = HeadLoop(store=SqlHeadStore(), launchers={"": machine}, name="head")
    tick(machine, loop=loop)
    tick(machine, loop=loop)
    assert (machine.asked, machine.killed) == ([placement.pk], [])
    tick(machine, later=timedelta(seconds=4))
    job.refresh_from_db()
    assert machine.killed == [placement.pk]
    assert (job.state, job.runner.status, job.crashes) == (JobState.FINISHED, RunnerStatus.EXIT, 0)


@pytest.mark.parametrize(("wish", "patience"), [(Wish.STOP, 4), (Wish.PAUSE, 21)])
def test_who_wishes_the_same_again_and_again_is_not_later_heard(
    job: Job, machine: Machine, wish: str, patience: int
) -> None:
    """An impatient person, or a program that asks until it is so: the worker is ended all the same."""
    placement, began = running(job), database_now()
    for second in range(patience):
        wish_for_job(job_id=job.pk, wish=wish, now=began + timedelta(seconds=second))
    tick(machine, later=timedelta(seconds=patience))
    assert machine.killed == [placement.pk]


def test_another_wish_gives_time_of_its_own(job: Job, machine: Machine) -> None:
    running(job)
    began = database_now()
    for second, wish in enumerate([Wish.STOP, Wish.RUN, Wish.PAUSE, Wish.STOP]):
        wish_for_job(job_id=job.pk, wish=wish, now=began + timedelta(seconds=second))
    tick(machine, later=timedelta(seconds=5))
    assert machine.killed == []


def test_the_last_worker_to_leave_settles_a_job_without_a_head(job: Job) -> None:
    placement = place(job)
    with WorkerSession(placement.pk):
        wish_for_job(job_id=job.pk, wish=Wish.STOP, now=database_now())
    job.refresh_from_db()
    assert job.state == JobState.FINISHED


@pytest.mark.parametrize("wishes", [[Wish.STOP], [Wish.PAUSE], [Wish.PAUSE, Wish.RUN]])
def test_what_the_work_said_stands_against_a_wish_that_came_too_late(job: Job, wishes: list[str]) -> None:
    """One of two workers has found the error rate too high; the other still finishes its pages."""
    with WorkerSession(place(job).pk) as session:
        session.work_ended(ending=Ending.EXIT, reason="Too many pages failed.")
        for wish in wishes:
            wish_for_job(job_id=job.pk, wish=wish, now=database_now())
    job.refresh_from_db()
    assert (job.state, job.ending, job.reason) == (JobState.FINISHED, Ending.EXIT, "Too many pages failed.")
    assert Runner.objects.get(pk=job.runner_id).reason == "Too many pages failed."


def test_who_resumes_before_the_pause_took_effect_goes_on(job: Job) -> None:
    running(job)
    wish_for_job(job_id=job.pk, wish=Wish.PAUSE, now=database_now())
    wish_for_job(job_id=job.pk, wish=Wish.RUN, now=database_now())
    job.refresh_from_db()
    assert (job.state, job.wish) == (JobState.RUNNING, Wish.RUN)


@pytest.mark.parametrize("decided_on", [Wish.PAUSE, Wish.STOP])
def test_a_resume_stands_against_what_the_head_decided_a_moment_before(job: Job, decided_on: str) -> None:
    """Its worker died while it was leaving: the head reads that, a person resumes, and only then the head writes."""
    running(job)
    wish_for_job(job_id=job.pk, wish=decided_on, now=database_now())
    Placement.objects.filter(job=job).update(state=PlacementState.LOST)
    decided = settle(SqlHeadStore().open_jobs()[0])
    assert decided is not None
    wish_for_job(job_id=job.pk, wish=Wish.RUN, now=database_now())
    SqlHeadStore().settle(decided)
    job.refresh_from_db()
    assert (job.state, job.wish, job.ending) == (JobState.RUNNING, Wish.RUN, "")


@pytest.mark.django_db
def test_a_resume_stands_against_a_pause_whose_word_to_the_workers_comes_later(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two people at the same moment: else every worker would be sent away at once, and replaced, for ever."""
    register_localhost(version="1", now=database_now())
    job = services.start_runner(crawler=shop_crawler(), user=None).jobs.get()
    running(job)
    open_store = services._store

    def resumed_meanwhile(runner: Runner) -> SqlCrawlStore:
        monkeypatch.setattr(services, "_store", open_store)
        services.resume_runner(runner=runner)
        return open_store(runner)

    monkeypatch.setattr(services, "_store", resumed_meanwhile)
    services.pause_runner(runner=job.runner)
    job.refresh_from_db()
    assert (job.state, job.wish) == (JobState.RUNNING, Wish.RUN)
    assert open_store(job.runner).stop() is None
    services.pause_runner(runner=job.runner)
    assert open_store(job.runner).stop() is StopReason.PAUSED


def test_when_the_wall_time_is_over_workers_are_asked_first_and_ended_later(job: Job, machine: Machine) -> None:
    Job.objects.filter(pk=job.pk).update(wall_time_seconds=60)
    placement = running(job)
    Placement.objects.filter(pk=placement.pk).update(lease_expires_at=database_now() + timedelta(hours=1))
    tick(machine, later=timedelta(seconds=30))
    job.refresh_from_db()
    assert job.state == JobState.RUNNING
    tick(machine, later=timedelta(seconds=61))
    job.refresh_from_db()
    assert (job.state, job.wish, machine.killed) == (JobState.EXITING, Wish.STOP, [])
    tick(machine, later=timedelta(seconds=85))
    job.refresh_from_db()
    assert (job.state, job.reason) == (JobState.FINISHED, "Its wall time of 60 seconds is over.")
    assert machine.killed == [placement.pk]


def test_pauses_are_not_wall_time(job: Job) -> None:
    Job.objects.filter(pk=job.pk).update(wall_time_seconds=60)
    placement = place(job)
    with WorkerSession(placement.pk):
        wish_for_job(job_id=job.pk, wish=Wish.PAUSE, now=database_now())
    job.refresh_from_db()
    assert (job.state, job.running_since) == (JobState.HELD, None)
    assert 0 < job.ran_seconds < 60


def test_a_head_that_was_busy_for_long_does_not_take_its_own_machine_for_lost(job: Job, machine: Machine) -> None:
    placement = place(job)
    tick(machine, later=timedelta(seconds=30))
    placement.refresh_from_db()
    assert (placement.state, placement.node.state) == (PlacementState.PLACED, NodeState.ONLINE)


def test_a_placement_that_nobody_claims_is_sent_again(job: Job, machine: Machine) -> None:
    tick(machine)
    tick(machine, later=timedelta(seconds=2))
    assert len(machine.launched) == 1
    tick(machine, later=timedelta(seconds=4))
    assert machine.launched == [machine.launched[0]] * 2


def test_a_job_that_crashes_its_workers_is_given_up_with_the_end_of_their_log(job: Job, machine: Machine) -> None:
    machine.is_running = lambda worker: False  # type: ignore[method-assign]
    for _ in range(5):
        running(job)
        tick(machine, later=timedelta(seconds=1))
        Placement.objects.filter(job=job, state=PlacementState.PLACED).update(state=PlacementState.EXITED)
    job.refresh_from_db()
    assert job.state == JobState.FINISHED
    assert "crashed 5 times" in job.reason
    assert job.reason.endswith("its last words")


def test_workers_that_fail_to_begin_cost_no_time_and_leave_their_last_words(job: Job, machine: Machine) -> None:
    machine.has_failed_to_begin = lambda worker: True  # type: ignore[method-assign]
    for _ in range(6):
        tick(machine)
    job.refresh_from_db()
    assert (job.state, job.crashes, len(set(machine.launched))) == (JobState.FINISHED, 5, 5)
    assert job.reason.endswith("its last words")
    assert set(job.placements.values_list("state", "note")) == {(PlacementState.LOST, "It ended before it began.")}


def test_what_a_node_tells_about_a_worker_that_failed_to_begin_is_heard(job: Job) -> None:
    placement = place(job)
    report_gone(live_worker(placement), last_words="MemoryError")
    assert unclaimed_placement(placement_id=placement.pk, node=LOCALHOST) is None
    celery = CeleryLauncher(send=lambda worker: None, wish_kill=lambda worker: None)
    HeadLoop(store=SqlHeadStore(), launchers={"": celery}, name="head").tick()
    placement.refresh_from_db()
    job.refresh_from_db()
    assert (placement.state, placement.is_crash, placement.last_words) == (PlacementState.LOST, True, "MemoryError")
    assert job.crashes == 1


@pytest.mark.parametrize("person", [Wish.STOP, Wish.PAUSE])
def test_what_a_person_wished_a_moment_before_stands_against_what_happens_by_itself(job: Job, person: str) -> None:
    """Whoever decided to pause or to stop had read that it shall run."""
    running(job)
    as_read = SqlHeadStore().open_jobs()[0]
    unaware = Job.objects.select_related("runner__crawler").get(pk=job.pk)
    wish_for_job(job_id=job.pk, wish=person, now=database_now())
    assert not _pause_with_reason(unaware, "The disk is nearly full.")
    SqlHeadStore().end_wall_time(as_read, reason="Its wall time is over.")
    job.refresh_from_db()
    assert (job.wish, job.wish_reason) == (person, "")
    assert not LogLine.objects.filter(runner=job.runner).exists()
