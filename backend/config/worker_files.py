"""What workers leave on the machine they ran on: their logs, and the watch files of those that were killed."""

import re
from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path

from django.conf import settings

from backend.apps.jobs.models import Job, JobState, Placement, PlacementState

KEPT = timedelta(days=7)
LIVE = (PlacementState.PLACED, PlacementState.RUNNING)
LOG = re.compile(r"job-(\d+)-worker-\d+\.log")
WATCH = re.compile(r"placement-(\d+)\.watch")


def remove_worker_files(*, before: datetime) -> int:
    """Remove what was last written before then and belongs to nobody who works or may work again; how many files."""
    logs = dict(_old(settings.VAR_DIR / "log" / "workers", LOG, before))
    open_jobs = Job.objects.exclude(state=JobState.FINISHED).values_list("pk", flat=True)
    watches = dict(_old(settings.VAR_DIR / "run", WATCH, before))
    live = Placement.objects.filter(state__in=LIVE).values_list("pk", flat=True)
    gone = [*_of_others(logs, set(open_jobs) if logs else set()), *_of_others(watches, set(live) if watches else set())]
    for path in gone:
        path.unlink(missing_ok=True)
    return len(gone)


def _old(folder: Path, name: re.Pattern[str], before: datetime) -> Iterator[tuple[Path, int]]:
    for path in folder.glob("*"):
        found = name.fullmatch(path.name)
        if found is not None and _written_at(path) < before.timestamp():
            yield path, int(found[1])


def _of_others(files: dict[Path, int], owners: set[int]) -> list[Path]:
    return [path for path, owner in files.items() if owner not in owners]


def _written_at(path: Path) -> float:
    """Never, for one that was removed meanwhile: then there is nothing left to do."""
    try:
        return path.stat().st_mtime
    except FileNotFoundError:
        return float("inf")
