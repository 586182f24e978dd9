"""What can be tried on a page in a bounded child: a selector or a whole template. Plain JSON in, plain JSON out."""

import time
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from datetime import datetime
from typing import Any

from crawler_node.contracts import Link
from crawler_node.extract.compiler import compile_template
from crawler_node.extract.extraction import ExtractedDocument, Extraction, Miss, Notice
from crawler_node.extract.links import join_url
from crawler_node.extract.parsing import parse_page
from crawler_node.extract.selectors import Match, compile_selector, compile_selectors
from crawler_node.extract.spec import parse_template
from crawler_node.extract.text import normalize_space, visible_text
from crawler_node.page_text.head import read_head
from crawler_node.page_text.links import find_links

MAX_SAMPLES = 20
MAX_SAMPLE_CHARS = 300
MAX_LINKS = 500


@dataclass(frozen=True, slots=True)
class SelectorTrial:
    """What a selector found on a page: how many matches, and the texts of the first."""

    count: int
    samples: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PageTrial:
    """What a template and a crawler make of one page; `links` are the first of `link_count`, absolute."""

    extraction: Extraction
    links: tuple[Link, ...]
    link_count: int
    title: str
    canonical: str
    noindex: bool
    parse_seconds: float
    extract_seconds: float
    links_seconds: float


def try_selector(message: Mapping[str, Any], body: bytes) -> dict[str, Any]:
    """Run `message["selector"]` on a page."""
    selector = compile_selector(message["selector"])
    matches = selector.select(parse_page(body, url=message["url"], content_type=message["content_type"]).root)
    samples = [_sample(match) for match in matches[:MAX_SAMPLES]]
    return {"count": len(matches), "samples": samples}


def _sample(match: Match) -> str:
    text = normalize_space(match) if isinstance(match, str) else visible_text(match)
    return text[:MAX_SAMPLE_CHARS]


def try_template(message: Mapping[str, Any], body: bytes) -> dict[str, Any]:
    """Run `message["template"]`, as it stands in a project file, on a page."""
    template = compile_template(parse_template(message["template"]))
    page = parse_page(body, url=message["url"], content_type=message["content_type"])
    now = datetime.fromisoformat(message["now"]) if message.get("now") else None
    return _plain(template.extract(page, now=now))


def _plain(extraction: Extraction) -> dict[str, Any]:
    return {
        "documents": [asdict(document) for document in extraction.documents],
        "misses": [asdict(miss) for miss in extraction.misses],
        "notices": [asdict(notice) for notice in extraction.notices],
        "items": extraction.items,
    }


def to_selector_trial(answer: Mapping[str, Any]) -> SelectorTrial:
    """The answer of `try_selector` as a value."""
    return SelectorTrial(answer["count"], tuple(answer["samples"]))


def to_extraction(answer: Mapping[str, Any]) -> Extraction:
    """The answer of `try_template` as a value."""
    return Extraction(
        documents=[
            ExtractedDocument(document["values"], tuple(document["missing"]), document["fired"])
            for document in answer["documents"]
        ],
        misses=[Miss(**miss) for miss in answer["misses"]],
        notices=[Notice(**notice) for notice in answer["notices"]],
        items=answer["items"],
    )


def try_page(message: Mapping[str, Any], body: bytes) -> dict[str, Any]:
    """Read a page with `message["template"]` as a crawl would, and tell all that came of it, with times."""
    began = time.perf_counter()
    page = parse_page(body, url=message["url"], content_type=message["content_type"])
    parsed = time.perf_counter()
    now = datetime.fromisoformat(message["now"]) if message.get("now") else None
    template = compile_template(parse_template(message["template"]))
    extraction = template.extract(page, now=now)
    advice = [Notice("", sentence) for sentence in template.advice]
    extracted = time.perf_counter()
    links = find_links(page.root, compile_selectors(message["links_scope"]))
    head = read_head(page)
    found = [[join_url(page.base_url, link.href) or link.href, link.anchor, link.nofollow] for link in links]
    return {
        "extraction": _plain(replace(extraction, notices=(*advice, *extraction.notices))),
        "links": found[:MAX_LINKS],
        "link_count": len(found),
        "title": head.title,
        "canonical": head.canonical,
        "noindex": head.noindex,
        "parse_seconds": parsed - began,
        "extract_seconds": extracted - parsed,
        "links_seconds": time.perf_counter() - extracted,
    }


def to_page_trial(answer: Mapping[str, Any]) -> PageTrial:
    """The answer of `try_page` as a value."""
    links = tuple(Link(href, anchor, nofollow) for href, anchor, nofollow in answer["links"])
    return PageTrial(**{**answer, "extraction": to_extraction(answer["extraction"]), "links": links})


TRIALS = {"selector": try_selector, "template": try_template, "page": try_page}
