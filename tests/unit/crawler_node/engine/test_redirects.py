"""Circles of redirects, and those in which it helps to ask again."""

from crawler_node.engine.redirects import RedirectMap, RedirectWay, Spelling


def page(name: str, *, key: str = "") -> Spelling:
    return Spelling(name, (key or name).encode())


INDEX, FOLDER = page("/index.html", key="front"), page("/", key="front")


def test_a_chain_leads_on() -> None:
    known = RedirectMap()
    assert known.note(page("a"), page("b"), sets_cookies=False) is RedirectWay.ON
    assert known.note(page("b"), page("c"), sets_cookies=True) is RedirectWay.ON
    assert known.note(page("x"), page("a"), sets_cookies=False) is RedirectWay.ON


def test_a_circle_is_a_loop() -> None:
    known = RedirectMap()
    assert known.note(page("self"), page("self"), sets_cookies=False) is RedirectWay.LOOP
    known.note(page("ping"), page("pong"), sets_cookies=False)
    assert known.note(page("pong"), page("ping"), sets_cookies=False) is RedirectWay.LOOP


def test_a_circle_in_which_a_cookie_was_given_is_worth_another_try() -> None:
    known = RedirectMap()
    assert known.note(page("self"), page("self"), sets_cookies=True) is RedirectWay.AGAIN
    known.note(page("page"), page("gate"), sets_cookies=True)
    assert known.note(page("gate"), page("page"), sets_cookies=False) is RedirectWay.AGAIN


def test_another_spelling_of_the_page_is_worth_another_try_until_it_leads_back() -> None:
    known = RedirectMap()
    assert known.note(INDEX, FOLDER, sets_cookies=False) is RedirectWay.AGAIN
    assert known.note(FOLDER, INDEX, sets_cookies=False) is RedirectWay.LOOP


def test_a_way_over_another_page_may_end_at_another_spelling() -> None:
    known = RedirectMap()
    assert known.note(FOLDER, page("gate"), sets_cookies=False) is RedirectWay.ON
    assert known.note(page("gate"), INDEX, sets_cookies=False) is RedirectWay.AGAIN
    assert known.note(INDEX, page("gate"), sets_cookies=False) is RedirectWay.LOOP


def test_memory_is_bounded_and_circles_beside_the_way_end() -> None:
    known = RedirectMap()
    known.note(page("1"), page("2"), sets_cookies=False)
    known.note(page("2"), page("1"), sets_cookies=False)
    assert known.note(page("x"), page("1"), sets_cookies=False) is RedirectWay.ON
    for number in range(30_000):
        known.note(page(str(number)), page("end"), sets_cookies=False)
    assert len(known._steps) <= 20_000
    assert len(known._asked) <= 20_000
