"""Deleting runners, crawlers and projects: they are gone at once, their millions of rows a little later."""

from django.db import transaction
from django.db.models import QuerySet, RestrictedError

from backend.apps.crawlers.models import Crawler
from backend.apps.errors import Conflict, InUse
from backend.apps.housekeeping.models import Disposal, DisposalKind
from backend.apps.jobs.models import Job, JobKind, JobState, PlacementState
from backend.apps.projects.models import Project
from backend.apps.runners.models import Runner

WORKING = (JobState.RUNNING, JobState.EXITING)
LIVE = (PlacementState.PLACED, PlacementState.RUNNING)


@transaction.atomic
def delete_runner(*, runner: Runner) -> None:
    """Its pages, frontier and log go, and the documents that no other run has found. Conflict while it runs."""
    _refuse_while_working(Job.objects.filter(runner=runner), "This run is working. Stop it first, then delete it.")
    _dispose_of([runner])
    runner.delete()


@transaction.atomic
def delete_crawler(*, crawler: Crawler) -> None:
    """With all its runs and documents. Conflict while one of its runs works, InUse while an indexer chose it."""
    Crawler.objects.select_for_update().get(pk=crawler.pk)  # nobody starts a run meanwhile
    told = f"A run of “{crawler.name}” is working. Stop it first, then delete the crawler."
    _refuse_while_working(Job.objects.filter(runner__crawler=crawler), told)
    _dispose_of(crawler.runners.all())
    Disposal.objects.create(kind=DisposalKind.CRAWLER, target=crawler.pk, crawler=crawler.pk)
    try:
        crawler.delete()
    except RestrictedError as error:
        indexer = next(iter(error.restricted_objects)).indexer
        raise InUse(f"The indexer “{indexer.name}” has chosen this crawler. Take it out there first.") from error


@transaction.atomic
def delete_project(*, project: Project) -> None:
    """With everything in it. Conflict while a run of it works; index jobs end with it, their files are swept."""
    crawlers = list(Crawler.objects.select_for_update().filter(project=project))
    told = f"Something in “{project.name}” is working. Stop its runs first, then delete the project."
    _refuse_while_working(Job.objects.filter(project=project, kind=JobKind.RUNNER), told)
    _dispose_of(Runner.objects.filter(crawler__project=project))
    Disposal.objects.bulk_create(
        Disposal(kind=DisposalKind.CRAWLER, target=crawler.pk, crawler=crawler.pk) for crawler in crawlers
    )
    project.delete()


def _refuse_while_working(jobs: QuerySet[Job], told: str) -> None:
    """A queued or paused job goes with what it works on; one with a worker does not."""
    locked = list(jobs.exclude(state=JobState.FINISHED).select_for_update(of=("self",)))
    has_worker = jobs.filter(pk__in=[job.pk for job in locked], placements__state__in=LIVE).exists()
    if has_worker or any(job.state in WORKING for job in locked):
        raise Conflict(told)


def _dispose_of(runners: "QuerySet[Runner] | list[Runner]") -> None:
    Disposal.objects.bulk_create(
        Disposal(kind=DisposalKind.RUNNER, target=runner.pk, crawler=runner.crawler_id) for runner in runners
    )
