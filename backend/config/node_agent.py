"""The agent of a crawler node: signs of life, a watch over the workers of its machine, and the node's Celery worker.

Workers are processes of their own: an agent that dies leaves them at work, and its successor finds them again.
"""

import contextlib
import logging
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Sequence

from django.conf import settings
from django.db import DatabaseError, connection

from backend.apps.jobs.clock import database_now
from backend.apps.jobs.placements import placements_on, report_gone, report_hang
from backend.apps.nodes.models import Node
from backend.apps.nodes.services import beat_node, leave, register_node
from backend.bootstrap.processes.tree import die_with_parent
from backend.config.celery import queue_of
from backend.config.launching import local_launcher, own_slots
from backend.config.observing.metrics import NODE_TURNS
from backend.config.refusals import Refusals
from backend.config.worker_files import KEPT, remove_worker_files
from head_node import LiveWorker

log = logging.getLogger(__name__)
TURN_SECONDS = 0.5
BEAT_SECONDS = 2.0
TIDY_SECONDS = 3600.0
STOP_PATIENCE_SECONDS = 12.0


class Revoked(Exception):
    """The node may not take part any more."""


class CeleryProcess:
    """The process that listens to this node's queue; started again when it ends."""

    def __init__(self, name: str) -> None:
        options = ["--pool=solo", "--concurrency=1", "--without-gossip", "--without-mingle", "--without-heartbeat"]
        self._command = [sys.executable, "-m", "celery", "--quiet", "-A", "backend.config.celery", "worker"]
        self._command += ["-Q", queue_of(name).name, "-n", f"{name}@%h", "--loglevel=WARNING", *options]
        self._process: subprocess.Popen[bytes] | None = None

    def keep_running(self) -> None:
        """Where the machine cannot start it (no memory, no process), the next turn may: who watches workers stays."""
        if self._process is None or self._process.poll() is not None:
            try:
                self._process = self._start()
            except OSError as error:
                log.warning("This machine could not start Celery (%s). Trying again.", error)

    def _start(self) -> "subprocess.Popen[bytes]":
        return subprocess.Popen(  # noqa: S603 (our own command)
            self._command,
            cwd=settings.BASE_DIR,
            env={**os.environ, "CELERY_SKIP_CHECKS": "1"},  # the checks would load the whole web
            start_new_session=True,
            preexec_fn=die_with_parent(),  # noqa: PLW1509 (no other thread runs yet, or holds a lock it needs)
        )

    def stop(self) -> None:
        if self._process is None:
            return
        self._process.terminate()
        try:
            self._process.wait(timeout=5)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()


class NodeAgent:
    """`run` until `stop` is set or the node was revoked; then workers are asked to stop, and the node says good-bye."""

    def __init__(self, *, name: str, token: str, address: str, labels: Sequence[str] = ()) -> None:
        self._name, self._token, self._address, self._labels = name, token, address, labels
        self._machine = socket.gethostname()
        self._launcher = local_launcher()
        self._celery = CeleryProcess(name)
        self._next_beat = 0.0
        self._next_tidying = 0.0
        self._node: Node | None = None
        self._refusals = Refusals()
        self._seen: list[tuple[LiveWorker, bool]] = []

    def run(self, stop: threading.Event, *, after_turn: Callable[[], None] = lambda: None) -> None:
        try:
            while not stop.is_set():
                self._turn()
                after_turn()
                stop.wait(TURN_SECONDS)
        except Revoked:
            self._celery.stop()
            self._stop_workers()
            raise
        finally:
            self._celery.stop()
        self._stop_workers()
        self._try(self._say_goodbye)

    def _turn(self) -> None:
        self._celery.keep_running()
        self._try(self._watch_and_beat)
        NODE_TURNS.inc()

    def _try(self, act: Callable[[], None]) -> None:
        """A database that is away is asked again later, with a new connection; workers go on meanwhile."""
        try:
            act()
        except DatabaseError as error:
            connection.close()
            if self._refusals.is_final(error):
                raise Revoked from error
            log.warning("The database does not answer (%s). Trying again.", error)
        else:
            self._refusals.forget()

    def _watch_and_beat(self) -> None:
        if self._node is None:
            self._node = self._register()
        self._look()
        workers = [worker for worker, is_unwanted in self._seen if self._watch(worker, is_unwanted)]
        if time.monotonic() >= self._next_beat:
            folder = settings.VAR_DIR
            if not beat_node(node=self._node, now=database_now(), folder=folder, workers=len(workers)):
                raise Revoked
            self._next_beat = time.monotonic() + BEAT_SECONDS
        if time.monotonic() >= self._next_tidying:
            self._next_tidying = time.monotonic() + TIDY_SECONDS
            remove_worker_files(before=database_now() - KEPT)

    def _register(self) -> Node:
        return register_node(
            name=self._name,
            token=self._token,
            address=self._address,
            version=settings.VERSION,
            slots=own_slots(),
            now=database_now(),
            labels=self._labels,
        )

    def _look(self) -> None:
        self._seen = placements_on(node=self._name, machine=self._machine)

    def _watch(self, worker: LiveWorker, is_unwanted: bool) -> bool:
        """Whether it runs. End it when that is wished, and tell what the head cannot see from where it is."""
        if is_unwanted:
            self._launcher.kill(worker)
        if not self._launcher.is_running(worker):
            report_gone(worker, last_words=self._launcher.last_words(worker))
            return False
        if worker.hang is None and (hang := self._launcher.find_hang(worker)):
            report_hang(worker, hang)
        return True

    def _say_goodbye(self) -> None:
        if self._node is not None:
            leave(node=self._node)

    def _stop_workers(self) -> None:
        """They hand back their work; who takes too long is ended. Who may not ask any more knows the last answer."""
        with contextlib.suppress(Revoked):
            self._try(self._look)
        running = [worker for worker, _ in self._seen]
        for worker in running:
            self._launcher.ask_to_stop(worker)
        deadline = time.monotonic() + STOP_PATIENCE_SECONDS
        while any(self._launcher.is_running(worker) for worker in running) and time.monotonic() < deadline:
            time.sleep(0.1)
        for worker in running:
            self._launcher.kill(worker)


def stop_on_signals() -> threading.Event:
    stop = threading.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: stop.set())
    return stop
