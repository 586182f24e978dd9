"""Following the documents of a project: everything that changed after a sequence number, in order, missing nothing.

A follower (an index, an alert, a copy elsewhere) remembers one number. It asks for what came after it, applies that,
and remembers the number of the last change it applied:

    while changes := changes_after(project_id, mark):
        apply(changes)
        mark = changes[-1].sequence

A document occurs once, at its newest change. Applying a change twice must do no harm: a follower that dies between
applying and remembering is told again.
"""

from collections.abc import Mapping
from enum import StrEnum
from heapq import merge
from itertools import islice
from operator import attrgetter
from typing import Any, NamedTuple

from backend.apps.crawlers.models import Crawler
from backend.apps.documents.models import Document, DocumentSequence, DocumentVersion, Tombstone

COLUMNS = ("sequence", "pk", "crawler_id", "url", "page_key", "version_number", "duplicate_of_id", "gone_at")


class DocumentState(StrEnum):
    """What a document is since its newest change. Only a PRESENT one is to be shown or found."""

    PRESENT = "present"
    DUPLICATE = "duplicate"
    GONE = "gone"
    DELETED = "deleted"


class DocumentChange(NamedTuple):
    """A document as it stands since `sequence`. `values` are those of its newest version, of a PRESENT one only.

    `page_key` is the page that stands for it; a DELETED one has neither page, address nor version.
    """

    sequence: int
    document_id: int
    crawler_id: int
    state: DocumentState
    url: str = ""
    page_key: bytes = b""
    version: int = 0
    values: Mapping[str, Any] = {}


def last_sequence(project_id: int) -> int:
    """The newest number of the project whose commit is over; all below it are over too. 0 before the first."""
    return DocumentSequence.objects.filter(project=project_id).values_list("last", flat=True).first() or 0


def changes_after(project_id: int, sequence: int, *, limit: int = 500) -> list[DocumentChange]:
    """The next `limit` documents that are new, changed, repeated, gone or deleted since then, in order; [] for none.

    Looks no further than the last number at the moment of the call: what a commit adds between the two reads below
    would otherwise come with a hole before it.
    """
    newest = last_sequence(project_id)
    if newest <= sequence:
        return []
    documents = _documents(project_id, sequence, newest, limit)
    deleted = _deleted(project_id, sequence, newest, limit)
    return _with_values(list(islice(merge(documents, deleted, key=attrgetter("sequence")), limit)))


def _documents(project_id: int, after: int, newest: int, limit: int) -> list[DocumentChange]:
    rows = Document.objects.filter(project=project_id, sequence__gt=after, sequence__lte=newest).order_by("sequence")
    crawlers = set(Crawler.objects.filter(project=project_id).values_list("pk", flat=True))
    return [_change(row, crawlers) for row in rows.values_list(*COLUMNS)[:limit]]


def _change(row: tuple[Any, ...], crawlers: set[int]) -> DocumentChange:
    """A document whose crawler was deleted is deleted too, even before it was swept."""
    sequence, pk, crawler_id, url, page_key, version, duplicate_of, gone_at = row
    if crawler_id not in crawlers:
        return DocumentChange(sequence, pk, crawler_id, DocumentState.DELETED)
    state = DocumentState.GONE if gone_at else DocumentState.DUPLICATE if duplicate_of else DocumentState.PRESENT
    return DocumentChange(sequence, pk, crawler_id, state, url, bytes(page_key), version)


def _deleted(project_id: int, after: int, newest: int, limit: int) -> list[DocumentChange]:
    rows = Tombstone.objects.filter(project=project_id, sequence__gt=after, sequence__lte=newest).order_by("sequence")
    return [
        DocumentChange(*row, DocumentState.DELETED)
        for row in rows.values_list("sequence", "document_id", "crawler_id")[:limit]
    ]


def _with_values(changes: list[DocumentChange]) -> list[DocumentChange]:
    """Values come from a later read than the rest: never older, and a document swept in between has none."""
    present = [change.document_id for change in changes if change.state is DocumentState.PRESENT]
    current = DocumentVersion.objects.filter(document__in=present, is_current=True).order_by()
    values = dict(current.values_list("document_id", "fields"))
    return [_completed(change, values) for change in changes]


def _completed(change: DocumentChange, values: Mapping[int, Mapping[str, Any]]) -> DocumentChange:
    if change.state is not DocumentState.PRESENT:
        return change
    if change.document_id not in values:
        return DocumentChange(change.sequence, change.document_id, change.crawler_id, DocumentState.DELETED)
    return change._replace(values=values[change.document_id])
