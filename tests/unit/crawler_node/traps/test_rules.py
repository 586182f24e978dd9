"""Traps are told from pages."""

from collections import Counter

import pytest

from crawler_node.contracts import Refusal
from crawler_node.traps import TrapRules, TrapVerdict
from crawler_node.traps.shapes import date_in_calendar
from crawler_node.urls import Canonicalizer

RULES = TrapRules(this_year=2026)


def judge(path: str, rules: TrapRules = RULES) -> TrapVerdict:
    found = Canonicalizer().canonicalize(f"https://example.com{path}")
    assert found is not None
    return rules.judge(found)


@pytest.mark.parametrize(
    "path",
    [
        "/a/a/a",
        "/shop/a/b/a/b/a/b/c",
        "/x/y/z/x/y/z/x/y/z",
        "/p/a/p/p/a/p",
        "/" + "a" * 2000,
        "/" + "/".join(f"s{number}" for number in range(31)),
        "/?" + "&".join(["filter=red"] * 4),
        "/?" + "&".join(f"p{number}=1" for number in range(31)),
    ],
)
def test_addresses_that_go_in_circles_or_pile_up_are_traps(path: str) -> None:
    assert judge(path).refusal is Refusal.TRAP


@pytest.mark.parametrize(
    "path",
    [
        "/",
        "/shop/item/17?page=3&sort=price",
        "/a/b/a/b",
        "/1/1/1",
        "/new-york/new-york/hotels",
        "/?color=red&color=blue&color=green&color=black",
        "/2026/05/12/what-happened-today",
        "/2026/05/a-title.html",
        "/list?page=2026",
        "/item/200512",
        "/phones/2020",
        "/p/1234567",
        "/p/2026123",
        "/p/12340506",
        "/p/1234-56",
        "/p/1234-05",
        "/topic/1234/5",
        "/topic/9876/12",
        "/forum?d=20261",
        "/list?m=202605",
        "/list?start=10025",
        "/list?start=202605",
        "/list?from=20260501&to=20260531",
        "/tiles?y=2026",
        "/tiles?y=1234&m=5",
    ],
)
def test_real_pages_are_free(path: str) -> None:
    assert judge(path) == TrapVerdict()


@pytest.mark.parametrize(
    "path",
    [
        "/calendar/2026/05",
        "/calendar/2026/05/31",
        "/events/2026-05",
        "/events/2026-05-01",
        "/calendar?year=2026&month=5",
        "/calendar?date=2026-05-01",
        "/cal?month=2026-05&view=list",
    ],
)
def test_calendars_have_a_budget(path: str) -> None:
    verdict = judge(path)
    assert (verdict.refusal, verdict.budget) == (None, 1_000)
    assert judge(path.replace("2026", "2091")).budget == 40
    assert judge(path.replace("2026", "1894")).budget == 40
    assert judge(path.replace("2026", "2025")).pattern == verdict.pattern


@pytest.mark.parametrize(
    "path", ["/diary/20260501", "/2026/05/31", "/plan?d=2026-05-01", "/plan?y=2026&m=5", "/plan?from=2026-5-1"]
)
def test_what_only_looks_like_a_calendar_has_its_budget_for_years_of_calendars_alone(path: str) -> None:
    assert judge(path).budget == 1_000
    assert judge(path.replace("2026", "2070")).budget == judge(path.replace("2026", "1901")).budget == 40
    assert judge(path.replace("2026", "1899")) == judge(path.replace("2026", "2077")) == TrapVerdict()


@pytest.mark.parametrize("path", ["/day?date=0001-01-01", "/plan?year=9999&month=1", "/events/9999/01/31"])
def test_a_calendar_that_says_so_is_one_in_any_year(path: str) -> None:
    assert judge(path).budget == 40


def test_what_is_listed_by_year_is_free_but_for_years_that_things_seldom_have() -> None:
    years = [f"/parts?make=ford&year={year}&page={page}" for year in range(1900, 2028) for page in range(1, 9)]
    assert {judge(path) for path in years} == {TrapVerdict()}
    assert judge("/parts?year=2028").budget == 40
    assert judge("/parts?year=1899").budget == 300
    assert judge("/plan?year=1996&week=3").budget == judge("/plan?year=1996&month=3").budget == 40


@pytest.mark.parametrize("step", [1, -1])
def test_an_endless_walk_from_year_to_year_comes_to_an_end(step: int) -> None:
    taken: Counter[int] = Counter()
    year = 2026
    while 0 <= year <= 9999:
        verdict = judge(f"/archive?year={year:04}")
        taken[verdict.pattern] += 1
        if verdict.budget and taken[verdict.pattern] > verdict.budget:
            break
        year += step
    assert taken.total() < 500


def test_a_number_and_a_page_are_given_more_than_a_calendar() -> None:
    assert judge("/topic/2040/5").budget == 300
    assert judge("/topic/2020/5").budget == 1_000
    assert judge("/events/2040/5").budget == 40


@pytest.mark.parametrize(
    "addresses",
    [
        [f"/p/{number}" for number in range(1_000_000, 10_000_000, 1_237)],
        [f"/topic/{number}/{page}" for number in range(1_000, 9_999) for page in range(1, 13)],
        [f"/p/{number}-{size}" for number in range(1_000, 9_999) for size in range(10, 99)],
        [f"/list?{name}={number}" for name in ("d", "start", "from") for number in range(10_000, 99_999, 25)],
        [f"/list?m={number}" for number in range(100_000, 999_999, 25)],
    ],
)
def test_nearly_no_number_of_a_shop_or_a_forum_is_taken_for_a_far_year(addresses: list[str]) -> None:
    judged = [date_in_calendar(*address.partition("?")[::2], this_year=2026) for address in addresses]
    assert sum(found is not None for found in judged) < len(addresses) / 40


@pytest.mark.parametrize("form", ["/plan/{}/{}", "/plan/{}/{:02}", "/plan/{}-{:02}", "/plan?y={}&m={}"])
def test_an_endless_walk_from_month_to_month_comes_to_an_end(form: str) -> None:
    taken: Counter[int] = Counter()
    for month in range(12 * 2026, 12 * 9999):
        verdict = judge(form.format(month // 12, month % 12 + 1))
        assert verdict.budget
        taken[verdict.pattern] += 1
        if taken[verdict.pattern] > verdict.budget:
            break
    assert taken.total() < 400


def test_two_calendars_have_a_budget_each() -> None:
    assert judge("/calendar/2026/05").pattern != judge("/events/2026/05").pattern
    assert judge("/calendar/2026/05").pattern != judge("/calendar/2091/05").pattern


def test_the_user_may_limit_every_shape() -> None:
    rules = TrapRules(this_year=2026, pattern_budget=100)
    one, other = judge("/item/17?a=1", rules), judge("/item/99?a=2", rules)
    assert one == other
    assert one.budget == 100
    assert judge("/thing/17?a=1", rules).pattern != one.pattern


def test_an_address_that_only_adds_to_its_pages_parameters_is_a_trap_in_the_end() -> None:
    canonicalizer = Canonicalizer()

    def grows(url: str, page: str) -> bool:
        found, here = canonicalizer.canonicalize(url), canonicalizer.canonicalize(page)
        assert found is not None
        assert here is not None
        return RULES.grows_from(found, here)

    six = "https://example.com/shirts?a=1&b=1&c=1&d=1&e=1&f=1"
    assert grows(f"{six}&g=1", six)
    assert not grows(six, six.removesuffix("&f=1"))
    assert not grows(f"{six}&g=1".replace("shirts", "shoes"), six)
    assert not grows(f"{six}&g=1".replace("a=1", "a=2"), six)
