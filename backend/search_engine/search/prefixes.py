"""What `word*` stands for: every term that begins so, and the terms of written words that do."""

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from backend.search_engine.index.schema import FieldGroup
from backend.search_engine.query import Prefix
from backend.search_engine.text import Analyzer, Token


class Beginning(NamedTuple):
    """A prefix in some fields of a group: how terms begin, and others that only their written words tell.

    `row` are the tokens of a prefix of several words, the last of which stands for whatever begins like it.
    """

    start: str
    others: Sequence[str]
    group: FieldGroup
    mask: int
    row: Sequence[Token] = ()


def beginnings(node: Prefix, groups: Iterable[tuple[FieldGroup, int, Analyzer]]) -> Iterator[Beginning]:
    """What a prefix stands for in each group that it looks in; `e-mai*` is one word, or its parts in a row."""
    for group, mask, analyzer in groups:
        start, asked = analyzer.beginning(node.text), analyzer.asked(node.text)
        if start:
            others = {*(token.term for token in asked if len(asked) == 1), *terms_of(node.forms or (), analyzer)}
            yield Beginning(start, sorted(each for each in others if not each.startswith(start)), group, mask)
        if len(asked) > 1:
            last = analyzer.beginning(node.text[asked[-1].start : asked[-1].end])
            yield Beginning(last, (), group, mask, asked)


def terms_of(forms: Iterable[str], analyzer: Analyzer) -> list[str]:
    """The terms of written words."""
    return [term for form in forms if (term := analyzer.term(form))]
