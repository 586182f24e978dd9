"""Circles of redirects, and those that a cookie opens."""

from crawler_node.engine.redirects import RedirectMap, RedirectWay


def test_a_chain_leads_on() -> None:
    known = RedirectMap()
    assert known.note(b"a", b"b", sets_cookies=False) is RedirectWay.ON
    assert known.note(b"b", b"c", sets_cookies=True) is RedirectWay.ON
    assert known.note(b"x", b"a", sets_cookies=False) is RedirectWay.ON


def test_a_circle_is_a_loop() -> None:
    known = RedirectMap()
    assert known.note(b"self", b"self", sets_cookies=False) is RedirectWay.LOOP
    known.note(b"ping", b"pong", sets_cookies=False)
    assert known.note(b"pong", b"ping", sets_cookies=False) is RedirectWay.LOOP


def test_a_circle_in_which_a_cookie_was_given_is_worth_another_try() -> None:
    known = RedirectMap()
    assert known.note(b"self", b"self", sets_cookies=True) is RedirectWay.COOKIE_GATE
    known.note(b"page", b"gate", sets_cookies=True)
    assert known.note(b"gate", b"page", sets_cookies=False) is RedirectWay.COOKIE_GATE


def test_memory_is_bounded_and_circles_beside_the_way_end() -> None:
    known = RedirectMap()
    known.note(b"1", b"2", sets_cookies=False)
    known.note(b"2", b"1", sets_cookies=False)
    assert known.note(b"x", b"1", sets_cookies=False) is RedirectWay.ON
    for number in range(30_000):
        known.note(b"%d" % number, b"end", sets_cookies=False)
    assert len(known._targets) <= 20_000
