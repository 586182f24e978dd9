"""What may be chosen about browsers, frozen for the life of a lane."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from crawler_node.browser.actions.chain import Chain
from crawler_node.browser.login import Cookie, Login
from crawler_node.browser.machine import MachineSlots

WINDOW = (1280, 900)


@dataclass(frozen=True, slots=True)
class BrowserOptions:
    """`slots` browsers at most, each used for so many pages or until it holds so much memory. Where `machine` is given,
    there are no more than it has slots, over all workers that are given the same.

    `headers` go to hosts of which `is_own` is true; without it to the page's own host; and without `headers_in_open`
    only over https.

    A window is opened on `display` (X11's name for it) where one is wanted.

    A page rests when nothing in it has changed for `quiet_seconds` and nothing it asked for is on its way; after
    `settle_seconds` it is taken as it is. `chain` is run on the pages it is for, within `deadline_seconds` and its own
    budget. Who asks for a page has `lease_seconds` for it, so nobody waits longer for a browser than leaves time enough
    to show it.
    """

    user_agent: str = "Gleaner"
    headers: Mapping[str, str] = field(default_factory=dict)
    is_own: Callable[[str], bool] | None = None
    headers_in_open: bool = True
    slots: int = 1
    machine: MachineSlots | None = None
    with_window: bool = False
    display: str = ""
    with_images: bool = False
    deadline_seconds: float = 30.0
    start_seconds: float = 30.0
    lease_seconds: float = 390.0
    settle_seconds: float = 5.0
    quiet_seconds: float = 0.1
    pages_per_browser: int = 200
    memory_bytes: int = 1_500_000_000
    max_page_bytes: int = 10_000_000
    chain: Chain = field(default_factory=Chain)
    login: Login | None = None
    cookies: tuple[Cookie, ...] = ()
