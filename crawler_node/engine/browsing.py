"""Leases that want a browser: no more of them are begun than there are browsers to show their pages."""

from typing import Protocol, runtime_checkable

from crawler_node.contracts import Lease
from crawler_node.engine.pages import Lane, PageWork
from crawler_node.engine.shelf import Shelf

# Where leases wait beside the shelf's heap: no host is called so.
_QUEUE = " browsers"


@runtime_checkable
class BrowserCountingLane(Protocol):
    """A lane that shows so many pages at once in browsers."""

    @property
    def browser_slots(self) -> int: ...


class Browsing:
    """Of one worker. A lease that would only wait for a browser, its time running out and a thread held up, is parked
    until one of those in work is done."""

    def __init__(self, lane: Lane, pages: PageWork, shelf: Shelf) -> None:
        self._slots = lane.browser_slots if isinstance(lane, BrowserCountingLane) else None
        self._pages = pages
        self._shelf = shelf
        self._fences: set[int] = set()

    def park(self, lease: Lease) -> bool:
        """Whether the lease has to wait, and does so from now on."""
        is_full = self._slots is not None and len(self._fences) >= self._slots
        if not is_full or not self._pages.uses_browser(lease):
            return False
        self._shelf.parked.setdefault(_QUEUE, []).append(lease)
        return True

    def begin(self, lease: Lease) -> int | None:
        """The page is asked for now: its fence where a browser does so, else None."""
        if not self._pages.uses_browser(lease):
            return None
        self._fences.add(lease.fence)
        return lease.fence

    def end(self, lease: Lease) -> None:
        """The page is done; those that wait may be begun."""
        if lease.fence in self._fences:
            self._fences.discard(lease.fence)
            self._shelf.unpark(_QUEUE, 0.0)
