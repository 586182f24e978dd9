import signal
import sys

import pytest

from backend.bootstrap.errors import ChildDiedError
from backend.bootstrap.processes.children import Child
from backend.bootstrap.processes.stop_signal import stop_signal
from backend.bootstrap.processes.supervisor import MAX_RESTARTS, Role, Supervisor


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
    assert heard.out.count("Starting web again.") == 2


def test_a_process_that_keeps_dying_ends_everything(tmp_path):
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
    sleep = "import time; time.sleep(60)"
    roles = [Role(name, Starts(tmp_path, sleep, stop_after=9)) for name in ("web", "head node")]
    supervisor = Supervisor(roles)
    supervisor.start()
    children = list(supervisor.running.values())
    supervisor.stop()
    assert [child.exit_code for child in children] == [-signal.SIGTERM] * 2
    assert supervisor.running == {}
