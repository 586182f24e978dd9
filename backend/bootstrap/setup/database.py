"""The database's tables, and the first person who may sign in."""

import subprocess
from collections.abc import Mapping
from pathlib import Path
from urllib.parse import unquote, urlsplit

from backend.bootstrap.errors import CommandFailedError
from backend.bootstrap.places import Places
from backend.bootstrap.processes.children import Command
from backend.bootstrap.processes.programs import run_logged
from backend.bootstrap.setup.stamps import files_matching
from backend.bootstrap.setup.steps import Step

MIGRATIONS = ["backend/apps/*/migrations/*.py", "requirements.txt"]
UNREACHABLE = "Check that the database can be reached and that its user may create tables."


class Database:
    """Brings one database up to date. `welcome` is what to show about the first administrator, if one was made."""

    def __init__(self, places: Places, env: Mapping[str, str]) -> None:
        self.places, self.env = places, env
        self.url = env["GLEANER_DATABASE_URL"]
        self.welcome = ""

    def step(self) -> Step:
        """A SQLite file is ours alone, so a stamp suffices; a server may be changed by others, so it is asked."""
        if not self.url.startswith("sqlite:"):
            return Step(name="database", run=self._prepare, is_satisfied=lambda: False)
        return Step(
            name="database",
            run=self._prepare,
            inputs=lambda: files_matching(self.places.root, MIGRATIONS),
            facts=[self.url],
            outputs=[Path(unquote(urlsplit(self.url).path))],
        )

    def _prepare(self) -> None:
        command: Command = [self.places.python, "manage.py", "migrate", "--no-input"]
        run_logged(command, log=self.places.setup_log, cwd=self.places.root, env=self.env, on_failure=UNREACHABLE)
        self.welcome = self._make_first_administrator()

    def _make_first_administrator(self) -> str:
        """Its words are kept out of the log: they hold a password."""
        result = subprocess.run(
            [self.places.python, "manage.py", "first_admin"],
            cwd=self.places.root,
            env=dict(self.env),
            capture_output=True,
            text=True,
            check=False,
            stdin=subprocess.DEVNULL,
        )
        if result.returncode:
            detail = result.stdout + result.stderr
            raise CommandFailedError(
                "The first administrator could not be made; the lines above say why.", detail=detail
            )
        return result.stdout.strip()
