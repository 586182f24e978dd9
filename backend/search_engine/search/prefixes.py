"""What `word*` stands for: every term that begins so, and the terms of written words that do."""

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from backend.search_engine.index.schema import FieldGroup
from backend.search_engine.query import Prefix
from backend.search_engine.text import Analyzer
from backend.search_engine.text.folding import fold_accents, fold_case


class Beginning(NamedTuple):
    """A prefix in some fields of a group: how terms begin, and others that only their written words tell."""

    start: str
    others: Sequence[str]
    group: FieldGroup
    mask: int


def beginnings(node: Prefix, groups: Iterable[tuple[FieldGroup, int, Analyzer]]) -> Iterator[Beginning]:
    """What a prefix stands for in each group that it looks in."""
    for group, mask, analyzer in groups:
        start = fold_case(node.text.strip())
        start = start if analyzer.analysis.keep_accents else fold_accents(start)
        if start:
            others = {*analyzer.terms(node.text)[:1], *terms_of(node.forms or (), analyzer)}
            yield Beginning(start, sorted(each for each in others if not each.startswith(start)), group, mask)


def terms_of(forms: Iterable[str], analyzer: Analyzer) -> list[str]:
    """The terms of written words."""
    return [term for form in forms if (term := analyzer.term(form))]
