"""The counts of a run as people see them."""

from backend.apps.runners.selectors import describe_statistics
from crawler_node.contracts import Statistics


def test_every_link_was_new_or_has_its_reason() -> None:
    counts = Statistics(links_collected=50, links_visited=40, links_refused={"robots": 8})
    told = describe_statistics(counts)
    assert told["links_refused"] == {"robots": 8, "duplicate": 40}
    assert told["links_collected"] - sum(told["links_refused"].values()) == 2
    assert counts.links_refused == {"robots": 8}


def test_without_a_repeated_link_no_reason_is_told() -> None:
    assert describe_statistics(Statistics())["links_refused"] == {}
