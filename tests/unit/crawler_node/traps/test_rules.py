"""Traps are told from pages."""

import pytest

from crawler_node.contracts import Refusal
from crawler_node.traps import TrapRules, TrapVerdict
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
