"""The pace of a host: never faster than agreed, slower when it suffers."""

import random
from itertools import pairwise

import pytest

from crawler_node.contracts import HostFacts
from crawler_node.politeness import HostPace, PaceRules

RULES = PaceRules(delay_seconds=1.0, jitter=0.2)


def facts(**what: object) -> HostFacts:
    return HostFacts("h", **what)  # type: ignore[arg-type]


def test_slots_are_never_closer_than_the_delay() -> None:
    pace, chances = HostPace(), random.Random(7)
    slots = [pace.reserve(RULES, now=100.0, chance=chances.random()) for _ in range(25)]
    gaps = [later - earlier for earlier, later in pairwise(slots) if later and earlier]
    assert min(gaps) >= 1.0
    assert max(gaps) <= 1.2
    assert len(set(gaps)) > 5


def test_no_slot_is_given_beyond_the_horizon() -> None:
    pace = HostPace()
    given = [pace.reserve(RULES, now=0.0, chance=0.0) for _ in range(60)]
    taken = [slot for slot in given if slot is not None]
    assert max(taken) <= 30.0
    assert given[-1] is None
    assert pace.reserve(RULES, now=10.0, chance=0.0) is not None


def test_a_lease_of_two_requests_takes_room_for_both() -> None:
    pace = HostPace()
    pace.reserve(RULES, now=0.0, chance=0.0, requests=2)
    assert pace.next_slot >= 2.0


def test_the_hosts_own_wish_counts_when_it_is_longer() -> None:
    pace = HostPace()
    pace.learn(facts(crawl_delay_seconds=5.0), RULES, now=0.0)
    assert pace.gap_seconds(RULES) == 5.0
    pace.learn(facts(crawl_delay_seconds=0.2), RULES, now=0.0)
    assert pace.gap_seconds(RULES) == 1.0


def test_a_longer_wish_of_the_host_counts_from_the_moment_it_is_known() -> None:
    pace = HostPace(next_slot=101.0)
    pace.learn(facts(crawl_delay_seconds=5.0), RULES, now=100.0)
    assert pace.next_slot == 105.0
    pace.learn(facts(crawl_delay_seconds=5.0), RULES, now=103.0)
    assert pace.next_slot == 105.0
    pace.learn(facts(crawl_delay_seconds=0.5), RULES, now=110.0)
    assert pace.next_slot == 105.0


def test_retry_after_closes_the_host_until_then() -> None:
    pace = HostPace()
    pace.learn(facts(is_overloaded=True, retry_after_seconds=30.0), RULES, now=100.0)
    assert pace.next_slot == 130.0
    assert pace.gap_seconds(RULES) == 2.0


def test_overload_doubles_the_gap_and_success_brings_it_back() -> None:
    pace = HostPace()
    gaps = []
    for _ in range(3):
        pace.learn(facts(is_overloaded=True), RULES, now=0.0)
        gaps.append(pace.gap_seconds(RULES))
    assert gaps == [2.0, 4.0, 8.0]
    for _ in range(20):
        pace.learn(facts(latency_seconds=0.1), RULES, now=0.0)
    assert pace.gap_seconds(RULES) == 1.0


def test_overload_slows_even_a_crawl_without_delay() -> None:
    pace, eager = HostPace(), PaceRules()
    pace.learn(facts(is_overloaded=True), eager, now=0.0)
    assert pace.gap_seconds(eager) == 0.5


def test_a_host_that_gets_slow_is_asked_less_often() -> None:
    pace = HostPace()
    for _ in range(5):
        pace.learn(facts(latency_seconds=0.1), RULES, now=0.0)
    for _ in range(20):
        pace.learn(facts(latency_seconds=5.0), RULES, now=0.0)
    assert pace.gap_seconds(RULES) > 4.0
    for _ in range(60):
        pace.learn(facts(latency_seconds=0.1), RULES, now=0.0)
    assert pace.gap_seconds(RULES) == 1.0


@pytest.mark.parametrize(("failures", "is_bad"), [(20, True), (18, True), (17, False)])
def test_a_host_is_bad_by_its_ratio_of_failures(failures: int, *, is_bad: bool) -> None:
    pace = HostPace()
    for number in range(20):
        assert not pace.is_bad(RULES)
        pace.learn(facts(is_failure=number < failures), RULES, now=0.0)
    assert pace.is_bad(RULES) is is_bad


def test_old_failures_are_forgotten() -> None:
    pace = HostPace(recent_requests=200, recent_failures=199)
    for _ in range(150):
        pace.learn(facts(), RULES, now=0.0)
    assert not pace.is_bad(RULES)


def test_a_host_has_a_budget_of_pages() -> None:
    rules = PaceRules(max_pages_per_host=3)
    assert not HostPace(pages=2).is_over_budget(rules)
    assert HostPace(pages=3).is_over_budget(rules)
    assert not HostPace(pages=3_000_000).is_over_budget(PaceRules())
