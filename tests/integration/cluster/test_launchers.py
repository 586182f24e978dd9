"""Both launchers keep the one contract: the local one, and Celery over a real Redis with a real Celery worker."""

import os
import signal
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from django.conf import settings

from backend.apps.jobs.head_store import SqlHeadStore
from backend.apps.jobs.models import Job
from backend.apps.jobs.placements import wish_kill
from backend.apps.nodes.models import Node
from backend.apps.nodes.services import LOCALHOST, register_localhost
from backend.config.celery import app, send_hint
from backend.config.launching import local_launcher
from head_node import Launcher, LiveWorker, Placement
from head_node.launchers import CeleryLauncher
from tests.contracts.launcher import LauncherContract, wait_until

pytestmark = [pytest.mark.postgres, pytest.mark.redis]
Start = Callable[..., "subprocess.Popen[bytes]"]


@pytest.fixture(autouse=True)
def _same_folder(process_env: dict[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(settings, "VAR_DIR", tmp_path)


def placing_on(node: str) -> Callable[[Job], LiveWorker]:
    def place(job: Job) -> LiveWorker:
        worker = SqlHeadStore().place(Placement(job.pk, 1, node))
        assert worker is not None
        return worker

    return place


class TestLocalLauncher(LauncherContract):
    @pytest.fixture
    def launcher(self) -> Iterator[Launcher]:
        register_localhost(version="1", now=SqlHeadStore().now())
        launcher = local_launcher()
        yield launcher
        for child in launcher._children.values():  # they are meant to outlive it, but not this test
            child.kill()
            child.wait()

    @pytest.fixture
    def place(self) -> Callable[[Job], LiveWorker]:
        return placing_on(LOCALHOST)

    @pytest.fixture
    def abandon(self) -> Callable[[], Launcher]:
        return local_launcher


class TestCeleryLauncher(LauncherContract):
    @pytest.fixture
    def agent(self, start: Start) -> "subprocess.Popen[bytes]":
        process = start("node", "--name", "n1")
        wait_until(lambda: Node.objects.filter(name="n1", has_left=False).exists(), "the registration")
        return process

    @pytest.fixture
    def launcher(self, agent: "subprocess.Popen[bytes]", redis_url: str, monkeypatch: pytest.MonkeyPatch) -> Launcher:
        monkeypatch.setitem(app.conf, "broker_url", redis_url)
        return CeleryLauncher(send=send_hint, wish_kill=wish_kill)

    @pytest.fixture
    def place(self) -> Callable[[Job], LiveWorker]:
        return placing_on("n1")

    @pytest.fixture
    def abandon(self, agent: "subprocess.Popen[bytes]", launcher: Launcher, start: Start) -> Callable[[], Launcher]:
        """Kill the agent, and with it the Celery worker; the next agent finds what it left."""

        def abandon() -> Launcher:
            os.kill(agent.pid, signal.SIGKILL)
            agent.wait()
            start("node", "--name", "n1")
            return launcher

        return abandon
