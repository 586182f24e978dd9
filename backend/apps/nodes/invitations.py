"""Invitations: the one command that makes a machine a node of this cluster."""

import re
from dataclasses import dataclass

from django.conf import settings

from backend.apps.errors import Conflict, Invalid
from backend.apps.nodes.join_token import JoinToken, at_host, is_loopback, with_login
from backend.apps.nodes.services import invite_node

HOST = re.compile(r"(\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9]([A-Za-z0-9.-]{0,252}[A-Za-z0-9])?)(:\d{1,5})?")
NEEDS_REDIS = "A cluster needs Redis. Set GLEANER_REDIS_URL for the head node, then invite again."
BAD_HOST = "Give the name or address of a machine, such as 10.0.0.1 or head.example.org."


@dataclass(frozen=True, slots=True)
class Invitation:
    """Shown once, kept nowhere: whoever has it can join as this node until it is revoked."""

    name: str
    token: str
    is_local_only: bool

    @property
    def command(self) -> str:
        return f"./gleaner node --join {self.token}"


def write_invitation(*, name: str, host: str = "") -> Invitation:
    """Invite a machine; `host` is the address under which it reaches PostgreSQL and Redis, where ours is not.

    `is_local_only` tells that one of them is reached on this machine alone, so that nobody else can join.
    """
    if not settings.REDIS_URL:
        raise Conflict(NEEDS_REDIS)
    if host and not HOST.fullmatch(host):
        raise Invalid({"host": [BAD_HOST]})
    login = invite_node(name=name)
    token = JoinToken(
        name=name,
        token=login.token,
        database_url=with_login(settings.DATABASE_URL, user=login.role, password=login.password, host=host),
        redis_url=at_host(settings.REDIS_URL, host),
        encryption_keys=",".join(settings.ENCRYPTION_KEYS),
    )
    is_local_only = is_loopback(token.database_url) or is_loopback(token.redis_url)
    return Invitation(name, token.encode(), is_local_only)
