"""What a search returns."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from backend.search_engine.index.snapshot import Snapshot
from backend.search_engine.query import Notice

_ZERO: Final = 1e-15
"""Scores below are 0: impacts are kept off 0 only so that a match can be told from none."""


class Hit:
    """One result. Key and fields are read from the disk when they are asked for."""

    __slots__ = ("_snapshot", "score", "slot")

    def __init__(self, snapshot: Snapshot, slot: int, score: float) -> None:
        self._snapshot = snapshot
        self.slot = slot
        self.score = 0.0 if 0 < score < _ZERO else score

    @property
    def key(self) -> str:
        """The document's key."""
        return self._snapshot.key(self.slot)

    @property
    def fields(self) -> dict[str, Any]:
        """The document's stored fields."""
        return self._snapshot.stored(self.slot)

    def __repr__(self) -> str:
        return f"Hit({self.key!r}, {self.score:.6g})"


@dataclass(frozen=True, slots=True)
class Hits(Sequence[Hit]):
    """A page of results, best first."""

    hits: list[Hit]
    total: int | None
    """How many documents match in all; None when it was not asked for."""
    generation: int
    facets: dict[str, Any] = field(default_factory=dict)
    notices: tuple[Notice, ...] = ()

    def __len__(self) -> int:
        return len(self.hits)

    def __getitem__(self, index: Any) -> Any:
        return self.hits[index]

    def __iter__(self) -> Iterator[Hit]:
        return iter(self.hits)
