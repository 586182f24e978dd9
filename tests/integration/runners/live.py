"""A Gleaner of its own for tests with real processes: a database that others can open, and its commands."""

import json
import os
import subprocess
import sys
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit, urlunsplit

import psycopg

from backend.demo_site.truth.expected import DocumentKind

ROOT = Path(__file__).resolve().parents[3]


@dataclass(frozen=True)
class LiveGleaner:
    """`manage` runs a command to its end; `start` leaves it running."""

    env: dict[str, str]
    folder: Path

    def manage(self, *words: str, check: bool = True) -> "subprocess.CompletedProcess[str]":
        done = subprocess.run(self._command(words), cwd=ROOT, env=self.env, capture_output=True, text=True, check=False)
        assert not check or done.returncode == 0, done.stdout + done.stderr
        return done

    def start(self, *words: str) -> "subprocess.Popen[str]":
        return subprocess.Popen(
            self._command(words), cwd=ROOT, env=self.env, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
        )

    def crawl(self, file: dict[str, Any], *words: str) -> dict[str, Any]:
        """Crawl a project file to the end; the statistics it prints last."""
        return self.last_json(self.manage("crawl", str(self.write(file)), *words).stdout)

    def write(self, file: dict[str, Any]) -> Path:
        path = self.folder / f"{uuid.uuid4().hex}.gleaner.json"
        path.write_text(json.dumps(file), encoding="utf-8")
        return path

    @staticmethod
    def last_json(output: str) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(output.strip().splitlines()[-1])
        return found

    @staticmethod
    def _command(words: tuple[str, ...]) -> list[str]:
        return [sys.executable, str(ROOT / "manage.py"), *words]


@contextmanager
def live_gleaner(folder: Path, database_url: str) -> Iterator[LiveGleaner]:
    """On SQLite a file of its own; on PostgreSQL a database of its own beside the one of the address."""
    with _own_database(folder, database_url) as url:
        gleaner = LiveGleaner({**os.environ, "GLEANER_VAR": str(folder), "GLEANER_DATABASE_URL": url}, folder)
        gleaner.manage("migrate", "-v0")
        yield gleaner


@contextmanager
def _own_database(folder: Path, database_url: str) -> Iterator[str]:
    if not database_url.startswith("postgres"):
        yield f"sqlite://{folder}/gleaner.sqlite3"
        return
    name = f"live_{uuid.uuid4().hex[:12]}"
    with psycopg.connect(database_url, autocommit=True) as connection:
        connection.execute(f'CREATE DATABASE "{name}"')
    try:
        yield urlunsplit(urlsplit(database_url)._replace(path=f"/{name}"))
    finally:
        with psycopg.connect(database_url, autocommit=True) as connection:
            connection.execute(f'DROP DATABASE "{name}" WITH (FORCE)')


def template_of(kind: DocumentKind, *, key: str = "") -> dict[str, Any]:
    """The template that finds one kind of document of the demo site."""
    inspectors = [
        {
            "name": name,
            "selector": rule.selector,
            "type": str(rule.type),
            "attribute": rule.attribute,
            "required": rule.required,
            "multiple": rule.multiple,
            "key": name == key,
        }
        for name, rule in kind.rules.items()
    ]
    return {"name": kind.name, "item_scope": kind.item_scope, "inspectors": inspectors}
