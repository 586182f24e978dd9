"""One clock for all machines: the database's."""

from datetime import datetime

from django.db import connection
from django.utils import timezone


def database_now() -> datetime:
    """The moment on the database's clock; SQLite has that of the one machine it is on."""
    if connection.vendor != "postgresql":
        return timezone.now()
    with connection.cursor() as cursor:
        cursor.execute("SELECT clock_timestamp()")
        return cursor.fetchone()[0]
