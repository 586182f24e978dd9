"""The site in a process of its own, so that its CPU time is not the crawler's."""

import json
import subprocess
import sys
import urllib.request
from types import TracebackType
from typing import Self

from backend.demo_site.options import SiteOptions
from backend.demo_site.request_log import LoggedRequest

STOP_TIMEOUT_SECONDS = 10


class SiteProcess:
    """`with SiteProcess(options) as site:`, then `site.url`; the log and the knobs go over the control endpoints."""

    def __init__(self, options: SiteOptions | None = None) -> None:
        self._options = options or SiteOptions()
        self._process: subprocess.Popen[str]
        self.url = ""

    @property
    def pid(self) -> int:
        return self._process.pid

    def start(self) -> Self:
        """Return when the site answers."""
        self._process = subprocess.Popen(_command(self._options), stdout=subprocess.PIPE, text=True)  # noqa: S603
        output = self._process.stdout
        self.url = output.readline().strip().rstrip("/") if output else ""
        if not self.url:
            self.stop()
            raise RuntimeError("The demo site did not start; its own words are on standard error.")
        return self

    def stop(self) -> None:
        """End the process and wait for it."""
        self._process.terminate()
        try:
            self._process.wait(STOP_TIMEOUT_SECONDS)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        if self._process.stdout is not None:
            self._process.stdout.close()

    def log_entries(self, *, since: int = 0) -> list[LoggedRequest]:
        """The requests seen since the last reset, in order of arrival."""
        lines = self._ask(f"/_control/log?since={since}").splitlines()
        return [LoggedRequest.from_json(line) for line in lines]

    def turn(self, **knobs: int | float | str) -> None:
        """Set knobs of the site, such as `version`."""
        self._ask("/_control/state", json.dumps(knobs).encode())

    def reset(self) -> None:
        """Forget the log and the counters, and put the knobs back."""
        self._ask("/_control/reset", b"")

    def _ask(self, path: str, body: bytes | None = None) -> str:
        with urllib.request.urlopen(self.url + path, data=body) as answer:  # noqa: S310 - our own loopback address
            text: str = answer.read().decode()
            return text

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(
        self, kind: type[BaseException] | None, fault: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()


def _command(options: SiteOptions) -> list[str]:
    command = [sys.executable, "-m", "backend.demo_site", "--host", options.host, "--port", str(options.port)]
    command += ["--pages", str(options.pages), "--robots", options.robots]
    return [*command, "--log", str(options.log_file)] if options.log_file else command
