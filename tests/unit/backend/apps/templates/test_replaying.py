"""Who may see what a crawler lends to a replay."""

import pytest

from backend.apps.templates.replaying import _headers_for
from crawler_node.engine import CrawlSpec

SECRET = {"Authorization": "Bearer 12345"}


@pytest.mark.parametrize(
    ("url", "is_own"),
    [
        ("https://shop.example/list", True),
        (" HTTPS://www.SHOP.example:443/", True),
        ("http://shop.example/list", False),
        ("https://evil.example/", False),
        ("https://shop.example@evil.example/", False),
        ("https://evil.example\\@shop.example/", False),
        ("https://evil.example\t\\@shop.example/", False),
        ("no address", False),
    ],
)
def test_own_headers_go_to_the_host_that_the_browser_will_ask(url: str, *, is_own: bool) -> None:
    spec = CrawlSpec(seeds=("https://shop.example/",), headers=SECRET)
    assert _headers_for(url, spec) == (SECRET if is_own else {})


def test_hosts_in_other_scripts_are_known() -> None:
    spec = CrawlSpec(seeds=("https://xn--mller-kva.example/",), headers=SECRET)
    assert _headers_for("https://müller.example/", spec) == SECRET


def test_own_headers_go_in_the_open_where_a_seed_does() -> None:
    spec = CrawlSpec(seeds=("http://shop.example/",), headers=SECRET)
    assert _headers_for("http://shop.example/list", spec) == SECRET
