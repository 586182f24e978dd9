"""Browsers for tests: pages of the demo site, opened behind the guard in one browser after another."""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from typing import TypeVar

from crawler_node.browser import BrowserLane, BrowserOptions, BrowserPrograms, find_programs
from crawler_node.browser.guard_proxy import GuardProxy
from crawler_node.browser.pool import BrowserPool
from crawler_node.browser.session import BrowserSession
from crawler_node.contracts import FetchedPage, FetchFailure, Lease, Redirect
from crawler_node.fetch import HttpLane, LaneOptions, NetworkPolicy, parse_allow_networks

# Pages that rest are done sooner; a busy machine may need all of it.
PATIENT = BrowserOptions(deadline_seconds=120, start_seconds=120, settle_seconds=60)
Answer = FetchedPage | Redirect | FetchFailure
_T = TypeVar("_T")


def lease_of(url: str, *, depth: int = 0, attempt: int = 1) -> Lease:
    return Lease(url, b"key", "host", depth, attempt, 0.0, 1)


def policy_for(*urls: str) -> NetworkPolicy:
    return parse_allow_networks([url.removeprefix("http://").rstrip("/") for url in urls])


def fetch_all(urls: Sequence[str], options: BrowserOptions, *allowed: str) -> Mapping[str, Answer]:
    """What the lane says of each page, one after another."""

    async def work() -> dict[str, Answer]:
        http = HttpLane(LaneOptions(policy=policy_for(*allowed)))
        async with http, BrowserLane(http, find_programs(), options) as lane:
            return {url: await lane.fetch(lease_of(url)) for url in urls}

    return asyncio.run(work())


def with_browser(
    work: Callable[[BrowserSession], _T],
    options: BrowserOptions,
    *allowed: str,
    programs: BrowserPrograms | None = None,
) -> _T:
    """Work with one browser."""

    async def run() -> _T:
        async with (
            GuardProxy(policy_for(*allowed)) as proxy,
            BrowserPool(programs or find_programs(), options, proxy=proxy.address) as pool,
        ):
            return await pool.run(work, seconds=1500)

    return asyncio.run(run())
