"""A worker's last word on when a host is asked."""

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
    clock.now = 11.5
    gate.ask_again("h", gap_seconds=2.0)
    assert gate.free_at("h") == 13.5


def test_only_so_many_requests_are_open_at_a_host() -> None:
    gate = HostGate(clock=Clock(), max_in_flight=2)
    for _ in range(2):
        assert not gate.is_full("h")
        gate.enter("h", gap_seconds=0.0)
    assert gate.is_full("h")
    assert not gate.is_full("other")
    gate.leave("h")
    assert not gate.is_full("h")


def test_a_closed_host_stays_closed_for_as_long_as_it_asked() -> None:
    clock = Clock()
    gate = HostGate(clock=clock, max_in_flight=2)
    gate.enter("h", gap_seconds=0.0)
    gate.close("h", seconds=30.0)
    gate.leave("h")
    assert gate.free_at("h") == 40.0


def test_idle_hosts_are_forgotten() -> None:
    gate = HostGate(clock=Clock(), max_in_flight=2)
    for number in range(100):
        gate.enter(str(number), gap_seconds=0.0)
        gate.leave(str(number))
    assert gate._hosts == {}
