import os
import subprocess
import sys

import pytest

from backend.bootstrap.console import report
from backend.bootstrap.errors import StoppedError
from backend.bootstrap.setup.locks import LockHeld, hold, hold_after_waiting

HOLDER = """
import sys, pathlib
from backend.bootstrap.setup.locks import hold
with hold(pathlib.Path(sys.argv[1]), port=8123):
    print("held", flush=True)
    sys.stdin.read()
"""


@pytest.fixture
def other_holder(tmp_path, this_clone):
    """Another process that holds the lock until its stdin is closed or it is killed."""
    command = [sys.executable, "-c", HOLDER, str(tmp_path / "lock")]
    with subprocess.Popen(command, cwd=this_clone.root, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdout.readline() == b"held\n"
        yield process
        process.kill()


def test_a_held_lock_is_refused_and_names_its_holder(tmp_path, other_holder):
    with pytest.raises(LockHeld) as refusal, hold(tmp_path / "lock"):
        pytest.fail("held twice")
    assert refusal.value.holder == {"pid": other_holder.pid, "port": 8123}


def test_a_killed_holder_frees_the_lock(tmp_path, other_holder):
    other_holder.kill()
    other_holder.wait()
    with hold(tmp_path / "lock", port=1):
        pass


def test_a_lock_can_be_taken_again_after_it_was_given_back(tmp_path):
    for _ in range(2):
        with hold(tmp_path / "lock"), pytest.raises(LockHeld) as refusal, hold(tmp_path / "lock"):
            pytest.fail("held twice")
        assert refusal.value.holder == {"pid": os.getpid()}


def test_waiting_ends_when_the_holder_leaves(tmp_path, other_holder, capsys, monkeypatch):
    def report_and_end_holder(text):
        report(text)
        other_holder.kill()

    monkeypatch.setattr("backend.bootstrap.setup.locks.report", report_and_end_holder)
    with hold_after_waiting(tmp_path / "lock", reason="another Gleaner is setting up"):
        assert other_holder.wait() != 0
    assert capsys.readouterr().err == f"  waiting: another Gleaner is setting up (process {other_holder.pid})\n"


def test_ctrl_c_ends_the_waiting(tmp_path, other_holder, asked_to_stop):
    with pytest.raises(StoppedError), hold_after_waiting(tmp_path / "lock", reason="…"):
        pytest.fail("held twice")
    assert other_holder.poll() is None


def test_what_is_raised_inside_comes_out_and_frees_the_lock(tmp_path):
    with pytest.raises(ZeroDivisionError), hold_after_waiting(tmp_path / "lock", reason="…"):
        _ = 1 / 0

    with hold(tmp_path / "lock"):
        pass
