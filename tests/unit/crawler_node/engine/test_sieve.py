"""Links become candidates, each refusal with its reason, each link counted."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from crawler_node.contracts import Lease, Link, PageReading, Refusal, RobotsRecord, TargetKind
from crawler_node.engine.seen import SeenFilter
from crawler_node.engine.sieve import LinkSieve, RulesFor
from crawler_node.engine.spec import CrawlSpec
from crawler_node.page_text.links import MAX_LINKS
from crawler_node.robots import RobotsBook
from crawler_node.sinks import unpack_links
from crawler_node.traps import TrapRules
from crawler_node.urls import Canonicalizer, CanonicalLinks, LinkResolver, Scope

PAGE = "https://site.example/list"


def lease(depth: int = 0, url: str = PAGE) -> Lease:
    return Lease(url, b"p" * 16, "site.example", depth, 1, 0.0, 1)


def key_of(url: str) -> bytes:
    found = Canonicalizer().canonicalize(url)
    assert found is not None
    return found.key


def make_sieve(
    *,
    max_depth: int | None = None,
    seen: SeenFilter | None = None,
    respect_robots: bool = True,
    canonical_links: CanonicalLinks = CanonicalLinks.NOTE,
    preferred: Callable[[str], bool] | None = None,
    rules_for: RulesFor | None = None,
) -> LinkSieve:
    robots = RobotsBook(product="Gleaner", clock=lambda: 0.0)
    robots.learn("site.example", RobotsRecord("User-agent: *\nDisallow: /private"))
    return LinkSieve(
        resolver=LinkResolver(Canonicalizer()),
        scope=Scope(seeds=["https://site.example/"], exclude=["/cart"]),
        traps=TrapRules(this_year=2026),
        seen=seen or SeenFilter(),
        rules_for=rules_for or robots.rules_for,
        max_depth=max_depth,
        respect_robots=respect_robots,
        canonical_links=canonical_links,
        preferred=preferred,
        seed_keys=frozenset({lease().key}),
    )


LINKS = [
    Link("/a", "A"),
    Link("/a#part", "A again"),
    Link("mailto:x@site.example"),
    Link("/private/x"),
    Link("/cart/1"),
    Link("https://other.example/"),
    Link("/x/x/x"),
    Link("/secret", nofollow=True),
    Link("/calendar/2026/05"),
]


def test_every_link_is_counted_and_every_refusal_has_its_reason() -> None:
    sifted = make_sieve().sift(PageReading(PAGE, links=LINKS), lease())
    assert sifted.found == 8
    assert sifted.refused == {
        Refusal.ROBOTS: 1,
        Refusal.EXCLUDED: 1,
        Refusal.CROSS_SITE: 1,
        Refusal.TRAP: 1,
        Refusal.NOFOLLOW: 1,
    }
    taken = [candidate for candidate in sifted.candidates if candidate.refusal is None]
    assert [(each.url, each.depth) for each in taken] == [
        ("https://site.example/a", 1),
        ("https://site.example/calendar/2026/05", 1),
    ]
    assert (taken[0].anchor, taken[0].pattern) == ("A", 0)
    assert taken[1].pattern_budget > 0
    assert len(sifted.candidates) == 7


def test_packed_links_hold_all_of_them_in_page_order() -> None:
    sifted = make_sieve().sift(PageReading(PAGE, links=LINKS), lease())
    packed = unpack_links(sifted.packed)
    assert [link.anchor for link in packed][:2] == ["A", "A again"]
    assert packed[0].key == packed[1].key
    assert [link.nofollow for link in packed] == [False] * 6 + [True, False]
    distrusted = make_sieve().sift(PageReading(PAGE, links=LINKS, nofollow=True), lease())
    assert all(link.nofollow for link in unpack_links(distrusted.packed))


def test_depth_is_judged_from_the_page() -> None:
    sieve = make_sieve(max_depth=2)
    reading = PageReading(PAGE, links=[Link("/a")])
    assert sieve.sift(reading, lease(1)).candidates[0].refusal is None
    assert sieve.sift(reading, lease(2)).candidates[0].refusal is Refusal.TOO_DEEP


def test_what_was_proposed_is_left_out_but_counted() -> None:
    seen = SeenFilter()
    sieve = make_sieve(seen=seen)
    reading = PageReading(PAGE, links=[Link("/a"), Link("/private/x")])
    for candidate in sieve.sift(reading, lease(3)).candidates:
        seen.add(candidate.key, candidate.depth)
    again = sieve.sift(reading, lease(3))
    assert (again.candidates, again.found, again.refused) == ([], 2, {Refusal.ROBOTS: 1})
    assert len(sieve.sift(reading, lease(1)).candidates) == 2


def test_a_link_that_may_be_followed_beats_one_that_may_not() -> None:
    links = [Link("/a", nofollow=True), Link("/a")]
    (candidate,) = make_sieve().sift(PageReading(PAGE, links=links), lease()).candidates
    assert candidate.refusal is None


def test_a_page_may_ask_that_none_of_its_links_is_followed() -> None:
    reading = PageReading(PAGE, links=[Link("/a")], nofollow=True)
    assert make_sieve().sift(reading, lease()).candidates[0].refusal is Refusal.NOFOLLOW
    assert make_sieve(respect_robots=False).sift(reading, lease()).candidates[0].refusal is None


def test_a_canonical_address_is_a_name_that_costs_no_request() -> None:
    sifted = make_sieve().sift(PageReading(PAGE, canonical="https://site.example/real?utm_source=x"), lease())
    assert sifted.candidates == []
    assert sifted.canonical is not None
    assert sifted.canonical.url == "https://site.example/real"
    assert sifted.canonical.key == key_of("https://site.example/real")


@pytest.mark.parametrize("named", [PAGE, "https://other.example/real", "mailto:a@b.example", ""])
def test_a_page_has_no_other_name_than_one_of_its_site(named: str) -> None:
    page = replace(lease(), key=key_of(PAGE))
    assert make_sieve().sift(PageReading(PAGE, canonical=named), page).canonical is None


def test_a_canonical_address_is_proposed_on_the_same_level_where_asked() -> None:
    reading = PageReading(PAGE, canonical="https://site.example/real")
    (candidate,) = make_sieve(canonical_links=CanonicalLinks.FOLLOW).sift(reading, lease(4)).candidates
    assert (candidate.url, candidate.depth) == ("https://site.example/real", 4)
    elsewhere = PageReading(PAGE, canonical="https://other.example/real")
    assert make_sieve(canonical_links=CanonicalLinks.FOLLOW).sift(elsewhere, lease(4)).candidates == []


def test_a_canonical_address_can_be_ignored() -> None:
    reading = PageReading(PAGE, canonical="https://site.example/real")
    sifted = make_sieve(canonical_links=CanonicalLinks.IGNORE).sift(reading, lease())
    assert (sifted.candidates, sifted.canonical) == ([], None)


def test_a_redirect_keeps_the_level_and_counts_hops() -> None:
    sieve = make_sieve()
    target = sieve.redirected("https://site.example/new", lease(2))
    assert target is not None
    assert (target.depth, target.hops, target.refusal) == (2, 1, None)
    away = sieve.redirected("https://other.example/", lease(2))
    assert away is not None
    assert away.refusal is Refusal.CROSS_SITE
    moved = sieve.redirected("https://other.example/", lease(0))
    assert moved is not None
    assert moved.refusal is None


def test_a_page_of_a_sitemap_does_not_lead_to_another_site_as_a_seed_may() -> None:
    entry = replace(lease(0), key=b"e" * 16)
    sieve = make_sieve()
    on = sieve.redirected("https://site.example/new", entry)
    assert on is not None
    assert on.refusal is None
    for here in (entry, replace(entry, url=on.url, key=on.key, hops=1)):
        away = sieve.redirected("https://other.example/", here)
        assert away is not None
        assert away.refusal is Refusal.CROSS_SITE
    seeds = make_sieve().redirected("https://other.example/", replace(lease(0), key=b"s" * 16, hops=1))
    assert seeds is not None
    assert seeds.refusal is None


@pytest.mark.parametrize("target", ["https://site.example/cart/map.xml", "https://cdn.example/map.xml"])
def test_a_sitemap_may_move_to_where_no_page_belongs(target: str) -> None:
    moved = make_sieve().redirected(target, replace(lease(1), key=b"m" * 16, kind=TargetKind.SITEMAP))
    assert moved is not None
    assert (moved.refusal, moved.kind, moved.hops) == (None, TargetKind.SITEMAP, 1)


def test_entries_of_sitemaps_are_judged_but_sitemaps_may_be_anywhere() -> None:
    sieve = make_sieve()
    away = sieve.propose("https://other.example/", depth=0, priority=0.5)
    assert away is not None
    assert away.refusal is Refusal.CROSS_SITE
    index = sieve.propose("https://cdn.example/map.xml", depth=0, priority=0.5, kind=TargetKind.SITEMAP)
    assert index is not None
    assert index.refusal is None
    assert sieve.propose("not a url", depth=0, priority=0.5) is None
    for long in ("a" * 4_000, "ä" * 1_000):
        address = f"https://site.example/{long}"
        assert sieve.propose(address, depth=0, priority=0.5, kind=TargetKind.SITEMAP) is None


def test_memory_of_verdicts_is_bounded() -> None:
    sieve = make_sieve()
    sieve._verdict_count = 200_000
    sieve.sift(PageReading(PAGE, links=[Link("/a")]), lease())
    assert sieve._verdict_count == 1


def test_what_the_user_prefers_comes_first_within_its_level() -> None:
    sieve = make_sieve(preferred=CrawlSpec(seeds=(PAGE,), prefer=("/product/",)).preferred())
    best, worst = Link("/", "Home"), Link("/product/a/b/c/d/e/f/g/h/i/j?a=1&b=2&c=3&d=4&e=5")
    sifted = sieve.sift(PageReading(PAGE, links=[best, worst]), lease())
    plain, preferred = sorted(sifted.candidates, key=lambda candidate: len(candidate.url))
    assert plain.priority < preferred.priority < 0.999
    entry = sieve.propose("https://site.example/product/1", depth=0, priority=0.1)
    assert entry is not None
    assert entry.priority == 0.95


def test_links_beyond_the_most_are_left_out_and_people_are_told_what_to_do() -> None:
    links = [Link(f"/{number}") for number in range(MAX_LINKS + 1)]
    sifted = make_sieve().sift(PageReading(PAGE, links=links), lease())
    assert len(sifted.candidates) == sifted.found == MAX_LINKS == 50_000
    assert sifted.notices == (
        "Only the first 50,000 links of the page were taken. Name the part of the page that matters in the links scope "
        "of the crawler, or add pages that list fewer links to its seeds.",
    )
    assert make_sieve().sift(PageReading(PAGE, links=links[:-1]), lease()).notices == ()


def test_the_longer_the_base_the_fewer_links_are_taken() -> None:
    base = "https://site.example/" + "x" * 3_979
    links = [Link(f"?{number}") for number in range(6_000)]
    sifted = make_sieve().sift(PageReading(base, links=links), lease())
    assert sifted.found == 20_000_000 // 4_000
    assert sifted.notices[0].startswith("Only the first 5,000 links of the page were taken. ")


def test_links_longer_than_any_address_are_counted_as_traps_told_once_and_stored_nowhere() -> None:
    links = [Link("/" + "a" * 4_000), Link("/" + "ä" * 3_000), Link("?" + "b" * 9_000), Link("/short")]
    sieve = make_sieve()
    for _ in range(2):
        sifted = sieve.sift(PageReading(PAGE, links=links), lease())
        assert [candidate.url for candidate in sifted.candidates] == ["https://site.example/short"]
        assert (sifted.found, sifted.refused) == (4, {Refusal.TRAP: 3})
        assert sifted.notices == ("Links of more than 4,000 characters were left out: no page has such an address.",)


def test_a_page_that_is_not_in_unicode_links_to_queries_in_its_charset() -> None:
    reading = PageReading(PAGE, links=[Link("/s?q=тест")], charset="cp1251")
    (candidate,) = make_sieve().sift(reading, lease()).candidates
    assert candidate.url == "https://site.example/s?q=%F2%E5%F1%F2"


def test_a_robots_txt_of_very_many_rules_is_asked_page_by_page_not_for_all_links_at_once() -> None:
    text = "User-agent: *\nDisallow: /private\n" + "".join(f"Disallow: /*{n}*z\n" for n in range(20_000))
    robots = RobotsBook(product="Gleaner", clock=lambda: 0.0)
    robots.learn("site.example", RobotsRecord(text))
    links = [Link("/private/x"), *(Link(f"/a1b2-{number}") for number in range(2_000))]
    few, many = (
        make_sieve(rules_for=robots.rules_for).sift(PageReading(PAGE, links=found), lease())
        for found in (links[:9], links)
    )
    assert few.refused == {Refusal.ROBOTS: 1}
    assert (len(many.candidates), many.refused) == (2_001, {})
