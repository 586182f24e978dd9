"""A crawler of the project file as the engine runs it."""

from dataclasses import replace

import pytest

from crawler_node.engine import CrawlSpec, seed_candidates
from crawler_node.errors import SeedError, SpecError
from crawler_node.fetch import NetworkPolicy
from crawler_node.frontier import Strategy
from crawler_node.frontier.options import Inefficiency
from crawler_node.urls import CanonicalOptions, SameSite

FILE = {
    "name": "Shop",
    "template": "Product",
    "description": "All of it",
    "seeds": ["https://shop.example/"],
    "strategy": "dfs",
    "same_site": "domain",
    "sleep_ms": 250,
    "retry": 4,
    "timeout_minutes": 1.5,
    "max_pages": 10,
    "proxies": ["http://proxy.example:3128"],
    "headers": {"X-Team": "7"},
}


def test_the_names_of_the_project_file_are_understood() -> None:
    spec = CrawlSpec.from_json(FILE)
    assert (spec.strategy, spec.same_site, spec.seeds) == (Strategy.DFS, SameSite.DOMAIN, ("https://shop.example/",))
    options = spec.frontier_options()
    assert (options.retries, options.wall_seconds, options.max_pages) == (4, 90.0, 10)
    assert options.pace.delay_seconds == 0.25
    assert CrawlSpec.from_json({**FILE, "max_depth": 3}).frontier_options().max_depth == 3
    lane = spec.lane_options(policy=NetworkPolicy(), version="2.0", contact="mailto:me@shop.example")
    assert lane.user_agent == "Gleaner/2.0 (+mailto:me@shop.example)"
    assert (lane.proxies, lane.headers) == (("http://proxy.example:3128",), {"X-Team": "7"})


def test_an_own_user_agent_wins() -> None:
    spec = CrawlSpec.from_json({**FILE, "user_agent": "ShopBot/1"})
    assert spec.lane_options(policy=NetworkPolicy(), version="2.0").user_agent == "ShopBot/1"


def test_what_counts_as_the_same_address_can_be_chosen() -> None:
    spec = CrawlSpec.from_json({**FILE, "addresses": {"ignored_parameters": ["color"], "keep_fragment": True}})
    assert spec.addresses == CanonicalOptions(ignored_parameters=frozenset({"color"}), keep_fragment=True)
    (seed,) = seed_candidates(replace(spec, seeds=("https://shop.example/a?color=red&size=3#top",)))
    assert seed.url == "https://shop.example/a?size=3#top"
    with pytest.raises(SpecError, match="no option “drop_color”"):
        CrawlSpec.from_json({**FILE, "addresses": {"drop_color": True}})


def test_limits_reach_the_store_the_lane_and_the_traps() -> None:
    limits = {
        "pages_without_new_document": 50,
        "pages_only_duplicate": 20,
        "error_rate": 0.5,
        "error_rate_after": 10,
        "pages_per_host": 7,
        "pages_per_pattern": 3,
        "requests_per_host": 2,
        "page_seconds": 5,
        "page_mb": 0.5,
    }
    spec = CrawlSpec.from_json({**FILE, "limits": limits})
    options = spec.frontier_options()
    assert options.inefficiency == Inefficiency(50, 20, 0.5, 10)
    assert (options.pace.max_pages_per_host, spec.trap_rules(this_year=2026).pattern_budget) == (7, 3)
    lane = spec.lane_options(policy=NetworkPolicy(), version="2.0")
    assert (lane.deadline_seconds, lane.max_body_bytes, spec.open_requests_per_host) == (5, 500_000, 2)
    assert CrawlSpec.from_json(FILE).frontier_options().inefficiency == Inefficiency()
    with pytest.raises(SpecError, match="no option “pages_per_day”"):
        CrawlSpec.from_json({**FILE, "limits": {"pages_per_day": 1}})


def test_an_unknown_option_is_named() -> None:
    with pytest.raises(SpecError, match="no option “sleep”"):
        CrawlSpec.from_json({**FILE, "sleep": 1})


def test_seeds_become_candidates_and_bad_ones_are_told() -> None:
    (seed,) = seed_candidates(CrawlSpec.from_json({**FILE, "seeds": [" HTTPS://Shop.example:443/?utm_source=x "]}))
    assert (seed.url, seed.depth, seed.host) == ("https://shop.example/", 0, "shop.example")
    with pytest.raises(SeedError, match=r"Did you mean https://shop\.example"):
        seed_candidates(CrawlSpec.from_json({**FILE, "seeds": ["shop.example"]}))


@pytest.mark.parametrize(
    ("same_site", "own", "foreign"),
    [
        ("host", ["shop.example.org", "www.shop.example.org"], ["api.example.org", "example.com"]),
        ("domain", ["shop.example.org", "api.example.org"], ["example.com", "example.org.evil.net"]),
        ("off", ["shop.example.org", "api.example.org"], ["example.com"]),
    ],
)
def test_own_headers_are_for_the_sites_of_the_seeds(same_site: str, own: list[str], foreign: list[str]) -> None:
    is_own = CrawlSpec.from_json({"seeds": ["https://shop.example.org/"], "same_site": same_site}).own_hosts()
    assert [host for host in own + foreign if is_own(host)] == own


@pytest.mark.parametrize("same_site", ["host", "domain", "off"])
def test_own_headers_are_not_for_others_whom_the_same_company_hosts(same_site: str) -> None:
    is_own = CrawlSpec.from_json({"seeds": ["https://one.myshopify.com/"], "same_site": same_site}).own_hosts()
    assert (is_own("one.myshopify.com"), is_own("two.myshopify.com")) == (True, False)


def test_own_headers_are_for_a_seed_that_is_a_bare_ipv6_address() -> None:
    is_own = CrawlSpec.from_json({"seeds": ["https://[2001:db8::1]/"]}).own_hosts()
    assert [is_own(host) for host in ("[2001:db8::1]", "2001:db8::1", "2001:db8::2")] == [True, True, False]


@pytest.mark.parametrize(
    ("seeds", "in_open"),
    [
        (["https://shop.example/"], False),
        (["http://shop.example/"], True),
        (["https://shop.example/", " HTTP://shop.example/old "], True),
    ],
)
def test_own_headers_go_in_the_open_only_where_a_seed_does(seeds: list[str], *, in_open: bool) -> None:
    options = CrawlSpec.from_json({"seeds": seeds}).lane_options(policy=NetworkPolicy(), version="1")
    assert options.headers_in_open is in_open
