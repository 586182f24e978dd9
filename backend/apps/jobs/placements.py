"""Placements as the agent of a node sees them: what is to be started, what is to be ended, what became of it."""

from django.db import transaction
from django.db.models import Q

from backend.apps.jobs.models import Placement, PlacementState, Wish
from backend.apps.jobs.retrying import retried
from backend.apps.jobs.settlements import LIVE, live_worker
from head_node import LiveWorker
from head_node.contracts import Hang


def unclaimed_placement(*, placement_id: int, node: str) -> LiveWorker | None:
    """A placement on this node that still waits for its worker; None when it was taken, or failed, or is not wanted."""
    free = Placement.objects.select_related("node").filter(
        pk=placement_id, node__name=node, state=PlacementState.PLACED, is_gone=False, job__wish=Wish.RUN
    )
    row = retried(free.first)
    return live_worker(row) if row is not None else None


def placements_on(*, node: str, machine: str) -> list[tuple[LiveWorker, bool]]:
    """Workers that run on this machine, as far as the database knows, and whether they are to be ended.

    One that is to be ended stays among them until it was seen to be gone, whatever else became of its placement.
    """
    here = Placement.objects.select_related("node").filter(node__name=node, machine=machine, is_gone=False)
    rows = here.filter(Q(state=PlacementState.RUNNING) | Q(is_kill_wished=True))
    return [(live_worker(row), row.is_kill_wished) for row in rows]


def wish_kill(worker: LiveWorker) -> None:
    """The agent of its node shall end it at once. Its burial wishes so too: nobody waits here for who holds its row."""
    row = Placement.objects.filter(pk=worker.placement_id)
    with transaction.atomic():
        if row.select_for_update(skip_locked=True):
            row.update(is_kill_wished=True)


def report_gone(worker: LiveWorker, *, last_words: str) -> None:
    """Its process is not there any more, and it did not say good-bye."""
    row = Placement.objects.filter(pk=worker.placement_id)
    row.filter(state__in=LIVE).update(last_words=last_words)
    row.update(is_gone=True)


def report_hang(worker: LiveWorker, hang: Hang) -> None:
    Placement.objects.filter(pk=worker.placement_id).update(hang={"url": hang.url, "sentence": hang.sentence})
