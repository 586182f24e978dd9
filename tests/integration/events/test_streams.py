"""Event streams of a real web process: who hears what, going on after a break, and ending in good order."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import pytest

from tests.integration.events.streams import Stream, Web, running_web, wait_until
from tests.integration.runners.live import ROOT, LiveGleaner, live_gleaner

pytestmark = pytest.mark.live


class LiveWorld:
    """A child process that lets things happen in the database."""

    def __init__(self, gleaner: LiveGleaner) -> None:
        code = "from tests.integration.events.world import follow_orders; follow_orders()"
        command = [sys.executable, str(ROOT / "manage.py"), "shell", "--no-imports", "-v0", "-c", code]
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
        self._child = subprocess.Popen(command, cwd=ROOT, env=gleaner.env, text=True, **pipes)
        self.facts: dict[str, Any] = self._hear()

    def happen(self, message: str, **what: Any) -> None:
        self._child.stdin.write(json.dumps({"message": message, **what}) + "\n")
        self._child.stdin.flush()
        assert self._hear() == {"done": True}

    def close(self) -> None:
        self._child.stdin.close()
        self._child.wait()
        self._child.stdout.close()

    def _hear(self) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(self._child.stdout.readline())
        return found


@pytest.fixture(scope="module")
def gleaner(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveGleaner]:
    with live_gleaner(tmp_path_factory.mktemp("events"), os.environ.get("GLEANER_DATABASE_URL", "")) as live:
        yield live


@pytest.fixture(scope="module")
def made(gleaner: LiveGleaner) -> Iterator[LiveWorld]:
    world = LiveWorld(gleaner)
    yield world
    world.close()


@pytest.fixture(scope="module")
def web(gleaner: LiveGleaner) -> Iterator[Web]:
    with running_web(gleaner, GLEANER_METRICS_TOKEN="numbers") as running:
        yield running


def test_members_hear_of_their_project_strangers_of_nodes_only(made: LiveWorld, web: Web) -> None:
    member, stranger = made.facts["member"], made.facts["stranger"]
    with Stream(web, member) as own, Stream(web, stranger) as other, Stream(web, member, "?kinds=log") as log:
        made.happen("Hello.", node="n1", pages=7)
        assert own.wait_for("log", message="Hello.")["level"] == "info"
        wait_until(lambda: any(kind == "runner" and data["statistics"]["pages"] == 7 for _, kind, data in own.events))
        other.wait_for("node", name="n1")
        log.wait_for("log", message="Hello.")
        assert set(other.kinds()) == {"node"}
        assert set(log.kinds()) == {"log"}
        told = [identity for identity, _, _ in own.events]
        assert told == sorted(set(told))
        numbers = web.get("/metrics", Authorization="Bearer numbers")[1].decode()
        assert "gleaner_event_streams 3.0" in numbers
        assert 'gleaner_jobs{kind="runner",state="queued"} 1.0' in numbers


def test_a_returning_listener_gets_what_it_missed_and_nothing_twice(made: LiveWorld, web: Web) -> None:
    with Stream(web, made.facts["member"]) as first:
        made.happen("One.")
        first.wait_for("log", message="One.")
        last = first.events[-1][0]
    with Stream(web, made.facts["stranger"]):  # somebody listens: events go on being collected
        made.happen("Two.")
        with Stream(web, made.facts["member"], after=last) as again:
            again.wait_for("log", message="Two.")
            made.happen("Three.")
            again.wait_for("log", message="Three.")
            assert [data["message"] for _, kind, data in again.events if kind == "log"] == ["Two.", "Three."]
    with Stream(web, made.facts["member"], after=10**6) as lost:
        lost.wait_for("reset")


def test_who_leaves_a_project_hears_no_more_of_it(made: LiveWorld, web: Web) -> None:
    with Stream(web, made.facts["leaver"]) as own:
        made.happen("Before.")
        own.wait_for("log", message="Before.")
        made.happen("Leaving.", leave=True)
        # Rights are looked up every ten seconds: what is said after that is not for him.
        for number in range(100, 150):
            made.happen(f"Word {number}.", node=f"n{number}")
            own.wait_for("node", name=f"n{number}")
            if not any(data.get("message") == f"Word {number}." for _, _, data in own.events):
                break
        else:
            pytest.fail("he heard everything to the end")


def test_refusals_are_told_in_the_apis_words(made: LiveWorld, web: Web) -> None:
    stranger = {"Authorization": f"Bearer {made.facts['stranger']}", "Accept": "text/event-stream"}
    for path, headers, status in (
        ("/api/v1/events", {}, 401),
        (f"/api/v1/events?project={made.facts['project']}", stranger, 404),
        (f"/api/v1/events?runner={made.facts['runner']}", stranger, 404),
        ("/api/v1/events?kinds=weather", stranger, 400),
        ("/api/v1/events?project=x", stranger, 400),
    ):
        found, body = web.get(path, **headers)
        assert (found, set(json.loads(body))) == (status, {"code", "detail", "fields"}), path


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_server_that_is_asked_to_end_ends_its_streams(gleaner: LiveGleaner, made: LiveWorld, number: int) -> None:
    """Else it would wait for them as long as it may."""
    with running_web(gleaner) as web, Stream(web, made.facts["member"]) as own:
        made.happen("Soon over.", pages=number)
        own.wait_for("log", message="Soon over.")
        web.process.send_signal(number)
        wait_until(lambda: own.is_over)
        assert web.process.wait(timeout=240) in (0, -number)
