"""Searches that are not in a hurry: a deadline is for those that ask too much, and tests of it name their own."""

from collections.abc import Iterator

import pytest

from backend.search_engine.search import SearchRequest, searcher

LONG_SECONDS = 600.0


@pytest.fixture(autouse=True, scope="package")
def _unhurried() -> Iterator[None]:
    """Otherwise a machine that is held up for a moment makes a search fail that takes milliseconds."""
    made = SearchRequest.__init__
    usual = made.__defaults__ or ()
    assert usual[-1] == searcher.DEFAULT_DEADLINE_SECONDS
    with pytest.MonkeyPatch.context() as patches:
        patches.setattr(made, "__defaults__", (*usual[:-1], LONG_SECONDS))
        patches.setattr(searcher, "DEFAULT_DEADLINE_SECONDS", LONG_SECONDS)
        patches.setattr(searcher, "_DEFAULT_REQUEST", SearchRequest())
        yield
