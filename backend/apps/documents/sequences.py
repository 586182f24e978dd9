"""The sequence of a project's documents: numbers that come in the order of commits."""

from collections.abc import Sequence

from django.db import connection
from django.db.backends.utils import CursorWrapper

from backend.apps.documents.models import Document, Tombstone
from backend.apps.projects.models import Project

# Of this project so many numbers more are given: the answer is the last of them.
TAKE = (
    "INSERT INTO documents_documentsequence (project_id, last) VALUES (%s, %s)"
    " ON CONFLICT (project_id) DO UPDATE SET last = documents_documentsequence.last + excluded.last"
    " RETURNING last"
)


def take_sequence(cursor: CursorWrapper, project_id: int, count: int) -> int:
    """The number before the first of `count`; locked until the commit, so that numbers come in order of commits."""
    if not count:
        return 0
    cursor.execute(TAKE, [project_id, count])
    return int(cursor.fetchone()[0]) - count


def leave_tombstones(ids: Sequence[int]) -> None:
    """Tell whoever follows that these documents go; inside the caller's transaction, which deletes them."""
    doomed = list(Document.objects.filter(pk__in=ids).order_by("pk").values_list("project_id", "crawler_id", "pk"))
    projects = set(Project.objects.filter(pk__in={row[0] for row in doomed}).values_list("pk", flat=True))
    for project_id in sorted(projects):
        _bury(project_id, [row for row in doomed if row[0] == project_id])


def _bury(project_id: int, doomed: list[tuple[int, int, int]]) -> None:
    with connection.cursor() as cursor:
        before = take_sequence(cursor, project_id, len(doomed))
    Tombstone.objects.bulk_create(
        Tombstone(project_id=project_id, crawler_id=crawler_id, document_id=pk, sequence=before + place)
        for place, (_, crawler_id, pk) in enumerate(doomed, start=1)
    )
