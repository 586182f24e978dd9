"""What a build has lost since it was made: documents, and values of key columns. Kept in the note of its commits."""

from collections.abc import Iterable, Mapping
from copy import deepcopy
from dataclasses import dataclass, field
from typing import Any, Self

from backend.apps.documents.following import DocumentState
from backend.apps.indexers.reading import IndexChange
from backend.search_engine.index import Snapshot

MIN_LOST = 5
"""So few documents may always go: no shop is worse off without four of its products."""
NOTED = ("peak", "filled", "emptied")

Stored = Mapping[str, Any]


@dataclass
class Losses:
    """`documents` there are, and the `peak` of them, without those that people deleted since.

    By key column, how many documents have a value (`filled`), and how many had one and are still there without it
    (`emptied`). Nothing is counted while a build is made: it is the build that later losses are compared with.
    """

    documents: int = 0
    peak: int = 0
    filled: dict[str, int] = field(default_factory=dict)
    emptied: dict[str, int] = field(default_factory=dict)

    @classmethod
    def of(cls, snapshot: Snapshot, note: Mapping[str, Any]) -> Self:
        """As a commit of this index noted them."""
        known = note.get("losses", {})
        return cls(snapshot.live_documents, **{name: known[name] for name in NOTED if name in known})

    def to_note(self) -> dict[str, Any]:
        """Plain values, `of` reads them back."""
        self.peak = max(self.peak, self.documents)
        return {name: getattr(self, name) for name in NOTED}

    def after(self, changes: Iterable[tuple[IndexChange, Stored | None]]) -> Self:
        """With these changes, each with what the index stores of the document now."""
        found = deepcopy(self)
        for change, before in changes:
            found._count(change, before)
        return found

    def _count(self, change: IndexChange, before: Stored | None) -> None:
        self.documents += (change.fields is not None) - (before is not None)
        if before is not None and change.fields is None and change.state is DocumentState.DELETED:
            self.peak -= 1
        for name in self.filled:
            self._count_value(name, before, change.fields)

    def _count_value(self, name: str, before: Stored | None, after: Stored | None) -> None:
        """A document without a value that gets one or goes makes good for one that lost its own."""
        had, has = _has_value(before, name), _has_value(after, name)
        self.filled[name] += has - had
        emptied = self.emptied.get(name, 0)
        if had and not has and after is not None:
            self.emptied[name] = emptied + 1
        elif before is not None and not had and (has or after is None):
            self.emptied[name] = max(emptied - 1, 0)

    def sentences(self, earlier: "Losses", *, max_loss_percent: float) -> list[str]:
        """What is lost beyond measure, of that what has become worse since `earlier`; [] when nothing is."""
        told = []
        lost = self.peak - self.documents
        if lost > earlier.peak - earlier.documents and _is_much(lost, self.peak, max_loss_percent):
            told.append(f"{lost:,} of {self.peak:,} documents ({_percent(lost, self.peak):.3g} %) would go.")
        for name, emptied in self.emptied.items():
            most = self.filled[name] + emptied
            if emptied > earlier.emptied.get(name, 0) and _is_much(emptied, most, max_loss_percent):
                share = _percent(emptied, most)
                told.append(f"{emptied:,} of {most:,} documents ({share:.3g} %) would lose their “{name}”.")
        return told


def _has_value(fields: Stored | None, name: str) -> bool:
    return fields is not None and fields.get(name) not in (None, "", [])


def _percent(part: int, whole: int) -> float:
    return 100 * part / max(whole, 1)


def _is_much(lost: int, most: int, max_loss_percent: float) -> bool:
    return lost >= MIN_LOST and _percent(lost, most) > max_loss_percent
