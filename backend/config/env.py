"""Typed readers of environment variables: an odd value stops the start with a sentence, never a guess."""

import os
import secrets
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, unquote, urlsplit

from django.core.exceptions import ImproperlyConfigured

YES = {"1", "true", "yes", "on"}
NO = {"0", "false", "no", "off"}


def text(name: str, default: str = "") -> str:
    return os.environ.get(name, "").strip() or default


def boolean(name: str, *, default: bool) -> bool:
    value = text(name).lower()
    if not value:
        return default
    if value not in YES | NO:
        raise ImproperlyConfigured(f"{name} is “{value}”. Set it to 1 or 0.")
    return value in YES


def integer(name: str, *, default: int, minimum: int = 0) -> int:
    value = text(name)
    if not value:
        return default
    if not value.isdecimal() or int(value) < minimum:
        raise ImproperlyConfigured(f"{name} is “{value}”. Set it to a whole number of at least {minimum}.")
    return int(value)


def optional_integer(name: str) -> int | None:
    """A whole number of at least 0, or None when it is not set."""
    return integer(name, default=0) if text(name) else None


def search_processes() -> int:
    """As many as there are cores to search on, up to 4; none where there is one core, which threads use as well."""
    cores = len(os.sched_getaffinity(0))
    return min(cores, 4) if cores > 1 else 0


def words(name: str, default: str = "") -> list[str]:
    """A list separated by commas or spaces."""
    return [word for word in text(name, default).replace(",", " ").split() if word]


def choice(name: str, *, default: str, options: tuple[str, ...]) -> str:
    value = text(name, default)
    if value not in options:
        raise ImproperlyConfigured(f"{name} is “{value}”. Choose one of: {', '.join(options)}.")
    return value


def secret(name: str, *, file: Path, make: Callable[[], str] = lambda: secrets.token_urlsafe(50)) -> str:
    """A secret from the environment, or from a file that only its owner can read, made on first use."""
    if value := text(name):
        return value
    try:
        return _read_or_make(file, make)
    except OSError as error:
        raise ImproperlyConfigured(
            f"The key file {file} cannot be used ({error.strerror}). Make its folder writable or set {name}."
        ) from error


def _read_or_make(file: Path, make: Callable[[], str]) -> str:
    file.parent.mkdir(parents=True, exist_ok=True)
    fresh = file.with_name(f"{file.name}.{secrets.token_hex(6)}")
    try:
        descriptor = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "w") as stream:
            stream.write(make())
        os.link(fresh, file)  # atomic: of two processes that start at once, one wins and both read the same key
    except FileExistsError:
        pass
    finally:
        fresh.unlink(missing_ok=True)
    return file.read_text().strip()


SQLITE_OPTIONS = {
    "transaction_mode": "IMMEDIATE",  # a writer waits for its turn at BEGIN, instead of failing in mid-transaction
    "timeout": 20,
    "init_command": (
        "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA foreign_keys=ON; PRAGMA temp_store=MEMORY;"
        "PRAGMA cache_size=-32768; PRAGMA mmap_size=268435456; PRAGMA journal_size_limit=67108864;"
    ),
}
# A connection to a host that vanished would block for ever without these; and the server would keep the locks of a
# client that vanished in mid-transaction, for hours, with everybody else waiting.
SERVER_OPTIONS = {
    "tcp_keepalives_idle": 3,
    "tcp_keepalives_interval": 2,
    "tcp_keepalives_count": 3,
    "tcp_user_timeout": 8000,
}
POSTGRES_OPTIONS = {
    "connect_timeout": 3,
    "keepalives": 1,
    "keepalives_idle": 3,
    "keepalives_interval": 2,
    "keepalives_count": 3,
    "tcp_user_timeout": 8000,
    "options": " ".join(f"-c {name}={value}" for name, value in SERVER_OPTIONS.items()),
}


def database(name: str, *, default: str) -> dict[str, Any]:
    """Django's settings for `sqlite:///path` or `postgres://user:password@host:port/name?option=…`."""
    url = urlsplit(text(name, default))
    if url.scheme == "sqlite":
        return {"ENGINE": "django.db.backends.sqlite3", "NAME": unquote(url.path), "OPTIONS": SQLITE_OPTIONS}
    if url.scheme not in ("postgres", "postgresql") or not url.path.strip("/"):
        raise ImproperlyConfigured(
            f"{name} must look like sqlite:////folder/gleaner.sqlite3 or postgres://user:password@host:5432/gleaner."
        )
    return {
        "ENGINE": "backend.config.postgresql",
        "NAME": unquote(url.path.strip("/")),
        "USER": unquote(url.username or ""),
        "PASSWORD": unquote(url.password or ""),
        "HOST": url.hostname or "",
        "PORT": str(url.port or ""),
        "OPTIONS": {**POSTGRES_OPTIONS, **dict(parse_qsl(url.query))},
        "CONN_MAX_AGE": 0,  # every request has a thread of its own: `postgresql.idle` keeps connections, not the thread
    }
