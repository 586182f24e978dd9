"""What a robots.txt allows."""

import tracemalloc

import pytest

from crawler_node.robots import RobotsRules

TEXT = """
User-agent: *
Disallow: /private
Allow: /private/open
Disallow: /*.pdf$
Crawl-delay: 2.5
Sitemap: https://example.com/sitemap.xml

User-agent: Gleaner
Disallow: /only-for-others
Request-rate: 1/4
"""


@pytest.mark.parametrize(
    ("product", "path", "allowed"),
    [
        ("OtherBot", "/", True),
        ("OtherBot", "/private/x", False),
        ("OtherBot", "/private/open/x", True),
        ("OtherBot", "/a/b.pdf", False),
        ("OtherBot", "/a/b.pdf?x", True),
        ("Gleaner", "/private/x", True),
        ("Gleaner", "/only-for-others", False),
        ("GleanerX", "/private/x", True),
    ],
)
def test_the_most_specific_group_and_the_longest_rule_win(product: str, path: str, *, allowed: bool) -> None:
    rules = RobotsRules(TEXT, product=product)
    assert [rules.allows(f"https://example.com{path}") for _ in range(2)] == [allowed, allowed]


@pytest.mark.parametrize(
    ("name", "is_ours"),
    [
        ("Gleaner/0.1", True),
        ("GLEANER/2 (+https://us.example)", True),
        ("gleaner *", True),
        ("Gleaner # us", True),
        ("Gleaner-News/1", False),
        ("GleanerX/1", False),
        ("Other Gleaner/1", False),
    ],
)
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_a_group_is_for_us_whatever_version_it_names(name: str, end: str, *, is_ours: bool) -> None:
    text = end.join(["User-agent: *", "Disallow: /all", "", f"User-agent: {name}", "Disallow: /ours", ""])
    rules = RobotsRules(text, product="Gleaner")
    assert [rules.allows(f"https://example.com/{path}") for path in ("ours", "all")] == [not is_ours, is_ours]


def test_delay_rate_and_sitemaps_are_read() -> None:
    rules = RobotsRules(TEXT, product="OtherBot")
    assert rules.crawl_delay_seconds == 2.5
    assert rules.sitemaps == ["https://example.com/sitemap.xml"]
    assert RobotsRules(TEXT, product="Gleaner").crawl_delay_seconds == 4.0
    assert RobotsRules("User-agent: *\nCrawl-delay: 99999", product="x").crawl_delay_seconds == 300.0


@pytest.mark.parametrize(
    ("rate", "seconds"),
    [("1/10", 10.0), ("4/1m", 15.0), ("2/1s", 0.5), ("1/9", 9.0), (f"1/{'9' * 400}", 300.0), (f"{'9' * 400}/1", 0.0)],
)
def test_no_rate_is_too_large_to_be_read(rate: str, seconds: float) -> None:
    assert RobotsRules(f"User-agent: *\nRequest-rate: {rate}", product="x").crawl_delay_seconds == seconds


def test_an_empty_file_allows_all_and_a_silent_host_nothing() -> None:
    assert RobotsRules("", product="x").allows("https://example.com/")
    assert RobotsRules("", product="x").crawl_delay_seconds is None
    silent = RobotsRules(None, product="x")
    assert not silent.allows("https://example.com/")
    assert silent.is_unreachable
    assert silent.sitemaps == []


def test_memory_of_verdicts_is_bounded() -> None:
    rules = RobotsRules(TEXT, product="x")
    for number in range(25_000):
        rules.allows(f"https://example.com/{number}")
    assert len(rules._verdicts) <= 20_000


@pytest.mark.parametrize("text", ["Disallow: /a*b\n" * 20_000, "Disallow: /" + "*a" * 40_000])
def test_a_file_that_makes_every_address_cost_much_judges_few_at_once(text: str) -> None:
    rules = RobotsRules(f"User-agent: *\n{text}", product="Gleaner")
    assert rules.can_judge(100)
    assert not rules.can_judge(1_000)
    assert RobotsRules(TEXT, product="Gleaner").can_judge(50_000)
    assert RobotsRules(None, product="Gleaner").can_judge(50_000)


def test_rules_of_thousands_of_other_crawlers_are_not_kept_for_each() -> None:
    names = "".join(f"User-agent: bot{number}\n" for number in range(1_000))
    names += "".join(f"user-agent g{'*' * number}\u2028" for number in range(1, 200))
    text = f"{names}{''.join(f'Disallow: /{number}/' + chr(10) for number in range(2_000))}"
    tracemalloc.start()
    rules = RobotsRules(f"{text}User-agent: *\nDisallow: /a\n", product="Other")
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 20_000_000
    assert [rules.allows(f"https://e.com{path}") for path in ("/7/", "/a", "/b")] == [True, False, True]
    assert not RobotsRules(text, product="Gleaner").allows("https://e.com/7/")
