"""The very commands of the images and of the compose file, run as ordinary processes on the files an image gets.

No Docker engine is needed, and none is tested: what runs here is what would run in the containers.
"""

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from backend.bootstrap.servers.ports import private_free
from tests.integration.docker.images import ROLES, ROOT, read_compose, read_dockerfile
from tests.integration.runners.live import live_gleaner

pytestmark = [pytest.mark.postgres, pytest.mark.redis]
PATIENCE_SECONDS = 400.0
STAGES = read_dockerfile()


class Containers:
    """Processes with the files, environment and commands of the images."""

    def __init__(self, folder: Path, settings: dict[str, str]) -> None:
        self.app = folder / "app"
        self._ports = {role: str(private_free()) for role in ROLES}
        self._settings = settings
        self._lay_out()
        self.running: dict[str, subprocess.Popen[bytes]] = {}

    def _lay_out(self) -> None:
        """What COPY brings into /app, compiled as the build would, and a user interface as it would leave it."""
        for sources, target in STAGES["web"].copies:
            for source in sources:
                place = self.app / target / source if target.endswith("./") else self.app / target
                place.parent.mkdir(parents=True, exist_ok=True)
                copy = shutil.copytree if (ROOT / source).is_dir() else shutil.copy2
                copy(ROOT / source, place)
        (self.app / "frontend" / "dist").mkdir(parents=True)
        (self.app / "frontend" / "dist" / "index.html").write_text("<!doctype html><title>Gleaner</title>")

    def env(self, role: str) -> dict[str, str]:
        """As the image and compose say, on ports and in a folder of this test's own."""
        own = {"UVICORN_HOST": "127.0.0.1", "UVICORN_PORT": self._ports[role], "PATH": _path()}
        own |= {"GLEANER_METRICS_PORT": self._ports[role], "GLEANER_VAR": self._settings["GLEANER_VAR"]}
        given = read_compose()["services"][role]["environment"]
        plain = {name: value for name, value in given.items() if "$" not in value}
        inherited = {name: value for name, value in os.environ.items() if not name.startswith("GLEANER_")}
        return {**inherited, **STAGES[role].env, **plain, **self._settings, **own}

    def run(self, role: str, command: list[str]) -> "subprocess.CompletedProcess[str]":
        return subprocess.run(command, cwd=self.app, env=self.env(role), capture_output=True, text=True, check=False)

    def start(self, role: str) -> None:
        log = (self.app / f"{role}.out").open("wb")
        command = STAGES[role].command
        self.running[role] = subprocess.Popen(command, cwd=self.app, env=self.env(role), stdout=log, stderr=log)
        log.close()

    def is_healthy(self, role: str) -> bool:
        return self.run(role, STAGES[role].healthcheck).returncode == 0

    def nodes(self) -> dict[str, dict[str, Any]]:
        """What the cluster knows of its nodes, by name."""
        found = json.loads(self.run("head_node", ["python", "manage.py", "nodes", "--json"]).stdout)
        return {node["name"]: node for node in found}

    def stop(self) -> dict[str, int]:
        """Everybody is asked to end; how each did."""
        for process in self.running.values():
            process.terminate()
        return {role: process.wait() for role, process in self.running.items()}


def _path() -> str:
    return os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])


@pytest.fixture
def containers(tmp_path: Path) -> Iterator[Containers]:
    with live_gleaner(tmp_path / "var", os.environ["GLEANER_TEST_DATABASE_URL"]) as gleaner:
        settings = {name: gleaner.env[name] for name in ("GLEANER_VAR", "GLEANER_DATABASE_URL")}
        settings["GLEANER_REDIS_URL"] = os.environ["GLEANER_TEST_REDIS_URL"]
        made = Containers(tmp_path, settings)
        yield made
        for process in made.running.values():
            if process.poll() is None:
                process.kill()
                process.wait()


def wait_until(condition: Callable[[], bool]) -> None:
    deadline = time.monotonic() + PATIENCE_SECONDS
    while not condition():
        assert time.monotonic() < deadline, "it did not happen in time"
        time.sleep(0.5)


def test_every_role_starts_is_healthy_and_ends_when_asked(containers: Containers) -> None:
    migrated = containers.run("web", read_compose()["services"]["migrate"]["command"])
    assert migrated.returncode == 0, migrated.stderr
    assert "Sign in as admin with the password" in migrated.stdout
    assert not containers.is_healthy("web")
    for role in ROLES:
        containers.start(role)
    for role in ROLES:
        wait_until(lambda role=role: containers.is_healthy(role))
    name = subprocess.run(["hostname"], capture_output=True, text=True, check=True).stdout.strip()
    wait_until(lambda: containers.nodes()[name]["state"] == "online")
    nothing = containers.nodes()["localhost"]
    assert (nothing["http_slots"], nothing["browser_slots"]) == (0, 0)
    # uvicorn ends in good order, then by the very signal it was given.
    assert containers.stop() == {"web": -signal.SIGTERM, "head_node": 0, "crawler_node": 0}
    assert not any(containers.is_healthy(role) for role in ROLES)
