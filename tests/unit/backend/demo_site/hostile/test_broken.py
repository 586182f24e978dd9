import aiohttp
import pytest
from lxml import html

from backend.demo_site.hostile.broken import CASES
from backend.demo_site.truth import HOSTILE_BROKEN, HOSTILE_TOO_DEEP
from tests.unit.backend.demo_site.extraction import extract

SIMPLE_PARSERS_LOSE = {"early-end", "deep-300", "deep-6000", "split-text", "zero-bytes", "xhtml", "two-documents"}


def test_the_truth_knows_every_case():
    documents = [*HOSTILE_BROKEN.documents(), *HOSTILE_TOO_DEEP.documents()]
    assert sorted(document.shown["name"] for document in documents) == sorted(CASES)


@pytest.mark.parametrize("document", HOSTILE_BROKEN.documents(), ids=lambda document: document.shown["name"])
async def test_name_and_price_are_in_the_page(client: aiohttp.ClientSession, document):
    async with client.get(document.path) as answer:
        assert answer.status == 200
        body = await answer.read()
    name = document.shown["name"]
    if name not in SIMPLE_PARSERS_LOSE:
        assert extract(HOSTILE_BROKEN, body, document.path) == [document.shown]
    assert b'class="name"' in body
    assert b'class="price"' in body


async def test_nesting_is_as_deep_as_it_says(client: aiohttp.ClientSession):
    for name, depth in (("deep-300", 300), ("deep-6000", 6000)):
        async with client.get(f"/hostile/broken/{name}") as answer:
            body = await answer.read()
        assert body.index(b"<h1") > depth * len(b"<div>")
        parser = html.HTMLParser(huge_tree=True)
        assert html.document_fromstring(body, parser=parser).xpath("//h1/text()") in ([name], [])


async def test_mark_and_base_come_before_the_doctype(client: aiohttp.ClientSession):
    async with client.get("/hostile/broken/mark-and-base") as answer:
        body = await answer.read()
    assert body.startswith(b"\xef\xbb\xbf<base ")
    assert body.index(b"<base") < body.index(b"<!doctype")
