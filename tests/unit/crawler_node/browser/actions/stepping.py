"""A page of one's own for steps: what it shows afterwards, and what became of each."""

import re
from collections.abc import Mapping, Sequence
from html import unescape
from typing import Any

from crawler_node.browser import find_programs
from crawler_node.browser.actions import parse_actions
from crawler_node.browser.guard_proxy import GuardProxy
from crawler_node.browser.pool import BrowserPool
from crawler_node.browser.session import Rendering
from tests.unit.crawler_node.browser.showing import PATIENT, policy_for
from tests.unit.crawler_node.browser.test_manners import Server


async def after_steps(html: str, steps: Sequence[Mapping[str, Any]]) -> Rendering:
    """The page after its steps, in a browser of its own."""
    actions = parse_actions(steps)
    async with (
        Server({"/": html}) as server,
        GuardProxy(policy_for(server.url)) as proxy,
        BrowserPool(find_programs(), PATIENT, proxy=proxy.address) as pool,
    ):
        return await pool.run(lambda session: session.open(f"{server.url}/", actions))


def text_of(rendering: Rendering, name: str) -> str:
    """What stands in the element of an id."""
    found = re.search(rf'<\w+ id="{name}"[^>]*>(.*?)</', rendering.html, re.DOTALL)
    assert found is not None, rendering.html
    return unescape(found[1])
