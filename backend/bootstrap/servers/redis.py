"""A private Redis: own port, own password, nothing written to disk."""

import secrets
import shutil
import socket
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from backend.bootstrap.errors import ActionNeededError, CommandFailedError
from backend.bootstrap.processes.children import Child, stop_all
from backend.bootstrap.processes.stop_signal import POLL_SECONDS, stop_signal
from backend.bootstrap.servers.ports import LOOPBACK, private_free
from backend.bootstrap.servers.private_folder import private_folder

START_SECONDS = 30.0
ATTEMPTS = 3


@contextmanager
def private_redis() -> Iterator[str]:
    """Run a server; yields its URL, password included."""
    program = shutil.which("redis-server")
    if program is None:
        raise ActionNeededError("Redis is missing. Type: sudo apt-get install -y redis-server and start again.")
    with private_folder("redis") as folder:
        password = secrets.token_urlsafe(18)
        server, port = _start(program, folder, password)
        try:
            yield f"redis://:{password}@{LOOPBACK}:{port}/0"
        finally:
            stop_all([server])


def _start(program: str, folder: Path, password: str) -> tuple[Child, int]:
    """A server that answers; another port is tried when somebody took ours in the meantime."""
    for _ in range(ATTEMPTS):
        port = private_free()
        # Settings through stdin: a password among the arguments could be read by everyone on this machine.
        server = Child(
            "redis",
            [program, "-"],
            cwd=folder,
            log=folder / "redis.log",
            stdin=_settings(port=port, folder=folder, password=password).encode(),
        )
        if _becomes_ready(server, port, password):
            return server, port
        stop_all([server])
    raise CommandFailedError("The private Redis did not start.", detail=server.tail())


def _settings(*, port: int, folder: Path, password: str) -> str:
    return (
        f'bind {LOOPBACK}\nport {port}\nrequirepass {password}\ndir {folder}\nsave ""\n'
        "appendonly no\ndaemonize no\nset-proc-title no\n"
    )


def _becomes_ready(server: Child, port: int, password: str) -> bool:
    deadline = time.monotonic() + START_SECONDS
    while server.exit_code is None and time.monotonic() < deadline:
        if _answers(port, password):
            return True
        if stop_signal.wait(POLL_SECONDS):
            stop_all([server])
            stop_signal.check()
    return False


def _answers(port: int, password: str) -> bool:
    """True when our server answers, which its password proves: somebody else's would refuse it."""
    try:
        with socket.create_connection((LOOPBACK, port), timeout=1) as connection:
            connection.sendall(f"AUTH {password}\r\nPING\r\n".encode())
            return b"+PONG" in _read_answer(connection)
    except OSError:
        return False


def _read_answer(connection: socket.socket) -> bytes:
    answer = b""
    while answer.count(b"\r\n") < 2 and (received := connection.recv(1024)):
        answer += received
    return answer
