"""A web process of its own, and listeners to its events."""

import http.client
import json
import socket
import subprocess
import sys
import threading
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from typing import Any

from backend.bootstrap.servers.ports import LOOPBACK, private_free
from tests.integration.runners.live import ROOT, LiveGleaner

PATIENCE_SECONDS = 240.0


@dataclass
class Web:
    """uvicorn as `./gleaner up` starts it."""

    port: int
    process: "subprocess.Popen[bytes]"

    def get(self, path: str, **headers: str) -> tuple[int, bytes]:
        connection = http.client.HTTPConnection(LOOPBACK, self.port, timeout=PATIENCE_SECONDS)
        try:
            connection.request("GET", path, headers=headers)
            answer = connection.getresponse()
            return answer.status, answer.read()
        finally:
            connection.close()


@contextmanager
def running_web(gleaner: LiveGleaner, **settings: str) -> Iterator[Web]:
    port = private_free()
    command = [sys.executable, "-m", "uvicorn", "backend.config.asgi:application", "--host", LOOPBACK]
    command += ["--port", str(port), "--lifespan", "off", "--no-access-log", "--timeout-graceful-shutdown", "900"]
    process = subprocess.Popen(command, cwd=ROOT, env={**gleaner.env, **settings})
    try:
        wait_until(lambda: _answers(port))
        yield Web(port, process)
    finally:
        process.terminate()
        try:
            process.wait(timeout=PATIENCE_SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def _answers(port: int) -> bool:
    try:
        with urllib.request.urlopen(f"http://{LOOPBACK}:{port}/healthz", timeout=20) as answer:
            return bool(answer.status == 200)
    except OSError:
        return False


@dataclass
class Stream:
    """One listener. `events` has (id, kind, data) as they come; `is_over` when the server closed it."""

    web: Web
    token: str
    query: str = ""
    after: int | None = None
    events: list[tuple[int, str, Any]] = field(default_factory=list)
    is_over: bool = False

    def __enter__(self) -> "Stream":
        self._connection = http.client.HTTPConnection(LOOPBACK, self.web.port, timeout=PATIENCE_SECONDS)
        headers = {"Authorization": f"Bearer {self.token}", "Accept": "text/event-stream"}
        if self.after is not None:
            headers["Last-Event-ID"] = str(self.after)
        self._connection.connect()
        self._socket = self._connection.sock
        self._connection.request("GET", f"/api/v1/events{self.query}", headers=headers)
        self._answer = self._connection.getresponse()
        assert self._answer.status == 200, self._answer.read()
        assert self._answer.headers["Content-Type"].startswith("text/event-stream")
        assert self._answer.readline() == b"retry: 2000\n"
        self._thread = threading.Thread(target=self._read, daemon=True)
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        with suppress(OSError):
            self._socket.shutdown(socket.SHUT_RDWR)  # wakes the thread that reads
        self._thread.join(timeout=PATIENCE_SECONDS)
        self._connection.close()

    def wait_for(self, kind: str, **wanted: Any) -> dict[str, Any]:
        """The first event of that kind whose data has these values."""

        def found() -> Any:
            matches = (data for _, told, data in self.events if told == kind and wanted.items() <= data.items())
            return next(matches, None)

        wait_until(lambda: found() is not None)
        return dict(found())

    def kinds(self) -> list[str]:
        return [kind for _, kind, _ in self.events]

    def _read(self) -> None:
        with suppress(OSError, ValueError, AttributeError, http.client.HTTPException):
            self._read_events()
        self.is_over = True

    def _read_events(self) -> None:
        parts: dict[str, str] = {}
        while line := self._answer.readline():
            name, _, value = line.decode().rstrip("\n").partition(": ")
            if name:
                parts[name] = value
            elif "data" in parts:
                self.events.append((int(parts["id"]), parts["event"], json.loads(parts["data"])))
                parts = {}


def wait_until(condition: Any) -> None:
    deadline = time.monotonic() + PATIENCE_SECONDS
    while not condition():
        assert time.monotonic() < deadline, "it did not happen in time"
        time.sleep(0.05)
