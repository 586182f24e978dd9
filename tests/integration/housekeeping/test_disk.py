"""A nearly full disk pauses runs, and people are told."""

from pathlib import Path

import pytest

from backend.apps.housekeeping.disk import free_bytes, pause_when_full
from backend.apps.jobs.head_store import SqlHeadStore
from backend.apps.jobs.models import Wish
from backend.apps.runners.models import CrawlState, LogLine, Runner, RunnerStatus
from backend.apps.runners.services import resume_runner, start_runner
from head_node import HeadLoop
from tests.integration.runners.kept_pages import shop_crawler

pytestmark = pytest.mark.django_db
MEGABYTE = 1_000_000


def watch(*, free_mb: int) -> int:
    return pause_when_full(folder=Path("/"), min_free_bytes=500 * MEGABYTE, free=lambda _: free_mb * MEGABYTE)


def settle() -> None:
    HeadLoop(store=SqlHeadStore(), launchers={}, name="test").tick()


def test_runs_pause_with_a_sentence_and_the_log_has_it() -> None:
    runner = start_runner(crawler=shop_crawler(), user=None)
    assert watch(free_mb=120) == 1
    assert CrawlState.objects.get(runner=runner).wish == Wish.PAUSE
    settle()
    runner.refresh_from_db()
    assert runner.status == RunnerStatus.PAUSED
    assert runner.reason == (
        "The disk is nearly full: 120 MB are free, and 500 MB must stay free (GLEANER_MIN_FREE_DISK_MB). "
        "Free some space, for example with ./gleaner prune, then resume."
    )
    assert LogLine.objects.get(runner=runner).message == runner.reason


def test_it_is_said_once_and_resuming_forgets_it() -> None:
    runner = start_runner(crawler=shop_crawler(), user=None)
    assert [watch(free_mb=120), watch(free_mb=110)] == [1, 0]
    settle()
    resume_runner(runner=Runner.objects.get(pk=runner.pk))
    job = runner.jobs.get()
    assert (job.wish, job.wish_reason) == (Wish.RUN, "")
    assert watch(free_mb=100) == 1


def test_with_room_enough_nothing_happens() -> None:
    runner = start_runner(crawler=shop_crawler(), user=None)
    assert watch(free_mb=500) == 0
    assert runner.jobs.get().wish == Wish.RUN


def test_the_free_space_is_that_of_the_folder() -> None:
    assert free_bytes(Path("/")) > 0
