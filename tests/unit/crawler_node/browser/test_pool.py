"""Browsers end with their worker, are replaced when worn, and are never waited for."""

import asyncio
import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import psutil
import pytest

from backend.demo_site import DemoSite
from crawler_node.browser import MachineSlots, find_programs
from crawler_node.browser import pool as pools
from crawler_node.browser.actions import parse_actions
from crawler_node.browser.pool import BrowserPool
from crawler_node.browser.session import BrowserSession
from crawler_node.contracts import FetchedPage
from crawler_node.errors import BrowserBusyError, BrowserError
from tests.processes import still_running
from tests.unit.crawler_node.browser.showing import PATIENT, fetch_all

pytestmark = pytest.mark.browser
ROOT = Path(__file__).parents[4]
WORKER = """
import asyncio, os, signal, psutil
from crawler_node.browser import BrowserOptions, find_programs
from crawler_node.browser.pool import BrowserPool

async def work():
    async with BrowserPool(find_programs(), BrowserOptions(start_seconds=120), proxy="http://127.0.0.1:1") as pool:
        await pool.run(lambda session: None)
        print(*(process.pid for process in psutil.Process().children(recursive=True)), flush=True)
        os.kill(os.getpid(), signal.SIGKILL)

asyncio.run(work())
"""


def test_browsers_die_with_a_worker_that_is_killed() -> None:
    done = subprocess.run([sys.executable, "-c", WORKER], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == -9, done.stderr
    left = [psutil.Process(int(pid)) for pid in done.stdout.split() if psutil.pid_exists(int(pid))]
    assert len(done.stdout.split()) >= 3
    assert still_running(left, patience_seconds=120) == []


def test_a_worn_browser_is_replaced_and_the_pages_go_on(site: DemoSite) -> None:
    pages = [f"{site.url}/dynamic/item/{1001 + number}" for number in range(3)]
    options = replace(PATIENT, pages_per_browser=1)
    answers = fetch_all(pages, options, site.url)
    assert [answer.status for answer in answers.values() if isinstance(answer, FetchedPage)] == [200, 200, 200]


NOWHERE = "http://127.0.0.1:1"


@pytest.mark.parametrize("steps", range(6))
def test_whoever_is_cancelled_in_the_moment_its_browser_is_done_is_cancelled(steps: int) -> None:
    """Else the page that a closing pool leaves just then is left again and again, and the worker never ends."""
    may_end = threading.Event()

    async def cancel_in_that_moment() -> bool:
        async with BrowserPool(find_programs(), PATIENT, proxy=NOWHERE) as pool:
            slot = pool._slots[0]
            task = asyncio.create_task(slot._bounded(lambda: may_end.wait(20), seconds=20))
            await asyncio.sleep(0.05)
            may_end.set()
            time.sleep(0.05)  # the thread is done, and the loop has not heard of it
            for _ in range(steps):
                await asyncio.sleep(0)
            was_cancelled = task.cancel()
            await asyncio.wait([task])
            return task.cancelled() == was_cancelled

    assert asyncio.run(cancel_in_that_moment())


def pools_of(folder: Path, *, count: int, slots: Sequence[int]) -> list[BrowserPool]:
    """What several workers of a machine with so many slots would open."""
    machine = MachineSlots(folder, count)
    return [
        BrowserPool(find_programs(), replace(PATIENT, slots=each, machine=machine), proxy=NOWHERE) for each in slots
    ]


def browsers_open() -> int:
    """Of this process: the ones at the top of their trees."""
    return sum(map(is_browser, psutil.Process().children()))


def is_browser(process: psutil.Process) -> bool:
    try:
        return "--remote-debugging-port=0" in process.cmdline()
    except psutil.Error:
        return False  # it has ended


async def test_all_workers_of_a_machine_have_no_more_browsers_than_it_has_slots(tmp_path: Path) -> None:
    before, seen = browsers_open(), []

    def look(_: BrowserSession) -> None:
        time.sleep(0.5)
        seen.append(browsers_open() - before)

    one, other = pools_of(tmp_path, count=2, slots=[2, 2])
    async with one, other:
        await asyncio.gather(*(pool.run(look) for pool in (one, other) for _ in range(4)))
    assert len(seen) == 8
    assert max(seen) <= 2


async def test_an_idle_browser_is_given_up_for_a_worker_that_has_none(tmp_path: Path) -> None:
    one, other = pools_of(tmp_path, count=1, slots=[1, 1])
    async with one, other:
        first = await one.run(lambda session: session.folder)
        assert await one.run(lambda session: session.folder) == first
        assert await other.run(lambda session: session.folder) != first
        assert not Path(first).exists()


async def test_a_busy_browser_is_given_up_after_a_while_for_a_worker_that_has_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pools, "_OWN_SECONDS", 0.0)
    one, other = pools_of(tmp_path, count=1, slots=[1, 1])
    async with one, other:
        waiting: asyncio.Task[str] | None = None
        while waiting is None or not waiting.done():
            await one.run(lambda _: time.sleep(0.2))
            waiting = waiting or asyncio.create_task(other.run(lambda session: session.folder))
        assert await waiting


async def test_a_worker_that_waits_does_not_hinder_its_own_browsers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pools, "_OWN_SECONDS", 0.0)
    [one] = pools_of(tmp_path, count=1, slots=[3])
    async with one:
        folders = await asyncio.gather(*(one.run(lambda session: session.folder) for _ in range(6)))
    assert len(set(folders)) == 1


async def test_a_page_that_fills_the_memory_is_ended_while_it_does_and_told_so(
    site: DemoSite, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Any browser holds more than that; the page would keep it for longer than the test has time."""
    monkeypatch.setattr(pools, "_WATCH_SECONDS", 0.1)
    steps = parse_actions([{"type": "wait", "seconds": 200}])
    async with BrowserPool(find_programs(), replace(PATIENT, memory_bytes=5_000_000), proxy=NOWHERE) as pool:
        with pytest.raises(BrowserError, match=r"The page took more than 5 MB of memory, so its browser was ended\."):
            await pool.run(lambda session: session.open(site.url, steps), seconds=300)


async def test_who_waits_too_long_for_a_browser_is_told_that_all_are_busy() -> None:
    async with BrowserPool(find_programs(), PATIENT, proxy=NOWHERE) as pool:
        busy, done = threading.Event(), threading.Event()

        def hold(_: BrowserSession) -> None:
            busy.set()
            done.wait()

        holding = asyncio.create_task(pool.run(hold))
        await asyncio.to_thread(busy.wait)
        with pytest.raises(BrowserBusyError):
            await pool.run(lambda session: session.folder, wait_seconds=0.05)
        done.set()
        await holding
        assert await pool.run(lambda session: session.folder, wait_seconds=60)
