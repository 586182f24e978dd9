"""Reads of nodes, and the judgement of what state they are in."""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import Count, Sum

import head_node
from backend.apps.nodes.models import Node, NodeState

LOST_AFTER = timedelta(seconds=10)
LIVE = ("placed", "running")


@dataclass(frozen=True, slots=True)
class Taken:
    """What a node has given away: workers of every kind, and slots of the two that it counts."""

    workers: int = 0
    http: int = 0
    browser: int = 0

    def is_all_of(self, node: Node) -> bool:
        has_any = node.http_slots or node.browser_slots
        return bool(has_any) and self.http >= node.http_slots and self.browser >= node.browser_slots


def judge(node: Node, *, taken: Taken, now: datetime) -> NodeState:
    """The state of a node from its signs of life. Those of the head node's own machine come from the head itself."""
    if node.has_left or node.heartbeat_at is None:
        return NodeState.OFFLINE
    if now - node.heartbeat_at > LOST_AFTER:
        return NodeState.LOST
    if node.is_draining:
        return NodeState.DRAINING
    return NodeState.BUSY if taken.is_all_of(node) else NodeState.ONLINE


def judged_nodes(*, now: datetime) -> list[head_node.Node]:
    """Every node as the scheduler sees it; a state that has changed is written down.

    Whoever shows nodes to people calls this first: while no head runs, nobody else would notice.
    """
    rows = list(Node.objects.order_by("name"))
    taken = taken_slots()
    for row in rows:
        state = judge(row, taken=taken[row.pk], now=now)
        if state != row.state:
            Node.objects.filter(pk=row.pk, state=row.state).update(state=state)
            row.state = state
    return [_node(row) for row in rows]


def known_nodes() -> list[head_node.Node]:
    """Every node as it was last judged; nothing is written, so whoever may only read can ask."""
    return [_node(row) for row in Node.objects.order_by("name")]


def taken_slots() -> Mapping[int, Taken]:
    """What workers that were placed and have not ended take of each node, by the node's id."""
    live = Node.objects.order_by().filter(placements__state__in=LIVE)
    rows = live.values_list("pk", "placements__job__kind", "placements__job__needs_browser")
    counted = rows.annotate(workers=Count("placements"), slots=Sum("placements__job__slots_per_worker"))
    taken: dict[int, Taken] = defaultdict(Taken)
    for node, kind, needs_browser, workers, slots in counted:
        before = taken[node]
        is_crawl = kind == "runner"
        taken[node] = Taken(
            workers=before.workers + workers,
            http=before.http + (slots if is_crawl and not needs_browser else 0),
            browser=before.browser + (slots if is_crawl and needs_browser else 0),
        )
    return taken


def _node(row: Node) -> head_node.Node:
    return head_node.Node(
        name=row.name,
        is_online=row.state in (NodeState.ONLINE, NodeState.BUSY),
        http_slots=row.http_slots,
        browser_slots=row.browser_slots,
        condition=str(row.state),
        is_gone=row.state in (NodeState.OFFLINE, NodeState.LOST),
    )
