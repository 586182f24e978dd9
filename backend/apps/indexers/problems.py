"""What of the documents of an index cannot be read: counted by document, so that what is mended is told no longer."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Self

from backend.apps.indexers.column_plans import ColumnPlan
from backend.apps.indexers.reading import WHOLE, IndexChange
from wording import say_count

MAX_EXAMPLES = 3
MAX_EXAMPLE_CHARACTERS = 100
MAX_REMEMBERED = 5_000
"""Documents of a column; where more cannot be read, what changes in them counts with the next build."""

Stored = Mapping[str, Any]


@dataclass
class Problems:
    """Of each column how many values there are, and how many cannot be read as the numbers or dates they should be.

    Documents of which nothing can be read are counted under `WHOLE`. `remembered` has the texts by column and key.
    """

    columns: Sequence[str]
    by_column: dict[str, dict[str, Any]] = field(default_factory=dict)
    remembered: dict[str, dict[str, str]] = field(default_factory=dict)

    @classmethod
    def of(cls, plans: Sequence[ColumnPlan], note: Mapping[str, Any]) -> Self:
        """As a commit of an index with these columns noted them."""
        names = [*(plan.name for plan in plans), WHOLE]
        return cls(names, {**note.get("problems", {})}, {**note.get("unreadable", {})})

    def to_note(self) -> dict[str, Any]:
        """Plain values, `of` reads them back."""
        return {"problems": self.by_column, "unreadable": self.remembered}

    def count(self, change: IndexChange, before: Stored | None) -> None:
        """Count a document in the place of what was counted of it; `before` is what the index stores of it."""
        for name in self.columns:
            if before is None or not self._has_forgotten(name):
                self._take_back(name, change.key, before)
                self._add(name, change)

    def _has_forgotten(self, name: str) -> bool:
        """Whether some of those that cannot be read are not known by their key."""
        told = self.by_column.get(name)
        return told is not None and told["unreadable"] > len(self.remembered.get(name, ()))

    def _take_back(self, name: str, key: str, before: Stored | None) -> None:
        was_unreadable = self.remembered.get(name, {}).pop(key, None) is not None
        if was_unreadable or (before is not None and before.get(name) not in (None, "", [])):
            told = self.by_column[name]
            told["values"] = max(told["values"] - 1, 0)
            if was_unreadable:
                told["unreadable"] -= 1
                told["examples"] = self._examples(name)

    def _add(self, name: str, change: IndexChange) -> None:
        text = change.unreadable.get(name)
        if text is None and (change.fields is None or name not in change.fields):
            return
        told = self.by_column.setdefault(name, {"values": 0, "unreadable": 0, "examples": []})
        told["values"] += 1
        if text is not None:
            told["unreadable"] += 1
            remembered = self.remembered.setdefault(name, {})
            if len(remembered) < MAX_REMEMBERED:
                remembered[change.key] = text[:MAX_EXAMPLE_CHARACTERS]
            if len(told["examples"]) < MAX_EXAMPLES:
                told["examples"] = self._examples(name)

    def _examples(self, name: str) -> list[str]:
        return list(dict.fromkeys(self.remembered[name].values()))[:MAX_EXAMPLES]


def problem_sentences(problems: Mapping[str, Mapping[str, Any]]) -> list[str]:
    """What to tell a person about what could not be read."""
    return [_sentence(column, told) for column, told in problems.items() if told["unreadable"]]


def _sentence(column: str, told: Mapping[str, Any]) -> str:
    examples = ", ".join(f"“{example}”" for example in told["examples"])
    if column == WHOLE:
        count = say_count(told["unreadable"], "document")
        return f"{count} could not be read and cannot be found, for example {examples}. Report this with the address."
    share = 100 * told["unreadable"] / told["values"]
    return (
        f"{told['unreadable']:,} of {say_count(told['values'], 'value')} ({share:.3g} %) of the column "
        f"“{column}” cannot be read as numbers or dates, for example {examples}. "
        "Give the inspector the right type or a clean-up."
    )
