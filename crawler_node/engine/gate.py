"""A worker's own view of its hosts: the last word on when a request goes out.

The store reserves slots for all workers; the gate only ever delays, never hastens. It keeps the agreed gap between two
requests that really go out (a late one must not crowd the next) and the number of requests open at one host. The server
sees a request some time between its going out and its answer: where nothing else is open at the host, or the answer
comes before the gap is over, the gap counts from the answer, so that the server's own log shows none shorter.
"""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field


@dataclass(slots=True)
class _HostView:
    in_flight: int = 0
    free_at: float = 0.0
    turn: asyncio.Lock = field(default_factory=asyncio.Lock)
    holder: int | None = None


class HostGate:
    """Moments are on the worker's own clock, which only ever measures durations."""

    def __init__(self, *, clock: Callable[[], float], max_in_flight: int) -> None:
        self._clock = clock
        self._max_in_flight = max_in_flight
        self._hosts: dict[str, _HostView] = {}

    def is_full(self, host: str) -> bool:
        """Whether as many requests as allowed are open at the host, or one lease has it for itself."""
        view = self._hosts.get(host)
        return view is not None and (view.in_flight >= self._max_in_flight or view.turn.locked())

    def free_at(self, host: str) -> float:
        """The moment from which the host may be asked."""
        view = self._hosts.get(host)
        return 0.0 if view is None else view.free_at

    def enter(self, host: str, *, gap_seconds: float) -> None:
        """A request goes out now; the next may follow after the gap."""
        view = self._hosts.get(host)
        if view is None:
            view = self._hosts[host] = _HostView()
        view.in_flight += 1
        if gap_seconds > 0:
            view.free_at = max(view.free_at, self._clock() + gap_seconds)

    async def ask_again(self, host: str, *, fence: int, gap_seconds: float) -> None:
        """Wait until another request of the same lease may go out (the page after its robots.txt, or in a browser).

        How long it takes to go out nobody knows (a browser may have to start), so with a gap the host is the lease's
        own until it leaves.
        """
        if gap_seconds <= 0:
            return
        view = self._hosts[host]
        if view.holder != fence:
            await view.turn.acquire()
            view.holder = fence
        await asyncio.sleep(gap_seconds)
        view.free_at = max(view.free_at, self._clock() + gap_seconds)

    def leave(self, host: str, *, fence: int, gap_seconds: float) -> None:
        """The answer is in."""
        view = self._hosts[host]
        view.in_flight -= 1
        if view.holder == fence:
            view.holder = None
            view.turn.release()
        now = self._clock()
        if gap_seconds > 0 and (view.in_flight == 0 or view.free_at > now):
            view.free_at = max(view.free_at, now + gap_seconds)
        if view.in_flight == 0 and view.free_at <= now:
            del self._hosts[host]

    def close(self, host: str, *, seconds: float) -> None:
        """The host asked for rest."""
        view = self._hosts.setdefault(host, _HostView())
        view.free_at = max(view.free_at, self._clock() + seconds)
