"""A worker's last word on when a host is asked."""

import asyncio
import time
from itertools import pairwise

from crawler_node.engine.gate import HostGate


class Clock:
    now = 10.0

    def __call__(self) -> float:
        return self.now


def test_the_gap_is_kept_from_the_moment_a_request_goes_out() -> None:
    clock = Clock()
    gate = HostGate(clock=clock, max_in_flight=8)
    gate.enter("h", gap_seconds=2.0)
    assert gate.free_at("h") == 12.0
    assert gate.free_at("other") == 0.0


def test_the_gap_counts_from_the_answer_unless_more_is_open_and_the_answer_was_slow() -> None:
    clock = Clock()
    gate = HostGate(clock=clock, max_in_flight=8)
    gate.enter("quick", gap_seconds=2.0)
    gate.enter("slow", gap_seconds=2.0)
    gate.enter("slow", gap_seconds=2.0)
    clock.now = 10.5
    gate.leave("quick", fence=1, gap_seconds=2.0)
    assert gate.free_at("quick") == 12.5
    clock.now = 15.0
    gate.leave("slow", fence=1, gap_seconds=2.0)
    assert gate.free_at("slow") <= clock.now
    gate.leave("slow", fence=2, gap_seconds=2.0)
    assert gate.free_at("slow") == 17.0


async def test_a_lease_that_asks_again_has_the_host_for_itself_until_it_leaves() -> None:
    gate = HostGate(clock=time.monotonic, max_in_flight=8)
    gate.enter("h", gap_seconds=0.02)
    gate.enter("h", gap_seconds=0.02)
    await gate.ask_again("h", fence=1, gap_seconds=0.02)
    await gate.ask_again("h", fence=1, gap_seconds=0.02)
    assert gate.is_full("h")
    other = asyncio.create_task(gate.ask_again("h", fence=2, gap_seconds=0.02))
    await asyncio.sleep(0.05)
    assert not other.done()
    gate.leave("h", fence=1, gap_seconds=0.02)
    await other
    assert gate.is_full("h")
    gate.leave("h", fence=2, gap_seconds=0.02)
    assert not gate.is_full("h")


def test_only_so_many_requests_are_open_at_a_host() -> None:
    gate = HostGate(clock=Clock(), max_in_flight=2)
    for _ in range(2):
        assert not gate.is_full("h")
        gate.enter("h", gap_seconds=0.0)
    assert gate.is_full("h")
    assert not gate.is_full("other")
    gate.leave("h", fence=1, gap_seconds=0.0)
    assert not gate.is_full("h")


def test_a_closed_host_stays_closed_for_as_long_as_it_asked() -> None:
    clock = Clock()
    gate = HostGate(clock=clock, max_in_flight=2)
    gate.enter("h", gap_seconds=0.0)
    gate.close("h", seconds=30.0)
    gate.leave("h", fence=1, gap_seconds=0.0)
    assert gate.free_at("h") == 40.0


def test_idle_hosts_are_forgotten() -> None:
    gate = HostGate(clock=Clock(), max_in_flight=2)
    for number in range(100):
        gate.enter(str(number), gap_seconds=0.0)
        gate.leave(str(number), fence=1, gap_seconds=0.0)
    assert gate._hosts == {}


async def test_browsers_go_out_one_after_another_and_a_gap_after_the_answer() -> None:
    gate, gap = HostGate(clock=time.monotonic, max_in_flight=8), 0.05
    moments: list[float] = []

    async def browse(fence: int) -> None:
        gate.enter("h", gap_seconds=gap, browser=fence)
        await gate.go_out("h", fence=fence, gap_seconds=gap)
        moments.append(time.monotonic())
        await asyncio.sleep(0.02)
        gate.answered("h", fence=fence, gap_seconds=gap)
        await asyncio.sleep(0.2)  # the page is looked at while others go out
        gate.leave("h", fence=fence, gap_seconds=gap)

    await asyncio.gather(*(browse(fence) for fence in range(3)))
    assert min(later - earlier for earlier, later in pairwise(moments)) >= gap + 0.02


async def test_the_first_browser_goes_out_at_once() -> None:
    gate = HostGate(clock=time.monotonic, max_in_flight=8)
    gate.enter("h", gap_seconds=3600.0, browser=1)
    async with asyncio.timeout(600):
        await gate.go_out("h", fence=1, gap_seconds=3600.0)


async def test_a_browser_waits_for_a_plain_request_and_the_next_page_waits_for_the_browser() -> None:
    gate, gap = HostGate(clock=time.monotonic, max_in_flight=8), 0.05
    began = time.monotonic()
    gate.enter("h", gap_seconds=gap)
    gate.enter("h", gap_seconds=gap, browser=2)
    await gate.go_out("h", fence=2, gap_seconds=gap)
    assert time.monotonic() - began >= gap
    assert gate.free_at("h") >= began + 2 * gap
    gate.leave("h", fence=2, gap_seconds=gap)
    await gate.go_out("h", fence=3, gap_seconds=gap)
    assert time.monotonic() - began >= 2 * gap


async def test_a_redirect_has_a_gap_to_what_led_to_it_and_none_blocks_itself() -> None:
    gate, gap = HostGate(clock=time.monotonic, max_in_flight=8), 0.03
    gate.enter("h", gap_seconds=gap, browser=1)
    began = time.monotonic()
    await gate.go_out("h", fence=1, gap_seconds=gap)
    await gate.go_out("h", fence=1, gap_seconds=gap)
    assert time.monotonic() - began >= gap
    await gate.go_out("unknown", fence=1, gap_seconds=gap)


def test_of_many_hosts_only_those_are_remembered_that_cannot_be_asked_at_once() -> None:
    clock = Clock()
    gate = HostGate(clock=clock, max_in_flight=8)
    gate.enter("open", gap_seconds=2.0)
    gate.close("resting", seconds=86_400.0)
    for number in range(20_000):
        gate.enter(f"h{number}", gap_seconds=2.0)
        clock.now += 0.1
        gate.leave(f"h{number}", fence=number, gap_seconds=2.0)
    assert len(gate._hosts) <= 1_000
    assert gate.free_at("resting") == 86_410.0
    assert gate.free_at("h19999") == clock.now + 2.0
    gate.leave("open", fence=-1, gap_seconds=2.0)
