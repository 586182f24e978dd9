"""What a browser may ask for on behalf of a lease: its page when the host's turn comes, and what that leads on to."""

import asyncio
import contextlib

from crawler_node.browser.door import Way
from crawler_node.contracts import Lease
from crawler_node.engine.gate import HostGate
from crawler_node.engine.sieve import LinkSieve

# A redirect that would have to wait longer gets a slot of its own instead.
_PATIENCE_SECONDS = 5.0
# Steps have timeouts of their own, so their pages wait no longer than this.
_STEP_SECONDS = 2.0


class LeaseManners:
    """Of the page of one lease. A redirect is followed inside the browser where it stays on the host and may be
    fetched; any other is handed back, so that its target passes scope, robots and its own host's turn first."""

    def __init__(self, lease: Lease, *, gate: HostGate, sieve: LinkSieve) -> None:
        self._lease = lease
        self._gate = gate
        self._sieve = sieve

    async def go_out(self, url: str, way: Way) -> bool:
        """Wait for the host's turn; False for what must not be opened from here."""
        if way is Way.ONWARD and not self._may_follow(url):
            return False
        if way is Way.STEPS:
            await self._wait_a_little(url)
        else:
            await self._wait()
        return True

    def answered(self) -> None:
        """The host's next turn counts from now."""
        self._gate.answered(self._lease.host, fence=self._lease.fence, gap_seconds=self._lease.delay_seconds)

    def _may_follow(self, url: str) -> bool:
        target = self._sieve.followed(url, self._lease)
        return target is not None and target.refusal is None and self._is_near(target.host)

    def _is_near(self, host: str) -> bool:
        return host == self._lease.host and self._lease.delay_seconds <= _PATIENCE_SECONDS

    async def _wait(self) -> None:
        await self._gate.go_out(self._lease.host, fence=self._lease.fence, gap_seconds=self._lease.delay_seconds)

    async def _wait_a_little(self, url: str) -> None:
        target = self._sieve.followed(url, self._lease)
        if target is not None and target.host == self._lease.host:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(_STEP_SECONDS):
                    await self._wait()
