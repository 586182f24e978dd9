"""Workers as real child processes."""

import subprocess
import sys
import time
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import psutil
import pytest

from head_node.contracts import Hang, LiveWorker
from head_node.launchers import LocalLauncher, began_at

SLEEPER = """
import os, subprocess, time
subprocess.Popen(["sleep", "600"])
print(os.getpid(), flush=True)
time.sleep(600)
"""
WORKER = LiveWorker(placement_id=1, job_id=1, node="localhost", number=1, placed_at=datetime(2026, 1, 1, tzinfo=UTC))


@pytest.fixture
def launcher(tmp_path: Path) -> LocalLauncher:
    return LocalLauncher(
        command=lambda worker: [sys.executable, "-c", SLEEPER], log_file=lambda worker: tmp_path / "log" / "worker.log"
    )


def _claimed(tmp_path: Path) -> LiveWorker:
    """The worker as the database knows it once its process has claimed the placement."""
    log = tmp_path / "log" / "worker.log"
    for _ in range(12_000):
        if log.exists() and (words := log.read_text().split()):
            process = psutil.Process(int(words[0]))
            return replace(WORKER, process_id=process.pid, process_started=process.create_time())
        time.sleep(0.02)
    raise AssertionError("the worker did not start")


def test_a_worker_runs_in_a_session_of_its_own_and_dies_with_its_children(
    launcher: LocalLauncher, tmp_path: Path
) -> None:
    launcher.launch(WORKER)
    worker = _claimed(tmp_path)
    assert launcher.is_running(worker)
    process = psutil.Process(worker.process_id)
    child = process.children()[0]
    launcher.kill(worker)
    psutil.wait_procs([process, child], timeout=240)
    assert not launcher.is_running(worker)
    assert not child.is_running() or child.status() == psutil.STATUS_ZOMBIE


def test_another_process_of_the_same_number_is_not_the_worker(launcher: LocalLauncher) -> None:
    me = psutil.Process()
    impostor = replace(WORKER, process_id=me.pid, process_started=me.create_time() - 100)
    assert not launcher.is_running(impostor)
    launcher.kill(impostor)
    assert me.is_running()


def test_a_process_that_began_at_another_time_is_not_the_worker_by_either_clock(launcher: LocalLauncher) -> None:
    me = psutil.Process()
    for birth in (began_at(me), me.create_time()):
        assert launcher.is_running(replace(WORKER, process_id=me.pid, process_started=birth))
        assert not launcher.is_running(replace(WORKER, process_id=me.pid, process_started=birth - 100))


def test_only_a_page_that_holds_a_worker_of_this_machine_is_found() -> None:
    hang = Hang("https://example.org/", "It took too long.")
    launcher = LocalLauncher(
        command=lambda worker: [], log_file=lambda worker: Path(), find_hang=lambda worker: hang, machine="ours"
    )
    assert launcher.find_hang(replace(WORKER, machine="ours")) == hang
    assert launcher.find_hang(replace(WORKER, machine="another")) is None


def test_a_process_that_is_gone_began_at_no_time(launcher: LocalLauncher) -> None:
    with subprocess.Popen(["true"]) as child:
        process = psutil.Process(child.pid)
    with pytest.raises(psutil.NoSuchProcess):
        began_at(process)


def test_a_worker_that_never_claimed_has_no_process(launcher: LocalLauncher) -> None:
    assert not launcher.is_running(WORKER)


def test_a_worker_gets_the_environment_that_is_meant_for_it(tmp_path: Path) -> None:
    launcher = LocalLauncher(
        command=lambda worker: [sys.executable, "-c", "import os; print(os.environ['MEANT'], flush=True)"],
        log_file=lambda worker: tmp_path / "worker.log",
        environment={"MEANT": "for workers"},
    )
    launcher.launch(WORKER)
    psutil.wait_procs(psutil.Process().children(), timeout=60)
    assert not launcher.is_running(WORKER)
    assert launcher.last_words(WORKER) == "for workers"


def test_a_worker_that_the_machine_cannot_start_has_failed_to_begin_and_says_why(tmp_path: Path) -> None:
    (tmp_path / "log").write_text("a file where the folder should be")
    broken = LocalLauncher(command=lambda worker: ["true"], log_file=lambda worker: tmp_path / "log" / "worker.log")
    missing = LocalLauncher(command=lambda worker: ["/no/such/program"], log_file=lambda worker: tmp_path / "w.log")
    for launcher, told in ((broken, "File exists"), (missing, "No such file")):
        launcher.launch(WORKER)
        assert launcher.has_failed_to_begin(WORKER)
        assert launcher.last_words(WORKER).startswith("This machine could not start it: ")
        assert told in launcher.last_words(WORKER)
        launcher.kill(WORKER)
        assert not launcher.has_failed_to_begin(WORKER)


@pytest.mark.parametrize(("code", "starts"), [(3, 1), (0, 3)])
def test_a_worker_that_ends_with_an_error_before_its_claim_is_not_started_again(
    tmp_path: Path, code: int, starts: int
) -> None:
    """One that found its placement taken ends in good order, and is started again for as long as somebody asks."""
    launcher = LocalLauncher(
        command=lambda worker: [sys.executable, "-c", f"print('begun', flush=True); exit({code})"],
        log_file=lambda worker: tmp_path / "worker.log",
    )
    for _ in range(3):
        launcher.launch(WORKER)
        for child in launcher._children.values():
            child.wait()
    assert launcher.has_failed_to_begin(WORKER) == (code != 0)
    assert not launcher.has_failed_to_begin(replace(WORKER, placement_id=2))
    assert (tmp_path / "worker.log").read_text() == "begun\n" * starts
