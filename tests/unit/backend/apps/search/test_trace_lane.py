"""A trace tells the lane that a page was really fetched in."""

import pytest
from django.utils import timezone

from backend.apps.documents.models import Page
from backend.apps.search.trace.fetching import lane_of
from crawler_node.engine import CrawlSpec


@pytest.mark.parametrize(
    ("stored", "chosen", "told"),
    [("browser", "auto", "browser"), ("http", "browser", "http"), ("", "http", "http"), ("", "auto", "")],
)
def test_what_was_stored_counts_then_the_only_lane_there_was(stored: str, chosen: str, told: str) -> None:
    page = Page(url="http://site.example/", lane=stored, fetched_at=timezone.now())
    assert lane_of(page, CrawlSpec.from_json({"seeds": ["http://site.example/"], "lane": chosen})) == told
