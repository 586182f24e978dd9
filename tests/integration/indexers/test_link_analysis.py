"""Link analysis over stored crawls: the scores of every page, by its key."""

import networkx as nx
import numpy as np
import pytest

from backend.apps.documents.models import Page, PageContent
from backend.apps.indexers.link_analysis import UNKNOWN, LinkReport, analyse_links
from backend.search_engine.links import log_scaled
from tests.integration.indexers.linked_site import Site, crawl, key_of, make_crawler

pytestmark = pytest.mark.django_db
A, B = "https://a.example", "https://b.example"
TEXT = "<p>The price of the camera and the lens that is in the box is not what it was. </p>" * 20


def page(*links: str, title: str = "Page", head: str = "", text: str = TEXT) -> str:
    return f"<html lang=en><head><title>{title}</title>{head}</head><body><h1>{title}</h1>{text}{''.join(links)}"


def link(target: str, text: str = "more", rel: str = "") -> str:
    return f'<a href="{target}" rel="{rel}">{text}</a>'


SITE: Site = {
    f"{A}/": page(link("/one", "First"), link("/two", "Second"), link("/old", "Old name"), link("/", "Home")),
    f"{A}/one": page(link("/", "Home"), link("/two", "Second"), link("/two", "two"), link("/spam", "buy", "nofollow")),
    f"{A}/two": page(link("/", "Home"), link(f"{B}/", "Neighbour")),
    f"{A}/old": "→ /new",
    f"{A}/new": page(link("/two", "Second"), link("/print", "Print")),
    f"{A}/print": page(link("/", "Home"), head='<link rel=canonical href="/new">'),
    f"{A}/spam": page(title="", text="buy buy buy"),
    f"{B}/": page(link(f"{A}/", "The shop")),
}


def site_crawler(**options):
    return make_crawler(f"{A}/", f"{A}/spam", f"{B}/", **options)


def test_pagerank_as_networkx_has_it_over_the_canonical_pages() -> None:
    crawler = site_crawler()
    crawl(crawler, SITE)
    scores = analyse_links([crawler.pk])
    graph = nx.DiGraph()
    graph.add_nodes_from(["/", "/one", "/two", "/new", "/spam", "b"])
    graph.add_edges_from([("/", "/one"), ("/", "/two"), ("/", "/new"), ("/one", "/"), ("/one", "/two"), ("/two", "/")])
    graph.add_edges_from([("/two", "b"), ("/new", "/two"), ("/new", "/"), ("b", "/")])
    known = nx.pagerank(graph, tol=1e-12, max_iter=500)
    expected = dict(zip(known, log_scaled(np.array(list(known.values()))).tolist(), strict=True))
    for path, value in expected.items():
        url = f"{B}/" if path == "b" else f"{A}{path}"
        assert scores.of(key_of(url)).pagerank == pytest.approx(value, abs=1e-6), path
    report = scores.report
    assert (report.pages, report.links, report.sinks, report.hosts) == (6, 10, 1, 2)
    assert report.is_converged
    assert report.residuals[-1] <= 1e-9
    assert report.convergence.count("e-") >= len(report.residuals)
    assert f"{report.residuals[0]:.1e}, {report.residuals[1]:.1e}" in report.convergence
    assert "6 pages of 2 hosts, 10 links" in report.sentence


def test_redirects_and_canonical_addresses_lead_to_their_page() -> None:
    crawler = site_crawler()
    crawl(crawler, SITE)
    scores = analyse_links([crawler.pk])
    new = scores.of(key_of(f"{A}/new"))
    assert scores.of(key_of(f"{A}/old")) == scores.of(key_of(f"{A}/print")) == new
    assert new.anchors == ("Old name",)


def test_anchor_texts_come_with_the_page_they_lead_to() -> None:
    crawler = site_crawler()
    crawl(crawler, SITE)
    scores = analyse_links([crawler.pk])
    assert scores.of(key_of(f"{A}/two")).anchors == ("Second", "two")
    assert scores.of(key_of(f"{A}/")).anchors == ("Home", "The shop")
    assert scores.of(key_of(f"{A}/spam")).anchors == ()


def test_hosts_are_ranked_by_the_hosts_that_link_to_them() -> None:
    site = {**SITE, "https://c.example/": page(link(f"{A}/"))}
    crawler = make_crawler(f"{A}/", f"{B}/", "https://c.example/")
    crawl(crawler, site)
    scores = analyse_links([crawler.pk])
    ranks = [scores.of(key_of(url)).host_rank for url in (f"{A}/", f"{A}/one", f"{B}/", "https://c.example/")]
    assert ranks[0] == ranks[1] == 1.0
    assert 0.0 < ranks[2] < 1.0
    assert ranks[3] == 0.0


