"""`./gleaner up` as a person starts it: the real processes, on a database of their own."""

import os
import signal
import subprocess
import sys
import urllib.request

import pytest

from backend.bootstrap.processes.tree import descendants, living
from backend.bootstrap.servers.ports import private_free


class Running:
    """A started `./gleaner up`; `lines` is what it said until it was ready."""

    def __init__(self, clone, var, port):
        command = [sys.executable, clone.root / "gleaner", "up", "--port", str(port), "--demo", "--no-browser-setup"]
        env = {name: value for name, value in os.environ.items() if not name.startswith("GLEANER_")}
        pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, "text": True}
        self.process = subprocess.Popen(command, env={**env, "GLEANER_VAR": str(var)}, **pipes)
        self.lines = []
        for line in self.process.stdout:
            self.lines.append(line.strip())
            if line.startswith("Ctrl-C"):
                break
        self.below = set(descendants(self.process.pid))

    def stop(self, number):
        self.process.send_signal(number)
        said, _ = self.process.communicate()
        return said


@pytest.fixture
def running(set_up_clone, tmp_path):
    started = []

    def start(port):
        started.append(Running(set_up_clone, tmp_path / "var", port))
        return started[-1]

    yield start
    for one in started:
        with one.process:
            one.process.kill()


def fetch(url):
    with urllib.request.urlopen(url, timeout=240) as answer:
        return answer.status, answer.read().decode()


def test_it_serves_keeps_its_administrator_and_leaves_nobody_behind(running, tmp_path):
    port = private_free()
    first = running(port)
    assert any(line.startswith("Sign in as admin with the password ") for line in first.lines), first.lines
    assert any(line.endswith(f"http://127.0.0.1:{port}") for line in first.lines)
    assert fetch(f"http://127.0.0.1:{port}/healthz")[0] == 200
    demo = next(line.split()[-1] for line in first.lines if line.startswith("The demo site is at "))
    assert "<html" in fetch(f"{demo}/shop/")[1]
    assert len(first.below) >= 2
    assert "Gleaner has stopped." in first.stop(signal.SIGTERM)
    assert (first.process.returncode, living(first.below)) == (0, set())
    assert (tmp_path / "var" / "secret.key").stat().st_mode & 0o777 == 0o600

    second = running(port)
    assert not any("password" in line for line in second.lines)
    assert not any(line.startswith("database") for line in second.lines)
    assert fetch(f"http://127.0.0.1:{port}/healthz")[0] == 200
    second.stop(signal.SIGINT)
    assert (second.process.returncode, living(second.below)) == (0, set())
