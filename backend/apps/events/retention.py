"""Old events go: who was away longer than that starts afresh."""

from datetime import datetime

from django.db import connection, transaction
from django.db.models import Max

from backend.apps.events.collecting import RETENTION
from backend.apps.events.models import Event, EventCursor

MAX_EVENTS = 200_000
BATCH_ROWS = 5_000


def sweep_events(*, now: datetime) -> int:
    """Delete a batch of the events that are older than a day or more than there may be; how many went."""
    newest = Event.objects.aggregate(newest=Max("pk"))["newest"]
    if newest is None:
        return 0
    old = Event.objects.filter(at__lt=now - RETENTION).aggregate(newest=Max("pk"))["newest"] or 0
    last = max(old, newest - MAX_EVENTS)
    table = Event._meta.db_table
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(
            f"DELETE FROM {table} WHERE id IN (SELECT id FROM {table} WHERE id <= %s ORDER BY id LIMIT %s)",  # noqa: S608
            [last, BATCH_ROWS],
        )
        deleted = int(cursor.rowcount)
    if deleted:
        EventCursor.objects.filter(pk=1, swept__lt=last).update(swept=last)
    return deleted
