"""The processes of the cluster: heads, agents, the website, the web; and the workers that they start."""

import contextlib
import os
import subprocess
import sys
from pathlib import Path

import psutil

from tests.chaos._cluster_hosts import Hosts

ROOT = Path(__file__).parents[2]


class Processes:
    """Started here by name; each logs to `folder`. `tokens` are the nodes' invitations."""

    def __init__(self, hosts: Hosts, folder: Path, env: dict[str, str]) -> None:
        self._hosts, self._folder, self._env = hosts, folder, env
        self.tokens: dict[str, str] = {}
        self.running: dict[str, subprocess.Popen[bytes]] = {}

    def start_head(self, name: str) -> None:
        self._start(name, "db", ["manage.py", "head"], self._env)

    def start_web(self, *, port: int) -> None:
        words = ["-m", "uvicorn", "backend.config.asgi:application", "--host", self._hosts.addresses["db"]]
        self._start("web", "db", [*words, "--port", str(port), "--lifespan", "off", "--no-access-log"], self._env)

    def start_agent(self, node: str) -> None:
        """With nothing but its token: the rest it must get from there."""
        kept = ("GLEANER_ALLOW_NETWORKS", "GLEANER_LOG_LEVEL")
        env = {name: value for name, value in self._env.items() if not name.startswith("GLEANER_") or name in kept}
        env |= {"GLEANER_VAR": str(self._folder / node), "GLEANER_HTTP_SLOTS": "3", "GLEANER_BROWSER_SLOTS": "0"}
        self._start(node, node, ["manage.py", "node", "--join", self.tokens[node]], env)

    def start_site(self, *, pages: int, port: int) -> None:
        words = ["-m", "backend.demo_site", "--host", self._hosts.addresses["site"]]
        self._start("site", "site", [*words, "--port", str(port), "--pages", str(pages)], self._env)

    def kill(self, name: str) -> None:
        process = self.running.pop(name)
        process.kill()
        process.wait()

    def stop_all(self) -> None:
        """Heads and agents first, gracefully, so that agents end their workers; then the rest."""
        for process in self.running.values():
            process.terminate()
        for process in self.running.values():
            try:
                process.wait(timeout=240)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
        self.running.clear()

    def workers(self) -> dict[int, psutil.Process]:
        """Worker processes that run, by the number of their placement."""
        found = {}
        for process in psutil.process_iter(["cmdline", "status"]):
            words = process.info["cmdline"] or []
            is_worker = len(words) > 2 and words[-3:-1] == ["work", "--placement"]
            if is_worker and process.info["status"] != psutil.STATUS_ZOMBIE and self._is_ours(process):
                found[int(words[-1])] = process
        return found

    def left(self) -> list[psutil.Process]:
        """Whatever of ours still runs, of whatever kind."""
        return [
            process
            for process in psutil.process_iter(["status"])
            if process.info["status"] != psutil.STATUS_ZOMBIE and process.pid != os.getpid() and self._is_ours(process)
        ]

    def _is_ours(self, process: psutil.Process) -> bool:
        with contextlib.suppress(psutil.Error):
            return process.environ().get("GLEANER_VAR", "").startswith(str(self._folder))
        return False

    def _start(self, name: str, host: str, words: list[str], env: dict[str, str]) -> None:
        command = self._hosts.on(host, [sys.executable, *words])
        with (self._folder / f"{name}.log").open("ab") as log:
            self.running[name] = subprocess.Popen(command, cwd=ROOT, env=env, stdout=log, stderr=log)
