import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from backend.bootstrap.errors import StoppedError
from backend.bootstrap.processes.children import Child, stop_all
from backend.bootstrap.processes.tree import descendants, living

RUN = "; print('up', flush=True); time.sleep(600)"
POLITE = "import signal, sys, time; signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))" + RUN
STUBBORN = "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN)" + RUN
# Starts a process in a session of its own, as chromedriver does, and leaves it behind.
DESERTER = "import subprocess, time; subprocess.Popen(['sleep', '600'], start_new_session=True)" + RUN


def start(script: str, log: Path, **options) -> Child:
    child = Child("worker", [sys.executable, "-c", script], log=log, **options)
    wait_for(lambda: "up" in child.tail())
    return child


def wait_for(condition) -> None:
    deadline = time.monotonic() + 240
    while not condition():
        assert time.monotonic() < deadline, "waited in vain"
        time.sleep(0.02)


def test_a_polite_process_leaves_when_asked(tmp_path):
    child = start(POLITE, tmp_path / "log")
    stop_all([child])
    assert child.exit_code == 0


def test_a_stubborn_process_is_killed_after_its_grace(tmp_path):
    child = start(STUBBORN, tmp_path / "log")
    stop_all([child], grace_seconds=0.2)
    assert child.exit_code == -signal.SIGKILL


def test_a_second_ctrl_c_ends_the_grace(tmp_path, asked_to_stop):
    child = start(STUBBORN, tmp_path / "log")
    previous = signal.signal(signal.SIGUSR1, asked_to_stop._receive)
    hurrier = subprocess.Popen(["sh", "-c", f"while sleep 0.3; do kill -USR1 {os.getpid()}; done"])
    stop_all([child], grace_seconds=3600)
    hurrier.kill()
    hurrier.wait()
    signal.signal(signal.SIGUSR1, previous)
    assert child.exit_code == -signal.SIGKILL


def test_processes_that_left_the_group_are_stopped_too(tmp_path):
    child = start(DESERTER, tmp_path / "log")
    wait_for(lambda: descendants(child.pid))
    below = set(descendants(child.pid))
    stop_all([child], grace_seconds=600)
    assert living(below) == set()


def test_the_whole_group_goes_down_with_its_leader(tmp_path):
    child = Child("shell", ["sh", "-c", "sleep 600 & sleep 600 & echo up; wait"], log=tmp_path / "log")
    wait_for(lambda: len(descendants(child.pid)) == 2)
    below = set(descendants(child.pid))
    stop_all([child])
    assert living(below | {child.pid}) == set()


def test_stopping_what_has_ended_is_harmless(tmp_path):
    child = Child("true", ["true"], log=tmp_path / "log")
    assert child.wait() == 0
    stop_all([child])
    stop_all([child])


def test_the_tail_is_this_processs_own(tmp_path):
    log = tmp_path / "log"
    log.write_text("from an earlier start\n")
    child = Child("echo", ["sh", "-c", "seq 1 100"], log=log)
    child.wait()
    assert child.tail(lines=3) == "98\n99\n100"
    assert "earlier" not in child.tail(lines=1000)


def test_waiting_is_ended_by_ctrl_c_and_takes_the_process_along(tmp_path, asked_to_stop):
    child = Child("sleep", ["sleep", "600"], log=tmp_path / "log")
    with pytest.raises(StoppedError):
        child.wait()
    assert child.exit_code == -signal.SIGTERM


def test_a_child_dies_with_a_door_that_is_killed(tmp_path, this_clone):
    door = (
        "import pathlib, sys, time\n"
        "from backend.bootstrap.processes.children import Child\n"
        "print(Child('sleep', ['sleep', '600'], log=pathlib.Path(sys.argv[1])).pid, flush=True)\n"
        "time.sleep(600)\n"
    )
    command = [sys.executable, "-c", door, str(tmp_path / "log")]
    with subprocess.Popen(command, cwd=this_clone.root, stdout=subprocess.PIPE, text=True) as process:
        child = int(process.stdout.readline())
        assert living({child}) == {child}
        process.kill()
    wait_for(lambda: not living({child}))


def test_the_door_ends_and_buries_whoever_is_left(this_clone):
    door = (
        "import subprocess\n"
        "from backend.bootstrap.processes import children, tree\n"
        "tree.become_subreaper()\n"
        "subprocess.run(['sh', '-c', 'setsid sleep 600 & setsid true & wait $!; echo $!'])\n"
        "before = len(tree.descendants(tree.os.getpid()))\n"
        "children.stop_strays()\n"
        "rows = [row for row in tree._all_processes() if row[1] == tree.os.getpid()]\n"
        "print(before, tree.descendants(tree.os.getpid()), len(rows))\n"
    )
    answer = subprocess.run(
        [sys.executable, "-c", door], cwd=this_clone.root, capture_output=True, text=True, check=True
    )
    assert answer.stdout.splitlines()[-1] == "1 [] 0"


def test_an_orphan_that_ended_is_buried_while_the_door_waits_for_somebody_else(this_clone, tmp_path):
    look = (
        "until [ -s pid ]; do sleep 0.02; done; read pid < pid; while [ -e /proc/$pid ]; do sleep 0.02; done; echo gone"
    )
    worker = f"(sh -c 'echo $$ > pid' &) ; {look}"
    door = (
        "import pathlib, sys\n"
        "from backend.bootstrap.processes import tree\n"
        "from backend.bootstrap.processes.children import Child\n"
        "tree.become_subreaper()\n"
        "folder = pathlib.Path(sys.argv[1])\n"
        "sys.exit(Child('worker', ['sh', '-c', sys.argv[2]], cwd=folder, log=folder / 'log').wait())\n"
    )
    command = [sys.executable, "-c", door, str(tmp_path), worker]
    assert subprocess.run(command, cwd=this_clone.root, check=False).returncode == 0
    assert (tmp_path / "log").read_text() == "gone\n"
