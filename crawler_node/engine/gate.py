"""A worker's own view of its hosts: the last word on when a request goes out.

The store reserves slots for all workers; the gate only ever delays, never hastens. It keeps the agreed gap between two
requests that really go out (a late one must not crowd the next) and the number of requests open at one host. The server
sees a request some time between its going out and its answer: where nothing else is open at the host, or the answer
comes before the gap is over, the gap counts from the answer, so that the server's own log shows none shorter.

A browser asks for its page some time after it was told to. Its requests take the host's *road* when they really go out
and leave it with the answer: one at a time, a gap after the one before, however many browsers there are.
"""

import asyncio
import contextlib
from collections.abc import Callable
from dataclasses import dataclass, field

# A request that stays without an answer holds up others for so long.
_ROAD_SECONDS = 10.0
# So many hosts are remembered before those that nothing is left to know of are looked for.
_FEW_HOSTS = 1_000


@dataclass(slots=True)
class _HostView:
    """`seen_at` is the last moment at which a request can have reached the host; `browsers` go out later."""

    in_flight: int = 0
    free_at: float = 0.0
    turn: asyncio.Lock = field(default_factory=asyncio.Lock)
    holder: int | None = None
    seen_at: float = float("-inf")
    browsers: set[int] = field(default_factory=set)
    road: asyncio.Lock = field(default_factory=asyncio.Lock)
    traveller: int | None = None


class HostGate:
    """Moments are on the worker's own clock, which only ever measures durations."""

    def __init__(self, *, clock: Callable[[], float], max_in_flight: int) -> None:
        self._clock = clock
        self._max_in_flight = max_in_flight
        self._hosts: dict[str, _HostView] = {}
        self._most_hosts = _FEW_HOSTS

    def is_full(self, host: str) -> bool:
        """Whether as many requests as allowed are open at the host, or one lease has it for itself."""
        view = self._hosts.get(host)
        return view is not None and (view.in_flight >= self._max_in_flight or view.turn.locked())

    def free_at(self, host: str) -> float:
        """The moment from which the host may be asked."""
        view = self._hosts.get(host)
        return 0.0 if view is None else view.free_at

    def enter(self, host: str, *, gap_seconds: float, browser: int | None = None) -> None:
        """A request goes out now, or that of a `browser` (a fence) later; the next may follow after the gap."""
        view = self._hosts.get(host)
        if view is None:
            self._forget_idle()
            view = self._hosts[host] = _HostView()
        view.in_flight += 1
        if browser is not None:
            view.browsers.add(browser)
        if gap_seconds > 0:
            now = self._clock()
            view.free_at = max(view.free_at, now + gap_seconds)
            view.seen_at = view.seen_at if browser is not None else now

    async def ask_again(self, host: str, *, fence: int, gap_seconds: float, in_browser: bool = False) -> None:
        """Wait until another request of the same lease may go out (the page after its robots.txt, or in a browser).

        How long it takes to go out nobody knows (a browser may have to start), so with a gap the host is the lease's
        own until it leaves.
        """
        if gap_seconds <= 0:
            return
        view = self._hosts[host]
        view.seen_at = self._clock()
        if in_browser:
            view.browsers.add(fence)
        if view.holder != fence:
            await view.turn.acquire()
            view.holder = fence
        await asyncio.sleep(gap_seconds)
        now = self._clock()
        view.free_at = max(view.free_at, now + gap_seconds)
        view.seen_at = view.seen_at if fence in view.browsers else now

    async def go_out(self, host: str, *, fence: int, gap_seconds: float) -> None:
        """Wait until a browser's request may leave; it has the road until `answered`."""
        view = self._hosts.get(host)
        if view is None or gap_seconds <= 0:
            return
        self.answered(host, fence=fence, gap_seconds=gap_seconds)  # what led on to this one has come
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(_ROAD_SECONDS):
                await view.road.acquire()
            view.traveller = fence
        while (wait := view.seen_at + gap_seconds - self._clock()) > 0:
            await asyncio.sleep(wait)
        view.seen_at = self._clock()
        view.free_at = max(view.free_at, view.seen_at + gap_seconds)

    def answered(self, host: str, *, fence: int, gap_seconds: float) -> None:
        """The answer to a browser's request is in, or will not come."""
        view = self._hosts.get(host)
        if view is None or view.traveller != fence:
            return
        view.traveller = None
        view.road.release()
        view.seen_at = self._clock()
        view.free_at = max(view.free_at, view.seen_at + gap_seconds)

    def leave(self, host: str, *, fence: int, gap_seconds: float) -> None:
        """The answer is in."""
        self.answered(host, fence=fence, gap_seconds=gap_seconds)
        view = self._hosts[host]
        view.in_flight -= 1
        if view.holder == fence:
            view.holder = None
            view.turn.release()
        now = self._clock()
        if gap_seconds > 0 and (view.in_flight == 0 or view.free_at > now):
            view.free_at = max(view.free_at, now + gap_seconds)
            view.seen_at = view.seen_at if fence in view.browsers else now
        view.browsers.discard(fence)
        if view.in_flight == 0 and view.free_at <= now:
            del self._hosts[host]

    def close(self, host: str, *, seconds: float) -> None:
        """The host asked for rest."""
        view = self._hosts.setdefault(host, _HostView())
        view.free_at = max(view.free_at, self._clock() + seconds)

    def _forget_idle(self) -> None:
        """Let go of hosts that may be asked at once, whenever there are twice as many as after the last time."""
        if len(self._hosts) < self._most_hosts:
            return
        now = self._clock()
        self._hosts = {host: view for host, view in self._hosts.items() if view.in_flight or view.free_at > now}
        self._most_hosts = max(2 * len(self._hosts), _FEW_HOSTS)
