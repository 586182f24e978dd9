"""Writes about runners: start, pause, resume, stop, try failed pages again."""

from collections.abc import Sequence
from contextlib import nullcontext
from datetime import timedelta

from django.db import transaction
from django.db.models import Max

from backend.apps.accounts.models import User
from backend.apps.crawlers.models import Crawler
from backend.apps.errors import Conflict
from backend.apps.jobs.clock import database_now
from backend.apps.jobs.models import Ending, Job, JobKind, JobState, Wish
from backend.apps.jobs.services import Terms, submit_runner, wish_for_job
from backend.apps.runners.crawl_store import SqlCrawlStore
from backend.apps.runners.models import LogLevel, LogLine, Runner, RunnerStatus
from backend.apps.runners.specification import freeze, read_specification
from crawler_node.contracts import Wish as CrawlWish
from crawler_node.engine import seed_candidates
from crawler_node.extract.compiler import compile_template
from crawler_node.extract.errors import ExtractError
from crawler_node.extract.spec import TemplateSpec

ENDED = (RunnerStatus.COMPLETED, RunnerStatus.EXIT)


@transaction.atomic
def start_runner(
    *,
    crawler: Crawler,
    user: User | None,
    workers: int | None = None,
    allow_networks: Sequence[str] = (),
    terms: Terms | None = None,
) -> Runner:
    """A new run of a crawler: its specification frozen, its seeds planted, its job queued.

    `allow_networks` is the operator's word on the command line; people never set it.
    """
    Crawler.objects.select_for_update().get(pk=crawler.pk)
    last = crawler.runners.aggregate(last=Max("number"))["last"] or 0
    runner = Runner.objects.create(
        crawler=crawler, number=last + 1, created_by=user, specification=freeze(crawler, allow_networks)
    )
    specification = read_specification(runner)
    spec = specification.crawl
    SqlCrawlStore(runner, spec.frontier_options()).plant(seed_candidates(spec))
    _tell_advice(runner, specification.template)
    submit_runner(
        runner=runner,
        workers=workers or crawler.workers,
        needs_browser=specification.needs_browser,
        now=database_now(),
        terms=terms,
    )
    return runner


def _tell_advice(runner: Runner, template: TemplateSpec) -> None:
    """Put what is allowed but probably not meant into the run's log, so that it is known from the start."""
    try:
        advice = compile_template(template).advice
    except ExtractError:
        return  # every page will say so
    now = database_now()
    LogLine.objects.bulk_create(LogLine(runner=runner, at=now, message=sentence) for sentence in advice)


def pause_runner(*, runner: Runner) -> None:
    _wish(runner, Wish.PAUSE, told="It is not running, so it cannot be paused.")


def resume_runner(*, runner: Runner) -> None:
    _wish(runner, Wish.RUN, told="It has ended, so it cannot be resumed. Start a new run.")


def stop_runner(*, runner: Runner) -> None:
    _wish(runner, Wish.STOP, told="It has ended already.")


def tell_job(*, job: Job, wish: Wish) -> None:
    """What people want of a job, of a run or of an index: its workers hear it too. Conflict when it has ended."""
    if job.runner is not None:
        {Wish.RUN: resume_runner, Wish.PAUSE: pause_runner, Wish.STOP: stop_runner}[wish](runner=job.runner)
    elif not wish_for_job(job_id=job.pk, wish=wish, now=database_now()):
        raise Conflict("It has finished, so nothing can be changed about it any more.")


def pause_all_runners(*, reason: str) -> int:
    """Pause whatever runs or waits to, and say why; how many there were."""
    jobs = Job.objects.filter(kind=JobKind.RUNNER, wish=Wish.RUN, ending=Ending.NONE).exclude(state=JobState.FINISHED)
    return sum(_pause_with_reason(job, reason) for job in jobs.select_related("runner__crawler"))


def pause_for_person(*, runner: Runner, sentence: str) -> bool:
    """Pause a run that cannot go on without a person, and say what for; False when it ended or pauses already."""
    return pause_because(runner=runner, reason=f"Waiting for a person. {sentence}")


def pause_because(*, runner: Runner, reason: str, seconds: float | None = None) -> bool:
    """Pause a run that cannot go on for now, and say why; False when it ended or pauses already.

    After so many seconds it goes on by itself, unless a person wished something else meanwhile.
    """
    job = Job.objects.select_related("runner__crawler").filter(runner=runner, wish=Wish.RUN, ending=Ending.NONE)
    open_job = job.exclude(state=JobState.FINISHED).first()
    return open_job is not None and _pause_with_reason(open_job, reason, seconds)


