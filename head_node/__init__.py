"""The PBS-like scheduler: which job runs where, and what became of it; knows no Django."""

from head_node.contracts import HeadStore, Job, Launcher, LiveWorker, Node, Placement, Settlement, Wish
from head_node.loop import HeadLoop
from head_node.planning import Schedule, plan, schedule
from head_node.settling import settle

__all__ = [
    "HeadLoop",
    "HeadStore",
    "Job",
    "Launcher",
    "LiveWorker",
    "Node",
    "Placement",
    "Schedule",
    "Settlement",
    "Wish",
    "plan",
    "schedule",
    "settle",
]
