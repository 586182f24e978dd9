"""Reads of runners."""

import json
from typing import Any

from django.db.models import Count, Min

from backend.apps.runners.models import LogLevel, Runner
from crawler_node.contracts import Refusal, Statistics


def statistics_of(runner: Runner) -> dict[str, Any]:
    """The counts as they stand, with the averages people ask for."""
    state = getattr(runner, "crawl_state", None)
    counts = json.loads(state.statistics) if state is not None else {}
    return describe_statistics(Statistics(**counts))


def crawl_mark(runner: Runner) -> int:
    """A number that changes while a crawl gets anywhere: by asking for pages, or by giving them up."""
    counts = statistics_of(runner)
    return int(counts["requests"]) + int(counts["failed"])


def warnings_of(runner: Runner, *, limit: int = 5) -> list[str]:
    """What the log warns of, each sentence once: the most frequent first, of those alike the older."""
    lines = runner.log.filter(level__in=(LogLevel.WARNING, LogLevel.ERROR)).values("message")
    told = lines.annotate(count=Count("pk"), first=Min("pk")).order_by("-count", "first")
    return [line["message"] for line in told[:limit]]


def describe_statistics(counts: Statistics) -> dict[str, Any]:
    pages, read = counts.pages, counts.pages - counts.unchanged_pages
    return {
        "pages": pages,
        "documents": counts.documents,
        "new_documents": counts.new_documents,
        "changed_documents": counts.changed_documents,
        "duplicate_documents": counts.duplicate_documents,
        "missing_fields": counts.missing_fields,
        "missing": counts.missing,
        "fallbacks": counts.fallbacks,
        "documents_per_page": _per(counts.documents, pages),
        "failed": counts.failed,
        "retries": counts.retries,
        "redirects": counts.redirects,
        "unchanged_pages": counts.unchanged_pages,
        "duplicate_pages": counts.duplicate_pages,
        "fruitful_pages": counts.fruitful_pages,
        "requests": counts.requests,
        "queued": counts.queued,
        "leased": counts.leased,
        "skipped": counts.skipped,
        "sitemaps": counts.sitemaps,
        "links_collected": counts.links_collected,
        "links_visited": counts.links_visited,
        "links_refused": _with_duplicates(counts),
        "urls_refused": counts.urls_refused,
        "http_codes": counts.http_codes,
        "lanes": counts.lanes,
        "failures": counts.failures,
        "bytes": counts.bytes,
        "average_load_ms": _per(counts.load_seconds * 1000, pages),
        "average_processing_ms": _per(counts.process_seconds * 1000, read),
        "average_page_bytes": _per(counts.bytes, read),
        "progress": _per(pages, pages + counts.queued + counts.leased),
    }


def _with_duplicates(counts: Statistics) -> dict[str, int]:
    """Why links were not followed; most of them led to addresses that were found before."""
    known = {str(Refusal.DUPLICATE): counts.links_visited} if counts.links_visited else {}
    return {**counts.links_refused, **known}


def _per(amount: float, count: int) -> float:
    return round(amount / count, 3) if count else 0.0