def resume_due_runners() -> int:
    """Let runs go on whose pause is over; how many there were."""
    due = Job.objects.filter(kind=JobKind.RUNNER, wish=Wish.PAUSE, resume_at__lte=database_now())
    jobs = due.exclude(state=JobState.FINISHED).select_related("runner__crawler")
    return sum(_resume_when_due(job) for job in jobs)


@transaction.atomic
def _resume_when_due(job: Job) -> bool:
    now = database_now()
    still_due = Job.objects.select_for_update().filter(pk=job.pk, resume_at__lte=now).exists()
    if not still_due or not wish_for_job(job_id=job.pk, wish=Wish.RUN, now=now, only_from=Wish.PAUSE):
        return False
    _store(job.runner).wish(CrawlWish.RUN)
    LogLine.objects.create(runner=job.runner, at=now, message="The wait is over; the run goes on.")
    return True


@transaction.atomic
def _pause_with_reason(job: Job, reason: str, seconds: float | None = None) -> bool:
    now = database_now()
    until = None if seconds is None else now + timedelta(seconds=seconds)
    if not wish_for_job(job_id=job.pk, wish=Wish.PAUSE, now=now, reason=reason, only_from=Wish.RUN, until=until):
        return False
    _store(job.runner).wish(CrawlWish.PAUSE)
    LogLine.objects.create(runner=job.runner, at=now, level=LogLevel.WARNING, message=reason)
    return True


@transaction.atomic
def retry_failed_pages(*, runner: Runner) -> int:
    """Queue the failed pages of an ended or paused run again, and run it; how many there are.

    Where that was done before and stopped, it goes on with the pages that still wait. They stay failed where the run
    could not go on anyway: its limits are used up.
    """
    if runner.status not in (*ENDED, RunnerStatus.PAUSED):
        raise Conflict("It is still working. Wait until it has ended, or pause it first.")
    open_jobs = Job.objects.filter(runner=runner).exclude(state=JobState.FINISHED)
    list(open_jobs.select_for_update())  # before its crawl, as in every wish: else two people could wait for each other
    store = _store(runner)
    count = store.retry_failed() or _left_of_retry(runner, store)
    if not count:
        raise Conflict("No page of this run has failed, so there is nothing to try again.")
    store.wish(CrawlWish.RUN)
    if stop := store.stop():
        raise Conflict(f"{stop.sentence} So this run cannot try its failed pages again: start a new run.")
    job, now = open_jobs.first(), database_now()
    if job is not None:
        wish_for_job(job_id=job.pk, wish=Wish.RUN, now=now)
    else:
        Runner.objects.filter(pk=runner.pk).update(finished_at=None)
        _submit_again(runner)
    return count


def _submit_again(runner: Runner) -> None:
    """A job on the terms of the run's last one: who chose a node, or more slots, meant all pages of the run."""
    last = runner.jobs.select_related("requested_node").latest("pk")
    terms = Terms(
        priority=last.priority,
        node=last.requested_node,
        slots_per_worker=last.slots_per_worker,
        wall_time_seconds=last.wall_time_seconds,
    )
    needs_browser = read_specification(runner).needs_browser
    submit_runner(
        runner=runner,
        workers=last.requested_workers,
        needs_browser=needs_browser,
        now=database_now(),
        terms=terms,
    )


def _left_of_retry(runner: Runner, store: SqlCrawlStore) -> int:
    """How many pages wait in an ended run whose failed pages were tried again before: each time is a job of its own."""
    was_retried = runner.status in ENDED and Job.objects.filter(runner=runner).count() > 1
    return store.statistics().queued if was_retried else 0


def _wish(runner: Runner, wish: Wish, *, told: str) -> None:
    """Tell the head node (through the job) and the workers (through the crawl store).

    Who wants an end is heard by the head node at once, also while somebody holds the crawl store. To go on needs both.
    """
    job = Job.objects.filter(runner=runner).exclude(state=JobState.FINISHED).first()
    with transaction.atomic() if wish is Wish.RUN else nullcontext():
        if job is None or not wish_for_job(job_id=job.pk, wish=wish, now=database_now()):
            raise Conflict(told)
        _tell_workers(runner, wish)


def _tell_workers(runner: Runner, wish: Wish) -> None:
    """Unless somebody wished something else meanwhile: every worker that the job gets would be sent away at once."""
    store = _store(runner)
    with transaction.atomic():
        store.wish(CrawlWish(wish.value))
        newest = Job.objects.filter(runner=runner).order_by("-pk").values_list("wish", flat=True).first()
        if newest != wish:
            transaction.set_rollback(True)


def _store(runner: Runner) -> SqlCrawlStore:
    return SqlCrawlStore(runner, read_specification(runner).crawl.frontier_options())
