"""From started to stopped: wait until the web process answers, tell the person, watch, and stop everything."""

import http.client
import os
import sys
import time
import webbrowser

from backend.bootstrap.console import say
from backend.bootstrap.errors import ChildDiedError
from backend.bootstrap.processes import tree
from backend.bootstrap.processes.children import stop_strays
from backend.bootstrap.processes.roles import Site
from backend.bootstrap.processes.stop_signal import stop_signal
from backend.bootstrap.processes.supervisor import Role, Supervisor
from backend.bootstrap.servers.ports import LOOPBACK

READY_SECONDS = 120.0
ASK_SECONDS = 0.2


def serve(supervisor: Supervisor, site: Site, *, welcome: str, task: Role | None = None) -> None:
    """Run until somebody asks to stop; nobody is left running, however this ends. `task` begins once all is ready."""
    started = time.monotonic()
    try:
        supervisor.start()
        _wait_until_ready(supervisor, site.port)
        _greet(site, welcome, seconds=time.monotonic() - started, opens_browser=task is None)
        if task is not None:
            supervisor.add(task)
        supervisor.watch()
        say("\nStopping. A second Ctrl-C does not wait for running work.")
    finally:
        supervisor.stop()
        stop_strays()  # workers that lost their head node
    say("Gleaner has stopped.")


def _wait_until_ready(supervisor: Supervisor, port: int) -> None:
    deadline = time.monotonic() + READY_SECONDS
    while not (_listens(supervisor) and _answers(port)):
        supervisor.check_all_alive()
        if time.monotonic() > deadline:
            raise ChildDiedError(
                f"Gleaner did not answer within {READY_SECONDS:.0f} seconds.", detail=supervisor.running["web"].tail()
            )
        stop_signal.wait(ASK_SECONDS)
        stop_signal.check()


def _listens(supervisor: Supervisor) -> bool:
    """Our own process has the port, and not somebody who came first and would answer in its place."""
    return "Uvicorn running on" in supervisor.running["web"].tail()


def _answers(port: int) -> bool:
    """Any answer but a server error will do: with GLEANER_HTTPS even this address redirects."""
    connection = http.client.HTTPConnection(LOOPBACK, port, timeout=5)
    try:
        connection.request("GET", "/healthz")
        return connection.getresponse().status < http.HTTPStatus.INTERNAL_SERVER_ERROR
    except (OSError, http.client.HTTPException):
        return False
    finally:
        connection.close()


def _greet(site: Site, welcome: str, *, seconds: float, opens_browser: bool) -> None:
    if welcome:
        say(f"\n{welcome}")
    if site.demo_url:
        say(f"\nThe demo site is at {site.demo_url}")
    say(f"\nGleaner is ready after {seconds:.1f} s: {site.url}\nCtrl-C stops it.")
    if opens_browser and has_display():
        os.environ[tree.SPARED] = "1"  # the person's browser outlives us
        webbrowser.open(site.url)


def has_display() -> bool:
    """A person sits in front of this terminal and has a screen for a browser window."""
    return sys.stdout.isatty() and bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))
