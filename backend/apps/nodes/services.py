"""Writes about nodes: the machine of the head itself, invitations, registration, signs of life, draining."""

import hashlib
import re
import secrets
import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path

import psutil
from django.db import transaction
from django.db.models import Q, QuerySet

from backend.apps.errors import Conflict, Invalid
from backend.apps.nodes.models import LauncherKind, Node, NodeState
from backend.apps.nodes.rights import make_login, revoke_login

LOCALHOST = "localhost"
HEAD_BEAT = timedelta(seconds=2)
MEMORY_PER_BROWSER = 1_500_000_000
NAME = re.compile(r"[a-z0-9]([a-z0-9.-]{0,61}[a-z0-9])?")
BAD_NAME = "Use small letters, digits, dots and hyphens, at most 63, for example “crawler-2”."


@dataclass(frozen=True, slots=True)
class Slots:
    """How many workers a machine bears at once; None lets it decide by its cores and memory."""

    http: int | None = None
    browser: int | None = None


@dataclass(frozen=True, slots=True)
class Login:
    """What a node needs to know about itself to join: shown once, kept nowhere."""

    role: str
    password: str
    token: str


def register_localhost(*, version: str, now: datetime, slots: Slots | None = None) -> Node:
    """The machine of a head that starts: as many workers as it can bear at once, and a sign of life."""
    facts = {**_facts(slots or Slots(), version=version), "address": "127.0.0.1", "launcher": LauncherKind.LOCAL}
    facts |= {"has_left": False, "heartbeat_at": now}
    node, is_new = Node.objects.update_or_create(name=LOCALHOST, defaults=facts)
    if is_new:
        Node.objects.filter(pk=node.pk).update(state=NodeState.ONLINE)
    return node


def localhost() -> Node:
    """The head's own machine, which may be known before any head has led."""
    defaults = {"address": "127.0.0.1", "launcher": LauncherKind.LOCAL}
    return Node.objects.get_or_create(name=LOCALHOST, defaults=defaults)[0]


def beat_localhost(*, now: datetime, folder: Path, workers: int) -> None:
    Node.objects.filter(name=LOCALHOST).update(heartbeat_at=now, **vital_signs(folder, workers=workers))


def head_is_there(*, now: datetime) -> None:
    """The head that leads is the sign of life of its own machine. Writes only when the last one is some time ago."""
    is_old = Q(has_left=True) | Q(heartbeat_at__isnull=True) | Q(heartbeat_at__lt=now - HEAD_BEAT)
    silent = Node.objects.filter(is_old, name=LOCALHOST)
    if silent.exists():
        silent.update(heartbeat_at=now, has_left=False)


def head_has_left() -> None:
    """Nothing is started on the head's own machine until the next one leads."""
    Node.objects.filter(name=LOCALHOST).update(has_left=True)


@transaction.atomic
def invite_node(*, name: str) -> Login:
    """A place in the registry, a login of its own, and a token that can be revoked. An older one of it ends."""
    if not NAME.fullmatch(name) or name == LOCALHOST:
        raise Invalid({"name": [BAD_NAME]})
    password, token = secrets.token_urlsafe(24), secrets.token_urlsafe(24)
    role = make_login(name, password)
    Node.objects.update_or_create(
        name=name, defaults={"token_hash": hash_token(token), "launcher": LauncherKind.CELERY}
    )
    return Login(role, password, token)


@transaction.atomic
def revoke_node(*, node: Node) -> None:
    """Its token and its login end at once; its workers' leases go on elsewhere. Conflict where its login stays."""
    if node.name == LOCALHOST:
        raise Conflict("The head node's own machine cannot be revoked. Drain it instead.")
    Node.objects.filter(pk=node.pk).update(token_hash="", has_left=True)
    revoke_login(node.name)


def allow_node(*, node: Node) -> None:
    """A machine with the owner's own access may join under a revoked name again. Others need an invitation."""
    if not node.token_hash:
        Node.objects.filter(pk=node.pk, token_hash="").update(token_hash=hash_token(secrets.token_urlsafe(24)))


