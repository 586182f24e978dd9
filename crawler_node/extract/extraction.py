"""What extraction found on one page: documents, what was missing, which selectors fired, and what to tell people."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

NOTHING_FIRED = -1
MAX_UNREAD = 100


@dataclass(frozen=True, slots=True)
class ExtractedDocument:
    """One record: `values` by inspector name (None where nothing was found), `missing` the required ones among them.

    `fired` tells by inspector which selector gave the value: 0 the selector itself, 1 the first fallback, -1 none.
    `unread` has, by inspector without a value, the text that should have been a number, a price or a date.
    """

    values: Mapping[str, object]
    missing: tuple[str, ...]
    fired: Mapping[str, int]
    unread: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Miss:
    """A required field that one item of the page does not have; `index` is the item's place on the page."""

    index: int
    field: str

    @property
    def sentence(self) -> str:
        """The miss as people read it."""
        return f"Item {self.index + 1} has no “{self.field}”, which is required."


@dataclass(frozen=True, slots=True)
class Notice:
    """Something a person may want to know about a field ('' for the page itself), and how often it happened."""

    field: str
    sentence: str
    count: int = 1


@dataclass(frozen=True, slots=True)
class Extraction:
    """All that one template found on one page.

    `documents` in page order; `items` counts what the item scope matched (1 without one). A page that has none of the
    required fields, and an item that has nothing of its own, are other kinds of things: they make neither a document
    nor a miss. An item without a key makes none either, and a notice.
    """

    documents: Sequence[ExtractedDocument] = ()
    misses: Sequence[Miss] = ()
    notices: Sequence[Notice] = ()
    items: int = 0

    def unread(self) -> dict[str, list[str]]:
        """By inspector, the texts that should have been values of documents, and could not be read; so many at most."""
        texts: dict[str, list[str]] = {}
        for document in self.documents:
            for name, text in document.unread.items():
                if len(known := texts.setdefault(name, [])) < MAX_UNREAD:
                    known.append(text)
        return texts

    def fired(self) -> dict[str, Counter[int]]:
        """By inspector, how often each selector gave the value of a document."""
        counts: dict[str, Counter[int]] = {}
        for document in self.documents:
            for name, index in document.fired.items():
                counts.setdefault(name, Counter())[index] += 1
        return counts


@dataclass(slots=True)
class NoticeBook:
    """Collects notices; equal ones are counted, not repeated."""

    _counts: dict[tuple[str, str], int] = field(default_factory=dict)

    def add(self, name: str, sentence: str) -> None:
        """Note a sentence about a field."""
        if sentence:
            self._counts[name, sentence] = self._counts.get((name, sentence), 0) + 1

    def notices(self) -> tuple[Notice, ...]:
        """All notices in the order they first came."""
        return tuple(Notice(name, sentence, count) for (name, sentence), count in self._counts.items())
