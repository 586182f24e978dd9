"""How well the workers of a runner worked together."""

from datetime import UTC, datetime

from backend.apps.jobs.models import Job, Placement, PlacementState
from backend.apps.jobs.selectors import cooperation_of
from backend.apps.nodes.models import Node
from backend.apps.runners.selectors import statistics_of

COUNTS = {"pages": 30, "fruitful_pages": 24, "queued": 5, "leased": 3, "failed": 2}


def worked(job: Job, worker: int, fence: int, **live: int) -> None:
    Placement.objects.create(
        job=job,
        node=Node.objects.get(),
        worker=worker,
        fence=fence,
        state=PlacementState.EXITED,
        placed_at=datetime(2026, 1, 1, tzinfo=UTC),
        live=live,
    )


def test_the_measures_of_a_run_with_three_workers_one_of_them_replaced(job: Job) -> None:
    worked(job, 1, 1, pages=6, fetched=6, round_trips=10, frontier_queries=2)
    worked(job, 1, 2, pages=4, fetched=5, round_trips=10)
    worked(job, 2, 3, pages=16, fetched=16, round_trips=8, frontier_queries=4)
    worked(job, 3, 4, pages=4, fetched=6, round_trips=2)
    assert cooperation_of(job.runner, COUNTS) == {
        "workers": 3,
        "overlap": 0.1,  # 3 of 30 in vain
        "coverage": 0.75,  # 30 of 40 known
        "quality": 0.8,  # 24 of 30 gave documents
        "balance": 0.625,  # 10 on average, 16 the busiest
        "speedup": 1.875,  # 30 in all, 16 the busiest
        "round_trips_per_page": 1.0,
        "frontier_queries_per_page": 0.2,
    }


def test_a_worker_that_had_a_place_and_never_began_is_not_counted(job: Job) -> None:
    worked(job, 1, 1, pages=10, fetched=10, round_trips=6)
    worked(job, 2, 2)
    worked(job, 3, 3, pages=0, fetched=0, round_trips=0)
    measures = cooperation_of(job.runner, COUNTS)
    assert (measures["workers"], measures["balance"]) == (1, 1.0)


def test_a_worker_that_asked_and_got_nothing_counts_and_shows_in_the_balance(job: Job) -> None:
    worked(job, 1, 1, pages=10, fetched=10, round_trips=6)
    worked(job, 2, 2, pages=0, fetched=0, round_trips=4)
    measures = cooperation_of(job.runner, COUNTS)
    assert (measures["workers"], measures["balance"]) == (2, 0.5)


def test_a_run_that_has_not_begun_has_nothing_to_tell(job: Job) -> None:
    nothing = cooperation_of(job.runner, statistics_of(job.runner))
    assert set(nothing.values()) == {0}
