"""Workers as child processes of this machine, each the leader of its own session: they outlive the head node."""

import contextlib
import os
import signal
import subprocess
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import psutil

from head_node.contracts import Hang, LiveWorker
from head_node.launchers.births import began_at

CREATE_TIME_TOLERANCE_SECONDS = 1.0
TAIL_BYTES = 2_000


class LocalLauncher:
    """`command` starts a worker in `environment`, `log_file` takes its output, `find_hang` tells a page that holds it.

    `machine` is the name of this one: of workers that a head on another machine started, nothing can be known here.
    """

    def __init__(
        self,
        *,
        command: Callable[[LiveWorker], Sequence[str]],
        log_file: Callable[[LiveWorker], Path],
        find_hang: Callable[[LiveWorker], Hang | None] = lambda _: None,
        machine: str = "",
        environment: Mapping[str, str] | None = None,
    ) -> None:
        self._command = command
        self._environment = environment
        self._log_file = log_file
        self._find_hang = find_hang
        self._machine = machine
        self._children: dict[int, subprocess.Popen[bytes]] = {}
        self._failed: dict[int, str] = {}

    def launch(self, worker: LiveWorker) -> None:
        self._reap()
        is_on_its_way = worker.placement_id in self._children
        if is_on_its_way or worker.placement_id in self._failed:
            return
        try:
            self._children[worker.placement_id] = self._start(worker)
        except OSError as error:  # no memory, no process, no disk: this worker's trouble, not its head's
            self._failed[worker.placement_id] = f"This machine could not start it: {error}."

    def _start(self, worker: LiveWorker) -> "subprocess.Popen[bytes]":
        path = self._log_file(worker)
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("ab") as log:
            return subprocess.Popen(  # noqa: S603 (our own command)
                self._command(worker),
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                env=self._environment,
                start_new_session=True,
            )

    def is_within_reach(self) -> bool:
        return True

    def is_running(self, worker: LiveWorker) -> bool:
        self._reap()
        return self._is_elsewhere(worker) or find_process(worker) is not None

    def has_failed_to_begin(self, worker: LiveWorker) -> bool:
        """Who found its placement taken has ended in good order."""
        self._reap()
        return worker.process_id is None and worker.placement_id in self._failed

    def is_here(self, worker: LiveWorker) -> bool:
        if worker.process_id is None:  # another machine's head may have placed it on what it calls localhost too
            return worker.placement_id in self._children
        return not self._is_elsewhere(worker)

    def find_hang(self, worker: LiveWorker) -> Hang | None:
        """Of this machine's workers: in a folder that machines share lie those of others too, with another clock."""
        return None if self._is_elsewhere(worker) else self._find_hang(worker)

    def ask_to_stop(self, worker: LiveWorker) -> None:
        if self._is_elsewhere(worker):
            return
        if process := find_process(worker):
            with contextlib.suppress(psutil.NoSuchProcess):
                process.terminate()

    def kill(self, worker: LiveWorker) -> None:
        """The worker's whole process group, at once; one that has not claimed its placement yet too."""
        if not self._is_elsewhere(worker) and (process := find_process(worker)):
            _kill_group(process.pid)
        self._reap()
        if worker.process_id is None and (child := self._children.get(worker.placement_id)):
            _kill_group(child.pid)
        self._failed.pop(worker.placement_id, None)

    def last_words(self, worker: LiveWorker) -> str:
        if told := self._failed.get(worker.placement_id):
            return told
        path = self._log_file(worker)
        if self._is_elsewhere(worker) or not path.exists():
            return ""
        with path.open("rb") as log:
            log.seek(max(0, path.stat().st_size - TAIL_BYTES))
            return log.read().decode(errors="replace").strip()

    def _is_elsewhere(self, worker: LiveWorker) -> bool:
        return worker.machine not in ("", self._machine)

    def _reap(self) -> None:
        """Children that ended would stay as zombies and look alive. Which of them failed is remembered.

        What they said is in their log; only who never began has words of ours.
        """
        ended = {number: child.returncode for number, child in self._children.items() if child.poll() is not None}
        self._failed |= {number: "" for number, code in ended.items() if code}
        self._children = {number: child for number, child in self._children.items() if number not in ended}


def _kill_group(leader: int) -> None:
    with contextlib.suppress(ProcessLookupError):
        os.killpg(leader, signal.SIGKILL)


def find_process(worker: LiveWorker) -> psutil.Process | None:
    """The worker's process; None when it is gone, also when another process has its number now."""
    if worker.process_id is None or worker.process_started is None:
        return None
    try:
        process = psutil.Process(worker.process_id)
        # Workers that an older version started have told the other one.
        births = (began_at(process), process.create_time())
        is_same = any(abs(birth - worker.process_started) <= CREATE_TIME_TOLERANCE_SECONDS for birth in births)
        return process if is_same and process.status() != psutil.STATUS_ZOMBIE else None
    except psutil.NoSuchProcess:
        return None
