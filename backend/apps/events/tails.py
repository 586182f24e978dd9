"""Following a growing table by id, although on PostgreSQL a lower id may become visible after a higher one."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

# No transaction of ours takes longer; what commits later than that after its time stamp is not told.
SETTLED_AFTER = timedelta(seconds=10)


@dataclass
class Tail:
    """Rows up to `position` are done with; of those above, `seen` were told already."""

    position: int = 0
    seen: set[int] = field(default_factory=set)

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> "Tail":
        return cls(data["position"], set(data["seen"]))

    def to_json(self) -> dict[str, Any]:
        return {"position": self.position, "seen": sorted(self.seen)}

    def take(self, rows: Sequence[tuple[Any, ...]], now: datetime) -> list[tuple[Any, ...]]:
        """Those of the rows (id, time, …; by id, all above `position`) that were not told yet, and remember them."""
        fresh = [row for row in rows if row[0] not in self.seen]
        self.seen.update(row[0] for row in fresh)
        for identity, at, *_ in rows:
            if now - at < SETTLED_AFTER:
                break
            self.position = identity
        self.skip_to(self.position)
        return fresh

    def skip_to(self, identity: int) -> None:
        """Rows up to this one are done with, told or not."""
        self.position = identity
        self.seen = {above for above in self.seen if above > identity}
