"""Budgets of suspicious address patterns."""

from collections.abc import Iterable

from backend.apps.runners.crawl_store.letters import Letter, Row
from backend.apps.runners.crawl_store.sql import signed

TABLE = "runners_crawlpattern"


class PatternBook:
    def __init__(self, runner_id: int) -> None:
        self._runner_id = runner_id
        self._counts: dict[int, int] = {}
        self._changed: set[int] = set()

    def ask(self, letter: Letter, patterns: Iterable[int]) -> list[Row]:
        """The rows for `read`."""
        wanted = sorted({signed(pattern) for pattern in patterns})
        statement = f"SELECT pattern, count FROM {TABLE} WHERE runner_id = %s AND pattern IN {{}}"  # noqa: S608
        return letter.ask_in(statement, [self._runner_id], wanted)

    def read(self, rows: Iterable[Row]) -> None:
        self._counts |= dict(rows)

    def take(self, pattern: int, budget: int) -> bool:
        """One more of this pattern; False when its budget is used up."""
        known = signed(pattern)
        count = self._counts.get(known, 0)
        if count >= budget:
            return False
        self._counts[known] = count + 1
        self._changed.add(known)
        return True

    def save(self, letter: Letter) -> None:
        rows = [[self._runner_id, pattern, self._counts[pattern]] for pattern in sorted(self._changed)]
        letter.insert(
            TABLE,
            ["runner_id", "pattern", "count"],
            rows,
            ending=" ON CONFLICT (runner_id, pattern) DO UPDATE SET count = excluded.count",
        )
