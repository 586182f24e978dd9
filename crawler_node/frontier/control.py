"""What those who look after a runner may do with its frontier; workers only lease and commit."""

from collections.abc import Sequence
from typing import Protocol

from crawler_node.contracts import Candidate, CrawlStore, Statistics, Wish


class CrawlControl(CrawlStore, Protocol):
    """A crawl store as its supervisor sees it."""

    def plant(self, candidates: Sequence[Candidate]) -> int:
        """Queue seeds; those already known stay as they are. Returns how many were new."""

    def wish(self, wish: Wish) -> None:
        """What the user wants: workers learn it with their next call. Time spent paused is not wall time."""

    def release(self, *, worker: str) -> int:
        """Queue again what a dead worker held, at once instead of at expiry. Returns how many leases it was."""

    def retry_failed(self) -> int:
        """Queue every failed URL again as if it had never been tried, and what was left out because its host failed.

        Hosts begin anew: their failures are forgotten. Returns how many URLs it is; those of a host whose budget is
        used up are not among them.
        """

    def statistics(self) -> Statistics:
        """The counts as they stand."""
