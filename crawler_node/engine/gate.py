"""A worker's own view of its hosts: the last word on when a request goes out.

The store reserves slots for all workers; the gate only ever delays, never hastens. It keeps the agreed gap between two
requests that really go out (a late one must not crowd the next) and the number of requests open at one host.
"""

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(slots=True)
class _HostView:
    in_flight: int = 0
    free_at: float = 0.0


class HostGate:
    """Moments are on the worker's own clock, which only ever measures durations."""

    def __init__(self, *, clock: Callable[[], float], max_in_flight: int) -> None:
        self._clock = clock
        self._max_in_flight = max_in_flight
        self._hosts: dict[str, _HostView] = {}

    def is_full(self, host: str) -> bool:
        """Whether as many requests as allowed are open at the host."""
        view = self._hosts.get(host)
        return view is not None and view.in_flight >= self._max_in_flight

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

    def ask_again(self, host: str, *, gap_seconds: float) -> None:
        """Another request of the same lease goes out now (the page after its robots.txt)."""
        view = self._hosts[host]
        view.free_at = max(view.free_at, self._clock() + gap_seconds)

    def leave(self, host: str) -> None:
        """The answer is in."""
        view = self._hosts[host]
        view.in_flight -= 1
        if view.in_flight == 0 and view.free_at <= self._clock():
            del self._hosts[host]

    def close(self, host: str, *, seconds: float) -> None:
        """The host asked for rest."""
        view = self._hosts.setdefault(host, _HostView())
        view.free_at = max(view.free_at, self._clock() + seconds)
