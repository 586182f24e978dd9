"""A small extractor of the tests' own: what a kind's rules find on a page, as a reader sees it."""

from urllib.parse import urljoin

import aiohttp
from lxml import html

from backend.demo_site.truth import DocumentKind, ExpectedDocument, FieldRule


def extract(kind: DocumentKind, page: bytes, path: str, charset: str = "utf-8") -> list[dict[str, str]]:
    """The documents of one page."""
    tree = html.document_fromstring(page, parser=html.HTMLParser(encoding=charset))
    scopes = tree.xpath(kind.item_scope) if kind.item_scope else [tree]
    return [_extract_item(scope, kind, path) for scope in scopes]


def _extract_item(scope: html.HtmlElement, kind: DocumentKind, path: str) -> dict[str, str]:
    found = {name: _extract_field(scope, rule, path) for name, rule in kind.rules.items()}
    return {name: value for name, value in found.items() if value is not None}


def _extract_field(scope: html.HtmlElement, rule: FieldRule, path: str) -> str | None:
    nodes = scope.xpath(rule.selector)
    if not nodes:
        return None
    if rule.attribute:
        return urljoin(path, nodes[0].get(rule.attribute))
    texts = [" ".join(node.text_content().split()) for node in nodes]
    return " | ".join(texts) if rule.multiple else texts[0]


async def compare_everything(client: aiohttp.ClientSession, kind: DocumentKind) -> int:
    """Fetch every page of the kind and compare every value; the number of documents compared."""
    pages: dict[str, list[ExpectedDocument]] = {}
    for document in kind.documents():
        pages.setdefault(document.path, []).append(document)
    for path, expected in pages.items():
        async with client.get(path) as answer:
            found = extract(kind, await answer.read(), path, answer.charset or "utf-8")
        assert found == [document.shown for document in expected], path
    return sum(len(expected) for expected in pages.values())
