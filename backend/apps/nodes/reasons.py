"""What the state of a node means for those who wait for it, and what to do about it: a sentence for people."""

from backend.apps.nodes.models import Node, NodeState
from backend.apps.nodes.selectors import LIVE
from backend.apps.nodes.services import LOCALHOST

NO_HEAD = (
    "No head node runs, so nothing is started here. Start Gleaner with ./gleaner up, or the head node alone with "
    "./gleaner head."
)
LOST = (
    "No sign of life for ten seconds. Its jobs go on elsewhere. Look whether the machine is on and reaches PostgreSQL, "
    "and start ./gleaner node there again."
)
OFFLINE = "Its agent was stopped in good order. Start it again there: ./gleaner node."
DRAINS = "It finishes what it has and gets nothing new."
HAS_DRAINED = "It has nothing left to do and gets nothing new: it can be switched off."


def reason_of(node: Node) -> str:
    """Of a node that was judged; empty where the state says it all."""
    is_away = node.state in (NodeState.OFFLINE, NodeState.LOST)
    if node.name == LOCALHOST and is_away:
        return NO_HEAD
    if node.name != LOCALHOST and not node.token_hash:
        again = f"Invite it again: ./gleaner nodes invite {node.name}."
        own = f"Where it was started with --name: ./gleaner nodes allow {node.name}."
        return f"It was revoked: it cannot connect any more. {again} {own}"
    if is_away:
        return _away(node)
    if node.is_draining:
        return DRAINS if node.running_workers or _has_placements(node) else HAS_DRAINED
    return ""


def _has_placements(node: Node) -> bool:
    """Also a worker that is on its way: the node's own count comes with its next sign of life."""
    return node.placements.filter(state__in=LIVE).exists()


def _away(node: Node) -> str:
    if node.heartbeat_at is None:
        return "Invited; it has not joined yet. Paste the command of its invitation there."
    return LOST if node.state == NodeState.LOST else OFFLINE
