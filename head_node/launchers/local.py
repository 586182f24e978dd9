"""Workers as child processes of this machine, each the leader of its own session: they outlive the head node."""

import contextlib
import os
import signal
import subprocess
from collections.abc import Callable, Sequence
from pathlib import Path

import psutil

from head_node.contracts import Hang, LiveWorker

CREATE_TIME_TOLERANCE_SECONDS = 1.0


class LocalLauncher:
    """`command` starts a worker, `log_file` takes its output, `find_hang` tells a page that holds it."""

    def __init__(
        self,
        *,
        command: Callable[[LiveWorker], Sequence[str]],
        log_file: Callable[[LiveWorker], Path],
        find_hang: Callable[[LiveWorker], Hang | None] = lambda _: None,
    ) -> None:
        self._command = command
        self._log_file = log_file
        self._find_hang = find_hang
        self._children: list[subprocess.Popen[bytes]] = []

    def launch(self, worker: LiveWorker) -> None:
        path = self._log_file(worker)
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("ab") as log:
            child = subprocess.Popen(  # noqa: S603 (our own command)
                self._command(worker), stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True
            )
        self._children.append(child)

    def is_running(self, worker: LiveWorker) -> bool:
        self._reap()
        return find_process(worker) is not None

    def find_hang(self, worker: LiveWorker) -> Hang | None:
        return self._find_hang(worker)

    def ask_to_stop(self, worker: LiveWorker) -> None:
        if process := find_process(worker):
            with contextlib.suppress(psutil.NoSuchProcess):
                process.terminate()

    def kill(self, worker: LiveWorker) -> None:
        """The worker's whole process group, at once."""
        if process := find_process(worker):
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
        self._reap()

    def _reap(self) -> None:
        """Children that ended would stay as zombies and look alive."""
        self._children = [child for child in self._children if child.poll() is None]


def find_process(worker: LiveWorker) -> psutil.Process | None:
    """The worker's process; None when it is gone, also when another process has its number now."""
    if worker.process_id is None or worker.process_started is None:
        return None
    try:
        process = psutil.Process(worker.process_id)
        is_same = abs(process.create_time() - worker.process_started) <= CREATE_TIME_TOLERANCE_SECONDS
        return process if is_same and process.status() != psutil.STATUS_ZOMBIE else None
    except psutil.NoSuchProcess:
        return None
