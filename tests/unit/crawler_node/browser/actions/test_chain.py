import pytest

from crawler_node.browser.actions import Chain, RunOn, parse_actions, run_chain
from crawler_node.browser.login import Login
from crawler_node.urls.scope import AddressPattern

ACTIONS = parse_actions(
    [{"type": "wait", "seconds": 2}, {"type": "load_more", "selector": "//a", "timeout_seconds": 3}]
)


@pytest.mark.parametrize(
    ("chain", "url", "is_seed", "applies"),
    [
        (Chain(ACTIONS), "http://a/x", False, True),
        (Chain(), "http://a/x", True, False),
        (Chain(ACTIONS, RunOn.SEEDS), "http://a/x", True, True),
        (Chain(ACTIONS, RunOn.SEEDS), "http://a/x", False, False),
        (Chain(ACTIONS, RunOn.MATCHING, AddressPattern("/list*")), "http://a/list?p=2", False, True),
        (Chain(ACTIONS, RunOn.MATCHING, AddressPattern("/list*")), "http://a/item", True, False),
    ],
)
def test_runs_on_the_pages_it_is_for(chain: Chain, url: str, is_seed: bool, applies: bool) -> None:
    assert chain.applies_to(url, is_seed=is_seed) is applies


def test_a_chain_has_a_budget_of_time() -> None:
    assert Chain(ACTIONS).budget_seconds == 2 + 1 + 6 * 3
    assert Chain(ACTIONS * 100).budget_seconds == 240


def test_a_step_that_repeats_something_ends_before_the_time_of_a_chain_does() -> None:
    [patient] = parse_actions([{"type": "scroll_to_end", "timeout_seconds": 600}])
    assert patient.budget_seconds < Chain((patient,) * 2).budget_seconds


def test_signing_in_takes_no_longer_than_a_chain_may() -> None:
    assert Login("http://a/login", ACTIONS * 100).budget_seconds == Chain(ACTIONS * 100).budget_seconds


def test_a_step_that_takes_longer_than_its_chain_may_is_told_and_not_begun() -> None:
    [step] = run_chain(None, parse_actions([{"type": "wait", "seconds": 300}]))
    assert not step.worked
    assert step.sentence.startswith("All steps of a page together may take 240 s, and this one goes beyond that.")
