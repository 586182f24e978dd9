"""Writes about nodes."""

from datetime import datetime

import psutil

from backend.apps.nodes.models import Node, NodeState

LOCALHOST = "localhost"
MEMORY_PER_BROWSER = 1_500_000_000


def register_localhost(*, version: str, now: datetime) -> Node:
    """This machine, which is always there: as many workers as it can bear at once, and a sign of life."""
    cores = psutil.cpu_count() or 1
    memory = psutil.virtual_memory().total
    facts = {
        "address": "127.0.0.1",
        "state": NodeState.ONLINE,
        "cores": cores,
        "memory_bytes": memory,
        "http_slots": max(4, cores * 2),
        "browser_slots": max(1, min(cores, memory // MEMORY_PER_BROWSER)),
        "version": version,
        "heartbeat_at": now,
    }
    node, _ = Node.objects.update_or_create(name=LOCALHOST, defaults=facts)
    return node


def beat_localhost(*, now: datetime) -> None:
    Node.objects.filter(name=LOCALHOST).update(heartbeat_at=now, state=NodeState.ONLINE)
