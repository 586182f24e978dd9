"""A page under several spellings of its address: its documents are the same."""

import pytest

from backend.apps.crawlers.models import Crawler
from backend.apps.documents.models import Document
from backend.apps.runners.reextraction import reextract_runner
from crawler_node.extract.identity import identity
from tests.integration.runners.kept_pages import SITE, crawl, shop_crawler

pytestmark = pytest.mark.django_db
SORTED, UNSORTED, OTHER = "/p?a=1&b=2&c=3", "/p?b=2&a=1&c=3", "/p?c=3&b=2&a=1"


def present(crawler: Crawler) -> list[tuple[str, int]]:
    found = Document.objects.filter(crawler=crawler, gone_at=None)
    return [(document.url.removeprefix(SITE), document.version_number) for document in found]


@pytest.mark.parametrize("item_scope", ["", "//section"])
def test_a_document_stays_itself_under_every_spelling(item_scope: str) -> None:
    crawler = shop_crawler(item_scope=item_scope)
    for spelling in (UNSORTED, SORTED, OTHER):
        crawl(crawler, {spelling: "<section><h2>SSD</h2></section>"})
        assert present(crawler) == [(spelling, 1)]
    assert Document.objects.count() == 1


def test_one_that_was_kept_by_the_spelling_of_its_page_stays_itself() -> None:
    crawler = shop_crawler()
    first = crawl(crawler, {UNSORTED: "<h2>SSD</h2>"})
    text = identity(f"{SITE}{UNSORTED}", {}, keys=[], is_item=False)
    assert Document.objects.exclude(identity=text).update(identity=text) == 1
    reextract_runner(runner=first)
    crawl(crawler, {UNSORTED: "<h2>HDD</h2>"})
    assert present(crawler) == [(UNSORTED, 2)]
    assert Document.objects.count() == 1


def test_two_that_were_kept_for_one_page_become_one() -> None:
    crawler = shop_crawler()
    crawl(crawler, {UNSORTED: "<h2>SSD</h2>"})
    Document.objects.update(identity=identity(f"{SITE}{UNSORTED}", {}, keys=[], is_item=False))
    crawl(crawler, {OTHER: "<h2>SSD</h2>"})
    assert present(crawler) == [(OTHER, 1)]
    crawl(crawler, {UNSORTED: "<h2>SSD</h2>"})
    assert present(crawler) == [(UNSORTED, 1)]
    assert Document.objects.count() == 2
