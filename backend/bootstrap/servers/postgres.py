"""A private PostgreSQL: own folder, own port, own password, gone afterwards."""

import os
import pwd
import re
import secrets
import shutil
import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from backend.bootstrap.errors import ActionNeededError, CommandFailedError
from backend.bootstrap.processes.children import Child, stop_all
from backend.bootstrap.processes.stop_signal import POLL_SECONDS, stop_signal
from backend.bootstrap.servers.ports import LOOPBACK, private_free
from backend.bootstrap.servers.private_folder import private_folder

INSTALLED_UNDER = Path("/usr/lib/postgresql")
SERVER_USER = "postgres"
START_SECONDS = 60.0
ATTEMPTS = 3
# Nothing in it outlives the test run, so nothing needs to reach the disk.
SETTINGS = {
    "listen_addresses": LOOPBACK,
    "unix_socket_directories": "",
    "fsync": "off",
    "synchronous_commit": "off",
    "full_page_writes": "off",
    "shared_buffers": "128MB",
    "max_connections": "100",
    "timezone": "UTC",
    "log_timezone": "UTC",
}


def find_binaries(installed_under: Path = INSTALLED_UNDER) -> Path | None:
    """The folder with initdb and postgres of the newest version that Debian installed."""

    def version(folder: Path) -> tuple[int, ...]:
        return tuple(int(number) for number in re.findall(r"\d+", folder.parent.name))

    folders = [file.parent for file in installed_under.glob("*/bin/initdb") if (file.parent / "postgres").exists()]
    return max(folders, key=version, default=None)


@contextmanager
def private_postgres() -> Iterator[str]:
    """Run a server; yields the URL of its empty database `gleaner`, whose user may create and drop databases."""
    binaries = find_binaries()
    if binaries is None:
        raise ActionNeededError("PostgreSQL is missing. Type: sudo apt-get install -y postgresql and start again.")
    user = _user_to_become()
    with private_folder("postgres", owner=user) as folder:
        cluster = _Cluster(binaries, folder, user=user, password=secrets.token_urlsafe(18))
        cluster.make()
        server = cluster.start()
        try:
            cluster.create_database()
            yield f"postgres://gleaner:{cluster.password}@{LOOPBACK}:{cluster.port}/gleaner"
        finally:
            stop_all([server])


def _user_to_become() -> str | None:
    """PostgreSQL refuses to run as root; Debian's package made a user for it."""
    if os.geteuid() != 0:
        return None
    try:
        return pwd.getpwnam(SERVER_USER).pw_name
    except KeyError:
        raise ActionNeededError(
            f"PostgreSQL may not run as root, and the user {SERVER_USER} is missing. "
            f"Type: useradd --system {SERVER_USER} and start again."
        ) from None


class _Cluster:
    """One data folder and the server on it."""

    def __init__(self, binaries: Path, folder: Path, *, user: str | None, password: str) -> None:
        self.binaries, self.folder, self.user, self.password = binaries, folder, user, password
        self.port = 0

    def make(self) -> None:
        password_file = self.folder / "password"
        password_file.touch(mode=0o600)
        password_file.write_text(self.password)
        if self.user is not None:
            shutil.chown(password_file, self.user, self.user)
        options = ["--username=gleaner", "--auth=scram-sha-256", "--encoding=UTF8", "--locale=C.UTF-8", "--no-sync"]
        self._run("initdb", "-D", "data", "--pwfile=password", *options)
        with (self.folder / "data" / "postgresql.conf").open("a") as stream:
            stream.writelines(f"{name} = '{value}'\n" for name, value in SETTINGS.items())

    def start(self) -> Child:
        """A server that answers; another port is tried when somebody took ours in the meantime."""
        for _ in range(ATTEMPTS):
            self.port = private_free()
            server = self._child("postgres", "-D", "data", "-p", str(self.port), stop_with=signal.SIGINT)
            if self._becomes_ready(server):
                return server
            stop_all([server])
        raise CommandFailedError("The private PostgreSQL did not start.", detail=server.tail())

    def create_database(self) -> None:
        self._run("createdb", f"--host={LOOPBACK}", f"--port={self.port}", "--username=gleaner", "gleaner")

    def _becomes_ready(self, server: Child) -> bool:
        """postmaster.pid says “ready” in its last line; False when the server ended or takes too long."""
        deadline = time.monotonic() + START_SECONDS
        while server.exit_code is None and time.monotonic() < deadline:
            if self._status_lines()[7:] == ["ready"]:
                return True
            if stop_signal.wait(POLL_SECONDS):
                stop_all([server])
                stop_signal.check()
        return False

    def _status_lines(self) -> list[str]:
        try:
            return [line.strip() for line in (self.folder / "data" / "postmaster.pid").read_text().splitlines()]
        except OSError:
            return []

    def _run(self, program: str, *arguments: str) -> None:
        child = self._child(program, *arguments)
        if code := child.wait():
            raise CommandFailedError(f"PostgreSQL's {program} failed with exit code {code}.", detail=child.tail())

    def _child(self, program: str, *arguments: str, stop_with: signal.Signals = signal.SIGTERM) -> Child:
        env = {"PATH": "/usr/bin:/bin", "HOME": str(self.folder), "LC_ALL": "C.UTF-8", "PGPASSWORD": self.password}
        return Child(
            program,
            [self.binaries / program, *arguments],
            env=env,
            cwd=self.folder,
            log=self.folder / f"{program}.log",
            user=self.user,
            stop_with=stop_with,
        )
