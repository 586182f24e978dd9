"""Budgets of suspicious address patterns."""

from collections.abc import Iterable

from django.db.backends.utils import CursorWrapper

from backend.apps.runners.crawl_store.sql import rows_in, signed

TABLE = "runners_crawlpattern"


class PatternBook:
    def __init__(self, cursor: CursorWrapper, runner_id: int) -> None:
        self._cursor = cursor
        self._runner_id = runner_id
        self._counts: dict[int, int] = {}
        self._changed: set[int] = set()

    def load(self, patterns: Iterable[int]) -> None:
        wanted = sorted({signed(pattern) for pattern in patterns} - self._counts.keys())
        self._counts |= dict.fromkeys(wanted, 0)
        statement = f"SELECT pattern, count FROM {TABLE} WHERE runner_id = %s AND pattern IN {{}}"  # noqa: S608
        self._counts |= dict(rows_in(self._cursor, statement, [self._runner_id], wanted))

    def take(self, pattern: int, budget: int) -> bool:
        """One more of this pattern; False when its budget is used up."""
        known = signed(pattern)
        if self._counts[known] >= budget:
            return False
        self._counts[known] += 1
        self._changed.add(known)
        return True

    def save(self) -> None:
        self._cursor.executemany(
            f"INSERT INTO {TABLE} (runner_id, pattern, count) VALUES (%s, %s, %s)"  # noqa: S608
            " ON CONFLICT (runner_id, pattern) DO UPDATE SET count = excluded.count",
            [[self._runner_id, pattern, self._counts[pattern]] for pattern in sorted(self._changed)],
        )
