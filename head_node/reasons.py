"""Why a job waits, as a sentence for people."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from head_node.contracts import Job, Node, SlotKind
from head_node.room import fits, is_holding_out

_NO_BROWSER = "Install chromium and chromium-driver on one and restart Gleaner there, or choose the lane “http”."


def why_waiting(job: Job, nodes: Sequence[Node], now: datetime, *, workers: int = 0, keeper: int | None = None) -> str:
    """For a job that got fewer workers than it asks for; `workers` is how many have a place.

    `keeper` is the job for which the slots that are free are kept.
    """
    reason = _reason(job, nodes, now, keeper)
    have = "has" if workers == 1 else "have"
    return f"{workers} of {job.workers} workers {have} a place. {reason}" if workers else reason


def _reason(job: Job, nodes: Sequence[Node], now: datetime, keeper: int | None) -> str:
    if job.earliest_start is not None and job.earliest_start > now:
        return f"Waiting: it may start at {job.earliest_start:%Y-%m-%d %H:%M} UTC."
    if _is_out_of_reach(job, nodes):
        return "Waiting: Redis does not answer, so nodes cannot be told to begin."
    if job.node is not None and (reason := _chosen_node(job, nodes)):
        return reason
    if not any(fits(job, node) for node in nodes):
        remedy = f" {_NO_BROWSER}" if _lacks_browsers(job, nodes) else ""
        return f"Waiting: no node that is online has {_slots(job)}.{remedy}"
    if keeper is not None:
        return f"Waiting: the free slots are kept for job {keeper}, whose turn is before."
    if is_holding_out(job, nodes):
        bad = ", ".join(sorted(job.avoid))
        return f"Waiting: its workers crashed on {bad}, and no other node has {_free_slots(job)}."
    return f"Waiting: no node with {_free_slots(job)}."


def _is_out_of_reach(job: Job, nodes: Sequence[Node]) -> bool:
    """Whether word to the nodes is all that it lacks."""
    in_reach = [replace(node, is_within_reach=True) for node in nodes]
    return any(fits(job, node) for node in in_reach) and not any(fits(job, node) for node in nodes)


def _lacks_browsers(job: Job, nodes: Sequence[Node]) -> bool:
    return job.slots is SlotKind.BROWSER and not any(node.is_online and node.browser_slots for node in nodes)


def _chosen_node(job: Job, nodes: Sequence[Node]) -> str | None:
    node = next((node for node in nodes if node.name == job.node), None)
    if node is None:
        return f"Waiting: there is no node {job.node}."
    if not node.is_online:
        return f"Waiting: the node {job.node} is {node.condition}."
    return None if fits(job, node) else f"Waiting: the node {job.node} does not have {_slots(job)}."


def _slots(job: Job) -> str:
    kind = "browser slot" if job.slots is SlotKind.BROWSER else "slot"
    return f"a {kind}" if job.slots_each == 1 else f"{job.slots_each} {kind}s"


def _free_slots(job: Job) -> str:
    kind = "browser slot" if job.slots is SlotKind.BROWSER else "slot"
    return f"a free {kind}" if job.slots_each == 1 else f"{job.slots_each} free {kind}s"