def test_quality_tells_a_good_page_from_a_poor_one() -> None:
    crawler = site_crawler()
    crawl(crawler, SITE)
    scores = analyse_links([crawler.pk])
    good, poor = scores.of(key_of(f"{A}/one")).quality, scores.of(key_of(f"{A}/spam")).quality
    assert good > 0.8
    assert poor < 0.5


def test_a_page_that_was_never_fetched_is_unknown() -> None:
    crawler = site_crawler()
    crawl(crawler, SITE)
    scores = analyse_links([crawler.pk])
    assert scores.of(key_of(f"{A}/nowhere")) == scores.of(b"") == UNKNOWN
    assert analyse_links([]).of(key_of(f"{A}/")) == UNKNOWN


def test_the_newest_fetch_counts_and_what_is_gone_is_gone() -> None:
    crawler = site_crawler()
    crawl(crawler, SITE)
    changed = {**SITE, f"{A}/": page(link("/two", "Only this")), f"{A}/one": 404, f"{A}/new": 500, f"{A}/print": 304}
    crawler.seeds = [*crawler.seeds, f"{A}/one", f"{A}/new", f"{A}/print"]
    crawler.save()
    crawl(crawler, changed)
    scores = analyse_links([crawler.pk])
    assert scores.of(key_of(f"{A}/one")) == UNKNOWN
    assert scores.of(key_of(f"{A}/two")).anchors == ("Only this", "Second")
    assert scores.of(key_of(f"{A}/new")).quality > 0.8


def test_an_unchanged_page_keeps_the_quality_and_links_of_the_run_before() -> None:
    crawler = site_crawler()
    crawl(crawler, SITE)
    before = analyse_links([crawler.pk])
    crawl(crawler, dict.fromkeys(SITE, 304) | {f"{A}/old": "→ /new"})
    after = analyse_links([crawler.pk])
    assert Page.objects.filter(runner__number=2, http_status=304).exists()
    for url in SITE:
        assert after.of(key_of(url)).quality == before.of(key_of(url)).quality
    assert after.report.links == before.report.links


def test_several_crawlers_share_one_graph_and_others_are_left_out() -> None:
    one = make_crawler(f"{A}/", project_name="One")
    other = make_crawler(f"{B}/", project_name="Other")
    stranger = make_crawler("https://c.example/", project_name="Stranger")
    crawl(one, SITE)
    crawl(other, SITE)
    crawl(stranger, {"https://c.example/": page(link(f"{B}/", "From a stranger"))})
    together = analyse_links([one.pk, other.pk])
    assert together.of(key_of(f"{B}/")).anchors == ("Neighbour",)
    assert analyse_links([one.pk]).of(key_of(f"{B}/")) == UNKNOWN


def test_progress_reaches_the_end_and_may_break_it_off() -> None:
    crawler = site_crawler()
    crawl(crawler, SITE)
    told: list[tuple[int, int]] = []
    analyse_links([crawler.pk], lambda done, total: told.append((done, total)))
    assert told == sorted(told)
    assert told[-1][0] == told[-1][1] > 0

    def stop(done: int, total: int) -> None:
        raise InterruptedError

    with pytest.raises(InterruptedError):
        analyse_links([crawler.pk], stop)


def test_what_cannot_be_read_is_left_out_and_counted() -> None:
    crawler = site_crawler()
    crawl(crawler, SITE)
    PageContent.objects.filter(page__url=f"{A}/one").update(links=b"\x02broken", features=b"broken")
    scores = analyse_links([crawler.pk])
    assert scores.report.unreadable == 2
    assert "2 pages could not be read" in scores.report.sentence
    assert scores.of(key_of(f"{A}/one")).quality is None


def test_small_batches_give_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    from backend.apps.indexers import link_analysis, linked_pages

    crawler = site_crawler()
    crawl(crawler, SITE)
    whole = analyse_links([crawler.pk])
    monkeypatch.setattr(link_analysis, "BATCH_CONTENTS", 2)
    monkeypatch.setattr(linked_pages, "BATCH_PAGES", 3)
    parts = analyse_links([crawler.pk])
    assert [parts.of(key_of(url)) for url in SITE] == [whole.of(key_of(url)) for url in SITE]


def test_one_of_a_thing_is_told_as_one() -> None:
    told = LinkReport(1, 1, 1, 1, (0.0,), (0.0,), is_converged=True, unreadable=1).sentence
    assert told == (
        "Links: 1 page of 1 host, 1 link, 1 page without any. PageRank settled after 1 iteration "
        "(last change 0.0e+00). 1 page could not be read."
    )