@transaction.atomic
def forget_node(*, node: Node) -> None:
    """Take a node that is away out of the registry; what its workers did stays.

    Conflict while it has any, or is there, or a job that has not finished may run nowhere else.

    Whoever starts its agent again joins as if it were new: revoke a machine that shall stay away.
    """
    row = Node.objects.select_for_update().get(pk=node.pk)
    if row.name == LOCALHOST:
        raise Conflict("The head node's own machine cannot be forgotten.")
    if row.state not in (NodeState.OFFLINE, NodeState.LOST):
        raise Conflict(
            f"The node “{row.name}” is {row.state}. Stop ./gleaner node there, or revoke it, then forget it."
        )
    if row.placements.filter(state__in=("placed", "running")).exists():
        raise Conflict(f"The head node still counts on workers of “{row.name}”. Try again in a minute.")
    if waiting := list(row.requested_jobs.exclude(state="finished").order_by("pk").values_list("pk", flat=True)[:5]):
        numbers = " ".join(str(number) for number in waiting)
        raise Conflict(
            f"Jobs were submitted for “{row.name}” alone, and would go anywhere. Cancel them first: "
            f"./gleaner qdel {numbers}."
        )
    revoke_login(row.name)
    row.delete()


def hash_token(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()


def register_node(
    *,
    name: str,
    token: str,
    address: str,
    version: str,
    slots: Slots,
    now: datetime,
    labels: Sequence[str] = (),
) -> Node:
    """A machine says who it is; without `labels` it keeps those it had.

    Conflict when it was not invited, or its invitation was revoked.
    """
    node = Node.objects.filter(name=name).exclude(token_hash="").first()
    if node is None or not secrets.compare_digest(node.token_hash, hash_token(token)):
        raise Conflict(f"The invitation of “{name}” is not valid any more. Ask for a new one: ./gleaner nodes invite.")
    facts = {**_facts(slots, version=version), "address": address, "has_left": False, "heartbeat_at": now}
    Node.objects.filter(pk=node.pk).update(**facts, **({"labels": sorted(set(labels))} if labels else {}))
    return node


@transaction.atomic
def trust_node(*, name: str) -> str:
    """A place for a machine that has the owner's own access to the database; its token. Conflict once revoked."""
    if not NAME.fullmatch(name) or name == LOCALHOST:
        raise Invalid({"name": [BAD_NAME]})
    if Node.objects.select_for_update().filter(name=name, token_hash="").exists():
        raise Conflict(f"The node “{name}” was revoked. Allow it again with ./gleaner nodes allow {name}.")
    token = secrets.token_urlsafe(24)
    defaults = {"token_hash": hash_token(token), "launcher": LauncherKind.CELERY}
    Node.objects.update_or_create(name=name, defaults=defaults)
    return token


def beat_node(*, node: Node, now: datetime, folder: Path, workers: int) -> bool:
    """A sign of life; False when the node was revoked or deleted, or its name given to another machine."""
    return bool(_ours(node).update(heartbeat_at=now, has_left=False, **vital_signs(folder, workers=workers)))


def leave(*, node: Node) -> None:
    _ours(node).update(has_left=True, running_workers=0)


def _ours(node: Node) -> QuerySet[Node]:
    """The node's row while its name is still that of the machine which joined with this token."""
    return Node.objects.filter(pk=node.pk, token_hash=node.token_hash).exclude(token_hash="")


def set_draining(*, node: Node, is_draining: bool) -> None:
    """A node that drains finishes what it has and gets nothing new."""
    Node.objects.filter(pk=node.pk).update(is_draining=is_draining)


def vital_signs(folder: Path, *, workers: int) -> dict[str, float]:
    return {
        "load": psutil.getloadavg()[0],
        "memory_free_bytes": psutil.virtual_memory().available,
        "disk_free_bytes": shutil.disk_usage(folder).free,
        "running_workers": workers,
    }


def browser_slots(*, cores: int, memory_bytes: int) -> int:
    """How many browsers a machine bears at once."""
    return max(1, min(cores, memory_bytes // MEMORY_PER_BROWSER))


def _facts(slots: Slots, *, version: str) -> dict[str, object]:
    cores = psutil.cpu_count() or 1
    memory = psutil.virtual_memory().total
    by_itself = Slots(max(4, cores * 2), browser_slots(cores=cores, memory_bytes=memory))
    return {
        "cores": cores,
        "memory_bytes": memory,
        "http_slots": by_itself.http if slots.http is None else slots.http,
        "browser_slots": by_itself.browser if slots.browser is None else slots.browser,
        "version": version,
    }
