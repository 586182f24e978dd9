"""What a query means, independent of any index: small frozen values that compare, hash and print.

Promises to whoever runs a query:

- A text (`Word`, `Phrase`, `Prefix`, `Fuzzy`) is as the person typed it; each field's own analysis turns it into terms.
  A word that becomes several terms (`e-mail`, CJK) is a phrase; one that becomes none (a stop word, `!!!`) asks for
  nothing and is left out.
- `field` None means every searchable field. `boost` is already multiplied with the boosts of the groups around it.
- A `Not` is always a direct part of an `And` that has a part which is not a `Not`.
- `And` and `Or` have two parts or more.
- The same word twice is there twice: how often a query says a word counts in its score.
- `start` and `end` say where a text stands in the query's source; they do not take part in comparisons.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from dataclasses import field as placed
from datetime import datetime


@dataclass(frozen=True, slots=True)
class Notice:
    """Something in the query was read otherwise than it may have been meant. Never an error."""

    message: str
    position: int
    hint: str = ""

    def __str__(self) -> str:
        return f"{self.message} {self.hint}".rstrip()


@dataclass(frozen=True, slots=True)
class _Placed:
    """Where in the query's source a leaf stands: characters `start` up to `end`."""

    start: int = placed(default=0, compare=False, kw_only=True)
    end: int = placed(default=0, compare=False, kw_only=True)


@dataclass(frozen=True, slots=True)
class MatchAll:
    """Every document."""


@dataclass(frozen=True, slots=True)
class Word(_Placed):
    """Documents with this word; with `any_part`, where any word is enough, those with any part of it (東京都: 京都)."""

    text: str
    field: str | None = None
    boost: float = 1.0
    any_part: bool = False


@dataclass(frozen=True, slots=True)
class Phrase(_Placed):
    """Documents with these words in this order, with at most `slop` other words between them in all."""

    text: str
    slop: int = 0
    field: str | None = None
    boost: float = 1.0


@dataclass(frozen=True, slots=True)
class Prefix(_Placed):
    """Documents with a word that begins like this (folded like the field's words, not stemmed).

    `forms` are the written words that do, where somebody knows them: stems hide them. None when nobody looked.
    """

    text: str
    field: str | None = None
    boost: float = 1.0
    forms: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True)
class Fuzzy(_Placed):
    """Documents with a word at most `distance` typing errors away; None scales the distance with the word's length.

    `forms` are the written words that are so near, as in `Prefix`.
    """

    text: str
    distance: int | None = None
    field: str | None = None
    boost: float = 1.0
    forms: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True)
class Bound:
    """One end of a range as typed, and what it can mean: a number, a span of time `[first, past)`, or both (2024)."""

    text: str
    number: float | None = None
    first: datetime | None = None
    past: datetime | None = None


@dataclass(frozen=True, slots=True)
class Range(_Placed):
    """Documents whose column lies between two ends (None is open); the column's type decides how the ends are read."""

    field: str
    low: Bound | None = None
    high: Bound | None = None
    includes_low: bool = True
    includes_high: bool = True

    def number_ends(self) -> tuple[float | None, float | None] | None:
        """(low, high) for a column of numbers (see `includes_low`, `includes_high`); None when an end is no number."""
        ends = [bound for bound in (self.low, self.high) if bound is not None]
        if any(bound.number is None for bound in ends):
            return None
        return (self.low.number if self.low else None, self.high.number if self.high else None)

    def date_ends(self) -> tuple[datetime | None, datetime | None] | None:
        """(from this moment on, before this moment) for a column of dates, in UTC; None when an end is no date."""
        ends = [bound for bound in (self.low, self.high) if bound is not None]
        if any(bound.first is None for bound in ends):
            return None
        low = None if self.low is None else (self.low.first if self.includes_low else self.low.past)
        high = None if self.high is None else (self.high.past if self.includes_high else self.high.first)
        return (low, high)


@dataclass(frozen=True, slots=True)
class Exists:
    """Documents that have any value in a field (`price:*`)."""

    field: str


@dataclass(frozen=True, slots=True)
class And:
    """Documents of every part, without those of its `Not` parts."""

    parts: tuple["Node", ...]


@dataclass(frozen=True, slots=True)
class Or:
    """Documents of at least one part.

    With `narrows` nobody wrote OR: texts in columns among the parts (`brand:acme`) narrow what the others find.
    """

    parts: tuple["Node", ...]
    narrows: bool = False


@dataclass(frozen=True, slots=True)
class Not:
    """Inside an `And`: without the documents of this part; adds nothing to any score."""

    part: "Node"


TextLeaf = Word | Phrase | Prefix | Fuzzy
Leaf = TextLeaf | Range | Exists | MatchAll
Node = Leaf | And | Or | Not


@dataclass(frozen=True, slots=True)
class Query:
    """A query as understood: its meaning, what to tell the person about it, and the text it came from."""

    root: Node
    notices: tuple[Notice, ...] = ()
    source: str = ""


def with_leaves(node: Node, change: Callable[[TextLeaf], TextLeaf]) -> Node:
    """The same meaning with every text changed."""
    if isinstance(node, And | Or):
        return replace(node, parts=tuple(with_leaves(part, change) for part in node.parts))
    if isinstance(node, Not):
        return Not(with_leaves(node.part, change))
    return change(node) if isinstance(node, Word | Phrase | Prefix | Fuzzy) else node


def text_leaves(node: Node) -> Iterator[TextLeaf]:
    """The texts a document can match, in their order in the query; what stands under a `Not` is left out."""
    if isinstance(node, And | Or):
        for part in node.parts:
            yield from text_leaves(part)
    elif isinstance(node, Word | Phrase | Prefix | Fuzzy):
        yield node
