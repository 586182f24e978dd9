"""What a trace says of pages whose documents moved, of pages with very many, and of runs that go on."""

from typing import Any

import pytest
from django.utils import timezone

from backend.apps.crawlers.models import Crawler
from backend.apps.documents.models import Document, Page, PageContent
from backend.apps.indexers.keeping import Wait, keep_index
from backend.apps.indexers.models import Indexer
from backend.apps.runners.models import CrawlHost, CrawlUrl, Runner, RunnerStatus, UrlState
from backend.apps.search.trace import trace
from backend.apps.templates.models import Inspector
from backend.search_engine.search import Searcher
from crawler_node.contracts import StopReason
from crawler_node.extract.identity import identity
from crawler_node.sinks import pack_page
from crawler_node.urls import Canonicalizer
from tests.integration.indexers.shelf import Shelf

LISTING, OTHER = "http://shop.example/listing", "http://shop.example/other"
NEVER = "http://shop.example/never"


def key_of(url: str) -> bytes:
    found = Canonicalizer(None).canonicalize(url)
    assert found is not None
    return found.key


@pytest.fixture
def shelf(indexer: Indexer) -> Shelf:
    return Shelf(indexer.project)


@pytest.fixture
def crawler(shelf: Shelf) -> Crawler:
    return shelf.crawlers["Shop"]


@pytest.fixture
def runner(crawler: Crawler) -> Runner:
    return Runner.objects.create(crawler=crawler, number=1, specification={}, status=RunnerStatus.COMPLETED)


def fetched(runner: Runner, url: str, *, documents: int, html: str = "") -> Page:
    host, _ = CrawlHost.objects.get_or_create(runner=runner, host="shop.example")
    state = {"state": UrlState.DONE, "depth": 0, "rank": 0}
    CrawlUrl.objects.create(runner=runner, key=key_of(url), url=url, host=host, **state)
    facts = {"http_status": 200, "content_type": "text/html", "fetched_at": timezone.now()}
    page = Page.objects.create(runner=runner, key=key_of(url), url=url, document_count=documents, **facts)
    if html:
        PageContent.objects.create(page=page, raw=pack_page(html.encode()))
    return page


def found_on(url: str, documents: list[Document]) -> None:
    Document.objects.filter(pk__in=[each.pk for each in documents]).update(page_key=key_of(url), url=url)


def sentences(told: dict[str, Any]) -> dict[str, str]:
    return {step["name"]: step["sentence"] for step in told["steps"]}


def build(indexer: Indexer) -> None:
    Indexer.objects.filter(pk=indexer.pk).update(live=False)
    keep_index(indexer.pk, Wait(stop=lambda: False, pause=lambda _: None))


@pytest.mark.parametrize(
    ("status", "reason", "words"),
    [
        (RunnerStatus.RUNNING, "", "That run has not ended (running) and may still find it. If it does not, add it"),
        (RunnerStatus.PAUSED, StopReason.PAUSED.sentence, "has not ended (paused) and may still find it."),
        (RunnerStatus.COMPLETED, StopReason.MAX_PAGES.sentence, "That run ended early: The maximum number of pages"),
        (RunnerStatus.EXIT, StopReason.STOPPED.sentence, "That run ended early: Someone stopped it."),
        (
            RunnerStatus.COMPLETED,
            StopReason.EXHAUSTED.sentence,
            "Add it as a seed, or the page that should lead to it.",
        ),
    ],
)
def test_a_run_ended_early_only_where_it_did(
    crawler: Crawler, runner: Runner, status: str, reason: str, words: str
) -> None:
    Crawler.objects.filter(pk=crawler.pk).update(max_pages=1_000)
    Runner.objects.filter(pk=runner.pk).update(status=status, reason=reason)
    told = trace(Crawler.objects.get(pk=crawler.pk), NEVER)["reason"]
    assert words in told
    assert ("ended early" in told) == ("ended early" in words)


def test_documents_that_another_page_had_later_are_not_nothing(crawler: Crawler, runner: Runner, shelf: Shelf) -> None:
    fetched(runner, LISTING, documents=2)
    found_on(OTHER, shelf.fill(2))
    told = trace(crawler, LISTING)
    assert told["stopped_at"] == "extracted"
    assert told["reason"].startswith("The run found 2 documents on it; since then other pages had them")


def test_a_kept_page_leads_to_its_documents_on_other_pages(
    indexer: Indexer, crawler: Crawler, runner: Runner, shelf: Shelf
) -> None:
    Inspector.objects.filter(name="name").update(key=True)
    fetched(runner, LISTING, documents=1, html="<html><body><h1>SSD 0</h1><p>Fast.</p></body></html>")
    [document] = shelf.fill(1)
    own = identity(LISTING, {"name": "SSD 0"}, keys=["name"], is_item=False)
    Document.objects.filter(pk=document.pk).update(identity=own)
    found_on(OTHER, [document])
    build(indexer)
    told = trace(crawler, LISTING, query="ssd")
    assert (told["stopped_at"], told["indexes"][0]["rank"]) == (None, 1)
    extracted = sentences(told)["extracted"]
    assert extracted.startswith(f"One document was found on it. Later they were found on other pages, such as {OTHER}.")
    assert told["documents"][0]["selectors"][0] == {
        "field": "name",
        "selector": "//h1",
        "is_fallback": False,
        "is_required": True,
    }


def test_of_a_listing_few_documents_are_followed_and_the_index_is_asked_once(
    indexer: Indexer, crawler: Crawler, runner: Runner, shelf: Shelf, monkeypatch: Any
) -> None:
    fetched(runner, LISTING, documents=25)
    documents = shelf.fill(25)
    found_on(LISTING, documents)
    shelf.gone(documents[0])
    shelf.copy_of(documents[1], documents[2])
    build(indexer)
    searches: list[Any] = []
    search = Searcher.search
    monkeypatch.setattr(Searcher, "search", lambda *given: (searches.append(given), search(*given))[1])
    told = trace(crawler, LISTING, query="ssd")
    assert (told["stopped_at"], len(told["documents"]), len(told["indexes"]), len(searches)) == (None, 10, 10, 1)
    assert [each["document"] for each in told["indexes"]] == [each.pk for each in documents[2:12]]
    assert sorted(each["rank"] for each in told["indexes"]) == list(range(1, 11))
    assert (
        "24 documents were found on it. 10 of them are followed here; there are 14 more."
        in sentences(told)["extracted"]
    )
    assert all(each["explanation"] for each in told["indexes"])


def test_documents_that_outlived_their_run_are_few_too(crawler: Crawler, indexer: Indexer, shelf: Shelf) -> None:
    found_on(LISTING, shelf.fill(12))
    build(indexer)
    told = trace(crawler, LISTING)
    assert (told["stopped_at"], len(told["indexes"])) == (None, 10)
    assert "there are 2 more" in sentences(told)["extracted"]
