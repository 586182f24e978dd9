"""What takes how much: rows and bytes by kind, counted where that is cheap and estimated where it is not."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.db import connection
from django.db.models import Model, QuerySet

from backend.apps.crawlers.models import Crawler
from backend.apps.documents.models import Document, DocumentVersion, Page, PageContent
from backend.apps.projects.models import Project
from backend.apps.runners.models import CrawlState, CrawlUrl, LogLine, Runner

COUNTED_ROWS = 10_000  # beyond, the runs' own statistics tell how many
SAMPLED_ROWS = 200
ROW_BYTES = 60  # what a database spends on a row and its entries in indexes, about
HEAVY: dict[type[Model], tuple[str, ...]] = {
    Page: ("url", "etag", "last_modified", "failure"),
    PageContent: ("features", "links", "raw"),
    CrawlUrl: ("url", "anchor"),
    LogLine: ("message", "url"),
    Document: ("url", "identity", "page_key", "sha1"),
    DocumentVersion: ("fields",),
}

PARTS_OF: dict[type[Model], tuple[type[Model], str]] = {
    PageContent: (Page, "page_id"),
    DocumentVersion: (Document, "document_id"),
}


@dataclass(frozen=True)
class KindOfRows:
    kind: str
    rows: int
    bytes: int
    is_estimate: bool


def storage_of(project: Project) -> list[KindOfRows]:
    """In the order a person wonders about them. Its cost does not grow with the rows."""
    runners = list(Runner.objects.filter(crawler__project=project, pruned_at__isnull=True).values_list("pk", flat=True))
    crawlers = list(Crawler.objects.filter(project=project).values_list("pk", flat=True))
    totals = _totals(project)
    pages = _figure("pages", Page, runners, totals["pages"])
    return [
        _figure("documents", Document, crawlers, totals["documents"]),
        _figure("versions", DocumentVersion, crawlers, totals["documents"] + totals["changed_documents"]),
        pages,
        _figure("page_contents", PageContent, runners, pages.rows),
        _figure("frontier", CrawlUrl, runners, totals["frontier"]),
        _figure("log", LogLine, runners, 0),
    ]


def _figure(kind: str, model: type[Model], owners: Sequence[int], told: int) -> KindOfRows:
    rows = _of(model, owners)
    counted = rows.order_by().values("pk")[: COUNTED_ROWS + 1].count() if owners else 0
    is_estimate = counted > COUNTED_ROWS
    number = max(told, counted) if is_estimate else counted
    return KindOfRows(kind, number, bytes_of_rows(model, owners, number), is_estimate)


def bytes_of_rows(model: type[Model], owners: Sequence[int], rows: int) -> int:
    """About what so many rows of these runs (or crawlers) take, judged by the newest ones of a few of them."""
    sizes: list[int] = []
    for owner in sorted(owners, reverse=True)[:5] if rows else ():
        sizes += _sizes(model, owner)
    return round(rows * (ROW_BYTES + sum(sizes) / len(sizes))) if sizes else 0


def _sizes(model: type[Model], owner: int) -> list[int]:
    whole, column = PARTS_OF.get(model, (model, model._meta.pk.column))
    newest = _of(whole, [owner]).order_by("-pk").values_list("pk", flat=True)
    ids = list(newest[: SAMPLED_ROWS // 5])
    if not ids:
        return []
    parts = " + ".join(f"coalesce({_length(name)}, 0)" for name in HEAVY[model])
    marks = ",".join(["%s"] * len(ids))
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT {parts} FROM {model._meta.db_table} WHERE {column} IN ({marks})", ids)  # noqa: S608
        return [int(row[0]) for row in cursor.fetchall()]


def _length(column: str) -> str:
    """SQL for the bytes of a column; a text's characters on SQLite, which are bytes enough for an estimate."""
    return f"pg_column_size({column})" if connection.vendor == "postgresql" else f"length({column})"


def _of(model: type[Model], owners: Sequence[int]) -> QuerySet[Any]:
    """The rows of these runs, or for documents of these crawlers."""
    path = {Document: "crawler__in", DocumentVersion: "document__crawler__in", PageContent: "page__runner__in"}
    return model._default_manager.filter(**{path.get(model, "runner__in"): owners})


def _totals(project: Project) -> dict[str, int]:
    """What the runs counted themselves."""
    totals = dict.fromkeys(("pages", "frontier", "documents", "changed_documents"), 0)
    rows = CrawlState.objects.filter(runner__crawler__project=project).values_list("statistics", "runner__pruned_at")
    for text, pruned_at in rows.iterator():
        counts = json.loads(text)

        def of(*names: str, counts: dict[str, Any] = counts) -> int:
            return sum(int(counts.get(name, 0)) for name in names)

        totals["documents"] += of("new_documents", "duplicate_documents")
        totals["changed_documents"] += of("changed_documents")
        if pruned_at is None:
            fetched = of("pages", "sitemaps", "redirects", "failed")
            totals["pages"] += fetched
            totals["frontier"] += fetched + of("queued", "leased", "skipped")
    return totals
