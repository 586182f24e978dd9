"""Deleting rows of the large tables, a batch at a time, without loading them."""

from collections.abc import Sequence

from django.db import connection, transaction
from django.db.backends.utils import CursorWrapper

from backend.apps.documents.models import Document, DocumentGap, DocumentPage, DocumentVersion, Page, PageContent
from backend.apps.documents.sequences import leave_tombstones
from backend.apps.runners.models import CrawlHost, CrawlPattern, CrawlUrl, LogLine, RunnerMinute

BATCH_ROWS = 2_000
BATCH_PAGES = 500  # their contents are heavy
BATCH_DOCUMENTS = 500  # each has versions
OF_A_RUNNER = (CrawlUrl, CrawlHost, CrawlPattern, RunnerMinute, LogLine)


def delete_rows_of_runner(runner_id: int, model: type) -> int:
    """How many rows of the model went; 0 when none is left."""
    table = model._meta.db_table
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(
            f"DELETE FROM {table} WHERE id IN (SELECT id FROM {table} WHERE runner_id = %s LIMIT %s)",  # noqa: S608
            [runner_id, BATCH_ROWS],
        )
        return int(cursor.rowcount)


@transaction.atomic
def delete_pages_of_runner(runner_id: int) -> int:
    ids = list(Page.objects.filter(runner=runner_id).order_by().values_list("pk", flat=True)[:BATCH_PAGES])
    if ids:
        with connection.cursor() as cursor:
            _delete(cursor, PageContent._meta.db_table, "page_id", ids)
            _delete(cursor, Page._meta.db_table, "id", ids)
    return len(ids)


def delete_documents(ids: Sequence[int]) -> None:
    """Documents with their versions, inside the caller's transaction; nothing may point to them. Tombstones stay."""
    if not ids:
        return
    leave_tombstones(ids)
    with connection.cursor() as cursor:
        _delete(cursor, DocumentGap._meta.db_table, "document_id", ids)
        _delete(cursor, DocumentPage._meta.db_table, "document_id", ids)
        _delete(cursor, DocumentVersion._meta.db_table, "document_id", ids)
        _delete(cursor, Document._meta.db_table, "id", ids)


def _delete(cursor: CursorWrapper, table: str, column: str, ids: Sequence[int]) -> None:
    marks = ",".join(["%s"] * len(ids))
    cursor.execute(f"DELETE FROM {table} WHERE {column} IN ({marks})", list(ids))  # noqa: S608
