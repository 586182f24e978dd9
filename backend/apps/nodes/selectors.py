"""Reads of nodes, and the judgement of what state they are in."""

from collections import Counter
from collections.abc import Mapping
from datetime import datetime, timedelta

from django.db.models import Count, Q

import head_node
from backend.apps.nodes.models import LauncherKind, Node, NodeState

LOST_AFTER = timedelta(seconds=10)
LIVE = ("placed", "running")


def judge(node: Node, *, workers: int, now: datetime) -> NodeState:
    """The state of a node from its signs of life. The head node's own machine is there as long as there is a head."""
    if node.launcher != LauncherKind.LOCAL:
        if node.has_left or node.heartbeat_at is None:
            return NodeState.OFFLINE
        if now - node.heartbeat_at > LOST_AFTER:
            return NodeState.LOST
    if node.is_draining:
        return NodeState.DRAINING
    return NodeState.BUSY if workers and workers >= node.http_slots + node.browser_slots else NodeState.ONLINE


def judged_nodes(*, now: datetime) -> list[head_node.Node]:
    """Every node as the scheduler sees it; a state that has changed is written down."""
    rows = list(Node.objects.order_by("name"))
    workers = live_workers()
    for row in rows:
        state = judge(row, workers=workers[row.pk], now=now)
        if state != row.state:
            Node.objects.filter(pk=row.pk, state=row.state).update(state=state)
            row.state = state
    return [_node(row) for row in rows]


def live_workers() -> Mapping[int, int]:
    """How many workers each node has, by the node's id."""
    counted = Node.objects.annotate(live=Count("placements", filter=Q(placements__state__in=LIVE)))
    return Counter(dict(counted.values_list("pk", "live")))


def _node(row: Node) -> head_node.Node:
    return head_node.Node(
        name=row.name,
        is_online=row.state in (NodeState.ONLINE, NodeState.BUSY),
        http_slots=row.http_slots,
        browser_slots=row.browser_slots,
        condition=str(row.state),
        is_gone=row.state in (NodeState.OFFLINE, NodeState.LOST),
    )
