"""Pruning: old runs lose their pages, frontier and log; their documents and statistics stay."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial

from django.db.models import QuerySet
from django.utils import timezone

from backend.apps.documents.models import Page
from backend.apps.housekeeping.batches import OF_A_RUNNER, delete_pages_of_runner, delete_rows_of_runner
from backend.apps.housekeeping.storage import bytes_of_rows
from backend.apps.jobs.models import Job, JobState
from backend.apps.projects.models import Project
from backend.apps.runners.models import CrawlUrl, LogLine, Runner, RunnerStatus

ENDED = (RunnerStatus.COMPLETED, RunnerStatus.EXIT)
NAMED = {Page: "page", CrawlUrl: "frontier row", LogLine: "log line"}


@dataclass
class Pruned:
    """What was freed, or would be: rows by name, and about how many bytes."""

    runners: int = 0
    rows: dict[str, int] = field(default_factory=lambda: dict.fromkeys(NAMED.values(), 0))
    bytes: int = 0

    def add(self, name: str, rows: int, size: int) -> None:
        self.rows[name] += rows
        self.bytes += size


def prune(
    *,
    before: datetime,
    project: Project | None = None,
    keep: int = 1,
    dry_run: bool = False,
    on_progress: Callable[[Pruned], None] = lambda _: None,
) -> Pruned:
    """Free what runs that ended before then hold beside documents; each crawler's newest `keep` runs stay whole.

    May be broken off and repeated: a run counts as pruned when nothing of it is left. One whose failed pages somebody
    tries again meanwhile keeps what it still has.
    """
    pruned = Pruned()
    for runner in _old_runners(before=before, project=project, keep=keep):
        if _is_open(runner):
            continue
        pruned.runners += 1
        for model, name in NAMED.items():
            rows = model._default_manager.filter(runner=runner).count()
            pruned.add(name, rows, bytes_of_rows(model, [runner.pk], rows))
        if not dry_run:
            _prune_runner(runner)
        on_progress(pruned)
    return pruned


def _old_runners(*, before: datetime, project: Project | None, keep: int) -> Iterator[Runner]:
    ended = Runner.objects.filter(status__in=ENDED, pruned_at__isnull=True, finished_at__lt=before)
    if project is not None:
        ended = ended.filter(crawler__project=project)
    open_jobs = Job.objects.exclude(state=JobState.FINISHED).filter(runner__isnull=False).values("runner")
    newest: dict[int, Sequence[int]] = {}
    for runner in _without_specification(ended.exclude(pk__in=open_jobs)):
        if runner.crawler_id not in newest:
            of_crawler = Runner.objects.filter(crawler=runner.crawler_id).order_by("-number")
            newest[runner.crawler_id] = list(of_crawler.values_list("pk", flat=True)[:keep])
        if runner.pk not in newest[runner.crawler_id]:
            yield runner


def _without_specification(runners: QuerySet[Runner]) -> list[Runner]:
    return list(runners.defer("specification").order_by("pk"))


def _is_open(runner: Runner) -> bool:
    return Job.objects.filter(runner=runner).exclude(state=JobState.FINISHED).exists()


def _prune_runner(runner: Runner) -> None:
    steps = (delete_pages_of_runner, *(partial(delete_rows_of_runner, model=model) for model in OF_A_RUNNER))
    for step in steps:
        while not _is_open(runner):
            if not step(runner.pk):
                break
        else:
            return
    now = timezone.now()
    Runner.objects.filter(pk=runner.pk).update(pruned_at=now)
    told = "The pages, frontier and log of this run were deleted to free space; its documents stay."
    LogLine.objects.create(runner=runner, at=now, message=told)
