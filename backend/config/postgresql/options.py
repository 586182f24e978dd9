"""What a process asks PostgreSQL to do for its connections, beside what all of them want."""

from django.db import connection

STANDS_STILL_MS = 12_000
"""Whoever holds locks and says nothing for so long is thrown out: a worker's lease is over by then, too."""


def ask_server(**options: int) -> None:
    """For connections that this process opens from now on; SQLite has no server to ask."""
    if connection.vendor != "postgresql":
        return
    given = connection.settings_dict["OPTIONS"]
    wanted = [f"-c {name}={value}" for name, value in options.items()]
    given["options"] = " ".join([given.get("options", ""), *wanted]).strip()
