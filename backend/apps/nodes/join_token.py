"""The one word that a new machine is given: where the cluster is, and who the machine is there."""

import base64
import binascii
import json
from dataclasses import asdict, dataclass, fields
from urllib.parse import quote, urlsplit, urlunsplit

from django.core.exceptions import ImproperlyConfigured

PREFIX = "gleaner1."


@dataclass(frozen=True, slots=True)
class JoinToken:
    """Everything in it is secret: whoever has it can join as this node until it is revoked."""

    name: str
    token: str
    database_url: str
    redis_url: str
    encryption_keys: str

    def encode(self) -> str:
        return PREFIX + base64.urlsafe_b64encode(json.dumps(asdict(self)).encode()).decode().rstrip("=")

    @classmethod
    def decode(cls, text: str) -> "JoinToken":
        try:
            if not text.startswith(PREFIX):
                raise ValueError
            word = text.removeprefix(PREFIX)
            found = json.loads(base64.urlsafe_b64decode(word + "=" * (-len(word) % 4)))
            return cls(**{field.name: str(found[field.name]) for field in fields(cls)})
        except (ValueError, KeyError, TypeError, binascii.Error) as error:
            raise ImproperlyConfigured(
                "This is not a join token, or not all of it. Copy the whole line that ./gleaner nodes invite printed."
            ) from error


def with_login(url: str, *, user: str, password: str, host: str | None = None) -> str:
    """The same database or server for somebody else, under another address when one is given."""
    parts = urlsplit(url)
    place = _with_port(host, parts.port) if host else _host_of(parts.netloc)
    return urlunsplit(parts._replace(netloc=f"{quote(user, safe='')}:{quote(password, safe='')}@{place}"))


def at_host(url: str, host: str | None) -> str:
    """The same address on a machine of another name."""
    parts = urlsplit(url)
    if not host:
        return url
    login, at, _ = parts.netloc.rpartition("@")
    return urlunsplit(parts._replace(netloc=f"{login}{at}{_with_port(host, parts.port)}"))


def is_loopback(url: str) -> bool:
    return (urlsplit(url).hostname or "localhost") in ("localhost", "127.0.0.1", "::1")


def _with_port(host: str, port: int | None) -> str:
    """The port that we use, unless the host brings one; colons inside brackets belong to its address."""
    has_port = ":" in host.rpartition("]")[2]
    return f"{host}:{port}" if port and not has_port else host


def _host_of(netloc: str) -> str:
    return netloc.rpartition("@")[2]
