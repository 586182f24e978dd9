"""Browsers end with their worker, are replaced when worn, and are never waited for."""

import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import psutil
import pytest

from backend.demo_site import DemoSite
from crawler_node.contracts import FetchedPage
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
