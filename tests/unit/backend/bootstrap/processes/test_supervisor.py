import signal
import sys
import time

import pytest

from backend.bootstrap.errors import ChildDiedError
from backend.bootstrap.processes.children import Child
from backend.bootstrap.processes.stop_signal import stop_signal
from backend.bootstrap.processes.supervisor import MAX_RESTARTS, Role, Supervisor
from backend.bootstrap.processes.tree import descendants, living, send_signal


@pytest.fixture(autouse=True)
def fresh_signal():
    stop_signal.requested = 0
    yield
    stop_signal.requested = 0


class Starts:
    """A role whose process runs a script; the last of several starts asks everything to stop."""

    def __init__(self, folder, script, *, stop_after):
        self.folder, self.script, self.stop_after, self.count = folder, script, stop_after, 0

    def __call__(self):
        self.count += 1
        if self.count > self.stop_after:
            stop_signal.requested = 1
        return Child("web", [sys.executable, "-c", self.script], log=self.folder / "web.log")


def test_a_process_that_died_is_reported_and_started_again(tmp_path, capsys):
    starts = Starts(tmp_path, "raise SystemExit('the database is gone')", stop_after=2)
    supervisor = Supervisor([Role("web", starts)])
    supervisor.start()
    supervisor.watch()
    supervisor.stop()
    heard = capsys.readouterr()
    assert starts.count == 3
    assert heard.err.count("the database is gone") == 2
    assert heard.err.count("The web process ended with exit code 1. Its log is") == 2
    assert heard.err.count("Starting web again.") == 2


def test_a_process_that_keeps_dying_ends_everything(tmp_path, monkeypatch):
    monkeypatch.setattr("backend.bootstrap.processes.supervisor.RESTART_WINDOW_SECONDS", 3600.0)
    starts = Starts(tmp_path, "import os, signal; os.kill(os.getpid(), signal.SIGKILL)", stop_after=99)
    supervisor = Supervisor([Role("web", starts)])
    supervisor.start()
    with pytest.raises(ChildDiedError, match="The web process was ended by signal 9"):
        supervisor.watch()
    supervisor.stop()
    assert starts.count == 1 + MAX_RESTARTS


def test_before_everything_is_ready_a_death_is_final(tmp_path):
    supervisor = Supervisor([Role("web", Starts(tmp_path, "raise SystemExit('no such module')", stop_after=1))])
    supervisor.start()
    supervisor.running["web"].wait()
    with pytest.raises(ChildDiedError) as death:
        supervisor.check_all_alive()
    assert death.value.detail == "no such module"


def test_stopping_takes_everyone_along(tmp_path):
    sleep = "import time; time.sleep(600)"
    roles = [Role(name, Starts(tmp_path, sleep, stop_after=9)) for name in ("web", "head node")]
    supervisor = Supervisor(roles)
    supervisor.start()
    children = list(supervisor.running.values())
    supervisor.stop()
    assert [child.exit_code for child in children] == [-signal.SIGTERM] * 2
    assert supervisor.running == {}


HEAD_WITH_WORKER = """
import signal, subprocess, sys, time
subprocess.Popen([sys.executable, "-c", sys.argv[1]], start_new_session=True)
time.sleep(600)
"""
WORKER = """
import os, signal, sys, time
def hand_back(*_):
    try:
        os.kill(WEB, 0)
        answers = open(f"/proc/{WEB}/stat").read().split()[2] != "Z"
    except OSError:
        answers = False
    print("handed back while the web process", "answers" if answers else "is gone", flush=True)
    sys.exit()
signal.signal(signal.SIGTERM, hand_back)
print("at work", flush=True)
time.sleep(600)
"""


class HeadWithWorker:
    """A web process, and a head node whose worker has a session of its own and hands its work back when asked."""

    def __init__(self, folder):
        self.log = folder / "head.log"
        self.web = Child("web", ["sleep", "600"], log=folder / "web.log")
        web, head = Role("web", lambda: self.web), Role("head node", self.start_head, has_workers=True)
        self.supervisor = Supervisor([web, head])
        self.supervisor.start()
        self.wait_for("at work")

    def start_head(self):
        worker = WORKER.replace("WEB", str(self.web.pid))
        return Child("head node", [sys.executable, "-c", HEAD_WITH_WORKER, worker], log=self.log)

    def wait_for(self, words, times=1):
        deadline = time.monotonic() + 240
        while self.log.read_text().count(words) < times:
            assert time.monotonic() < deadline, self.log.read_text()
            time.sleep(0.02)


def test_workers_hand_back_their_work_while_the_rest_still_answers(tmp_path):
    site = HeadWithWorker(tmp_path)
    site.supervisor.stop()
    assert site.log.read_text() == "at work\nhanded back while the web process answers\n"
    assert site.web.exit_code == -signal.SIGTERM


def test_workers_live_on_when_their_head_node_dies(tmp_path):
    site = HeadWithWorker(tmp_path)
    (worker,) = descendants(site.supervisor.running["head node"].pid)
    site.supervisor.running["head node"].process.kill()
    site.supervisor.running["head node"].wait()
    site.supervisor._restart(site.supervisor.roles[1], now=0.0)
    site.wait_for("at work", times=2)
    assert living({worker}) == {worker}
    send_signal(worker, signal.SIGTERM)
    site.wait_for("handed back")
    site.supervisor.stop()


@pytest.mark.parametrize(("script", "complaints"), [("pass", 0), ("raise SystemExit('no shop')", 1)])
def test_a_task_ends_by_itself_and_is_not_started_again(tmp_path, capsys, monkeypatch, script, complaints):
    def start():
        return Child("demo", [sys.executable, "-c", script], log=tmp_path / "demo.log")

    over = tmp_path / "the task is over"
    wait = f"import pathlib, time\nwhile not pathlib.Path({str(over)!r}).exists(): time.sleep(0.05)"
    supervisor = Supervisor([Role("web", Starts(tmp_path, wait, stop_after=1))])
    supervisor.start()
    finish = supervisor._finish
    monkeypatch.setattr(supervisor, "_finish", lambda role: (finish(role), over.touch()))
    supervisor.add(Role("demo", start, is_task=True))
    supervisor.watch()
    assert list(supervisor.running) == ["web"]
    supervisor.stop()
    assert capsys.readouterr().err.count("The demo process ended with exit code 1.") == complaints
