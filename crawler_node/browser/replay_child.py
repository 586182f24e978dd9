"""The child of `replay.py`: one order from standard input, then a message for every step and one for the page."""

import asyncio
import os
import signal
import sys
import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import asdict
from typing import Any

import psutil

from crawler_node.browser.actions import Chain, Onlooker, StepReport, parse_actions
from crawler_node.browser.lane import BrowserLane
from crawler_node.browser.login import Login, parse_cookies
from crawler_node.browser.options import BrowserOptions
from crawler_node.browser.processes import memory_of
from crawler_node.browser.programs import BrowserPrograms
from crawler_node.browser.replay import ReplayOrder
from crawler_node.contracts import FetchFailure
from crawler_node.errors import SpecError
from crawler_node.extract.frames import pack, unpack
from crawler_node.fetch import HttpLane, LaneOptions, parse_allow_networks

_LOOK_SECONDS = 0.5


def main() -> None:
    """Answer one order."""
    os.nice(5)
    message, _ = unpack(sys.stdin.buffer.read)
    order, programs = ReplayOrder(**message["order"]), BrowserPrograms(**message["programs"])
    try:
        asyncio.run(_replay(order, programs))
    except SpecError as error:
        _tell({"failure": str(error)})
    except (asyncio.CancelledError, BrokenPipeError):
        sys.stdout = None  # nobody listens any more


async def _replay(order: ReplayOrder, programs: BrowserPrograms) -> None:
    replaying = asyncio.current_task()
    assert replaying is not None  # noqa: S101 - asyncio.run makes one
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, replaying.cancel)
    async with _open_lane(order, programs) as lane, _memory_watched(order):
        page = await lane.replay(order.url, Onlooker(_tell_step, tuple(order.hidden)))
        if isinstance(page, FetchFailure):
            _tell({"failure": page.sentence})
            return
        told = {"url": page.url, "status": page.status, "headers": dict(page.headers), "lane": page.lane}
        _tell({**told, "load_seconds": page.load_seconds}, page.body)


@asynccontextmanager
async def _open_lane(order: ReplayOrder, programs: BrowserPrograms) -> AsyncIterator[BrowserLane]:
    http_options = LaneOptions(
        user_agent=order.user_agent,
        headers=order.headers,
        proxies=tuple(order.proxies),
        policy=parse_allow_networks(order.networks),
    )
    options = BrowserOptions(
        user_agent=order.user_agent,
        headers=order.headers,
        with_images=True,
        memory_bytes=order.memory_bytes,
        chain=Chain(parse_actions(order.actions)),
        login=_login(order),
        cookies=parse_cookies(order.cookies),
    )
    async with HttpLane(http_options) as http, BrowserLane(http, programs, options) as lane:
        yield lane


def _login(order: ReplayOrder) -> Login | None:
    if not order.login:
        return None
    return Login(order.login["url"], parse_actions(order.login["actions"]), order.login["logged_out"])


@asynccontextmanager
async def _memory_watched(order: ReplayOrder) -> AsyncIterator[None]:
    """A browser that takes more memory than it may costs the replay; what it has told counts."""
    over = threading.Event()

    def watch() -> None:
        while not over.wait(_LOOK_SECONDS):
            if sum(map(memory_of, psutil.Process().children(recursive=True))) > order.memory_bytes:
                _tell({"failure": f"The page took more than {order.memory_bytes // 1_000_000} MB of memory."})
                os.kill(os.getpid(), signal.SIGTERM)
                return

    watcher = threading.Thread(target=watch, daemon=True)
    watcher.start()
    try:
        yield
    finally:
        over.set()
        watcher.join()


def _tell_step(report: StepReport) -> None:
    told: dict[str, Any] = asdict(report)
    picture = told.pop("picture")
    _tell(told, picture)


def _tell(message: dict[str, Any], attachment: bytes = b"") -> None:
    sys.stdout.buffer.write(pack(message, attachment))
    sys.stdout.buffer.flush()


if __name__ == "__main__":
    main()
