"""Proxies take turns, and sick ones rest."""

import pytest

from crawler_node.errors import ProxyError
from crawler_node.fetch.proxies import ProxyRing, check_proxy, hide_password


class Clock:
    now = 100.0

    def __call__(self) -> float:
        return self.now


def test_proxies_take_turns() -> None:
    clock = Clock()
    ring = ProxyRing(["http://a:1", "http://b:1", "http://c:1"], clock=clock)
    chosen = []
    for _ in range(6):
        clock.now += 1
        chosen.append(ring.choose().url)
    assert chosen == ["http://a:1", "http://b:1", "http://c:1"] * 2


def test_a_failing_proxy_rests_longer_each_time_and_comes_back() -> None:
    clock = Clock()
    ring = ProxyRing(["http://a:1", "http://b:1"], clock=clock)
    sick = ring.choose()
    ring.report(sick, worked=False)
    ring.report(sick, worked=False)
    assert {ring.choose().url for _ in range(5)} == {"http://b:1"}
    clock.now += 9.9
    assert ring.choose().url == "http://b:1"
    clock.now += 0.2
    assert ring.choose().url == "http://a:1"
    ring.report(sick, worked=True)
    assert sick.failures == 0


def test_when_all_rest_the_first_to_be_back_is_used() -> None:
    clock = Clock()
    ring = ProxyRing(["http://a:1", "http://b:1"], clock=clock)
    one, other = ring.choose(), ring.choose()
    for _ in range(3):
        ring.report(one, worked=False)
    ring.report(other, worked=False)
    assert ring.choose() is other


def test_a_proxy_that_is_none_is_named_without_its_password() -> None:
    assert check_proxy("http://name:secret@proxy.example:3128") is None
    with pytest.raises(ProxyError, match="is not a proxy address"):
        ProxyRing(["socks5://name:secret@proxy.example"], clock=Clock())
    assert "secret" not in (check_proxy("socks5://name:secret@proxy.example") or "")
    assert hide_password("http://proxy.example") == "http://proxy.example"
