"""Whether a worker that was placed is gone, and whose fault that is: a function without side effects."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from head_node.contracts import Ending, Job, LiveWorker, Node, Wish

CLAIM_PATIENCE = timedelta(seconds=60)
CANCEL_PATIENCE = timedelta(seconds=3)
STOP_PATIENCE = timedelta(seconds=20)


@dataclass(frozen=True, slots=True)
class Departure:
    """Why a placement is over. Only crashes count against a job."""

    reason: str
    is_crash: bool = False


def why_gone(job: Job, worker: LiveWorker, node: Node | None, now: datetime) -> Departure | None:
    """As far as the database knows; None while the worker may be there. Its launcher may know more."""
    is_away = node is None or node.is_gone
    if worker.process_id is None:
        return _why_not_claimed(job, worker, now, is_away=is_away)
    if worker.lease_expires_at is not None and worker.lease_expires_at < now:
        if is_away:
            return Departure(f"The node {worker.node} was lost.")
        return Departure("It gave no sign of life.", is_crash=True)
    return None


def _why_not_claimed(job: Job, worker: LiveWorker, now: datetime, *, is_away: bool) -> Departure | None:
    if job.wish is not Wish.RUN or job.ending is not Ending.NONE:
        return Departure("It was not needed any more.")
    if is_away:
        return Departure(f"The node {worker.node} was lost before it began.")
    if now - worker.placed_at > CLAIM_PATIENCE:
        return Departure("It did not start in time.", is_crash=True)
    return None


def is_overdue(job: Job, now: datetime) -> bool:
    """Whether its workers were asked to end and took too long. Who cancels a job need not wait for its pages."""
    if job.wish is Wish.RUN or job.wished_at is None:
        return False
    is_cancel = job.wish is Wish.STOP and not job.wish_reason
    return now - job.wished_at > (CANCEL_PATIENCE if is_cancel else STOP_PATIENCE)
