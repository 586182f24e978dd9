"""The counts of a run as people see them."""

from backend.apps.runners.selectors import describe_statistics
from crawler_node.contracts import Statistics


def test_every_link_was_new_or_has_its_reason() -> None:
    counts = Statistics(links_collected=50, links_visited=40, links_refused={"robots": 8})
    told = describe_statistics(counts)
    assert told["links_refused"] == {"robots": 8, "duplicate": 40}
    assert told["links_collected"] - sum(told["links_refused"].values()) == 2
    assert counts.links_refused == {"robots": 8}


def test_pages_that_have_not_changed_make_no_page_smaller_or_quicker() -> None:
    told = describe_statistics(Statistics(pages=10, unchanged_pages=8, bytes=90_000, process_seconds=0.02))
    assert (told["average_page_bytes"], told["average_processing_ms"]) == (45_000.0, 10.0)
    told = describe_statistics(Statistics(pages=8, unchanged_pages=8))
    assert (told["average_page_bytes"], told["average_processing_ms"]) == (0.0, 0.0)


def test_without_a_repeated_link_no_reason_is_told() -> None:
    assert describe_statistics(Statistics())["links_refused"] == {}
