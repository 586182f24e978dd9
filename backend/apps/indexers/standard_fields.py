"""The fields that every index has beside the columns that people chose."""

from collections.abc import Mapping
from typing import Any

from backend.search_engine.index import Field, FieldKind
from backend.search_engine.text import Analysis

URL, TITLE, CRAWLER, HOST, LANGUAGE, UNSAFE = "page_url", "page_title", "crawler", "host", "page_language", "unsafe"
FETCHED, FOUND = "fetched", "found"
PAGERANK, HOST_RANK, QUALITY = "pagerank", "host_rank", "quality"
HUB, AUTHORITY = HITS = ("hub", "authority")
"""Only where the indexer counts them: else their names are free for columns and variables."""
FINGERPRINT = ("fingerprint_high", "fingerprint_low")
HEADINGS, DESCRIPTION, TEXT, ANCHORS = "page_headings", "page_description", "page_text", "anchors"

PAGE_TEXT_FIELDS = (TITLE, HEADINGS, DESCRIPTION, TEXT, ANCHORS)
"""Searched where the indexer searches page text; without it only the title is kept, to be shown."""
NAMES = frozenset(
    (URL, CRAWLER, HOST, LANGUAGE, UNSAFE, FETCHED, FOUND, PAGERANK, HOST_RANK, QUALITY, *FINGERPRINT)
) | frozenset(PAGE_TEXT_FIELDS)
FRESHNESS = "freshness"
"""A variable of formulas and weights, no field: it is worked out from `fetched` at the time of a search."""
STATIC_VARIABLES = (PAGERANK, HOST_RANK, QUALITY, FRESHNESS)


def static_variables(*, hits: bool) -> tuple[str, ...]:
    """The variables that formulas and weights have whatever the columns are."""
    return (*STATIC_VARIABLES, *HITS) if hits else STATIC_VARIABLES


def is_unsafe(fields: Mapping[str, Any]) -> bool:
    """Whether safe search hides the document with these fields, as they are written or as they were stored."""
    return fields.get(UNSAFE) in ("true", ["true"])


def standard_fields(analysis: Analysis, *, with_page_text: bool, with_hits: bool = False) -> list[Field]:
    """`page_url`, `page_title`, `crawler`, `host`, `page_language`, `unsafe` (“true” or “false”), `fetched` (when the
    current values were read), `found` (when the document was first seen), `pagerank`, `host_rank`, `quality`, `hub`
    and `authority` where they are counted, and the two 32-bit halves of the text's fingerprint for near-duplicates.
    """
    keywords = [Field(name, FieldKind.KEYWORD) for name in (URL, CRAWLER, HOST, LANGUAGE, UNSAFE)]
    dates = [Field(name, FieldKind.DATE) for name in (FETCHED, FOUND)]
    ranks = (PAGERANK, HOST_RANK, QUALITY, *(HITS if with_hits else ()))
    numbers = [Field(name, FieldKind.NUMBER) for name in ranks]
    halves = [Field(name, FieldKind.NUMBER, stored=False) for name in FINGERPRINT]
    if not with_page_text:
        return [Field(TITLE, FieldKind.KEYWORD), *keywords, *dates, *numbers, *halves]
    return [*(Field(name, analysis=analysis) for name in PAGE_TEXT_FIELDS), *keywords, *dates, *numbers, *halves]
