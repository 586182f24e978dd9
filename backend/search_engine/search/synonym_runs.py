"""Synonyms of several words beside other words: `new york hotel` also finds `nyc hotel`."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from backend.search_engine.query import And, Node, Not, Or, Word
from backend.search_engine.text import Analyzer


@dataclass(frozen=True, slots=True)
class SynonymsOf:
    """Documents with another member of a group that these words, in a row, are a member of."""

    words: tuple[Word, ...]

    @property
    def text(self) -> str:
        """The words as they were typed."""
        return " ".join(word.text for word in self.words)

    @property
    def field(self) -> str | None:
        """Where they are searched."""
        return self.words[0].field


def with_synonyms(node: Node, analyzers: Sequence[Analyzer]) -> Node:
    """The same meaning with synonyms of words in a row beside them."""
    if max((analyzer.synonyms.longest for analyzer in analyzers), default=0) < 2:
        return node
    if isinstance(node, Not):
        return Not(with_synonyms(node.part, analyzers))
    if not isinstance(node, And | Or):
        return node
    parts: list[Node] = []
    at = 0
    while at < len(node.parts):
        run = _longest_run(node.parts[at:], analyzers)
        if not run:
            parts.append(with_synonyms(node.parts[at], analyzers))
        elif isinstance(node, And):
            parts.append(Or((And(run), SynonymsOf(run))))  # type: ignore[arg-type]
        else:
            parts += [*run, SynonymsOf(run)]  # type: ignore[list-item]
        at += max(1, len(run))
    return parts[0] if len(parts) == 1 else replace(node, parts=tuple(parts))


def runs_of(node: Node | SynonymsOf, *, with_excluded: bool) -> Iterator[SynonymsOf]:
    """The runs that `with_synonyms` found, also under a `Not` when asked for."""
    if isinstance(node, SynonymsOf):
        yield node
    elif isinstance(node, Not) and with_excluded:
        yield from runs_of(node.part, with_excluded=True)
    elif isinstance(node, And | Or):
        for part in node.parts:
            yield from runs_of(part, with_excluded=with_excluded)


def _longest_run(parts: Sequence[Node], analyzers: Sequence[Analyzer]) -> tuple[Word, ...]:
    """The longest run of words from the first part on that has synonyms; empty when there is none of two or more."""
    words: list[Word] = []
    best = 0
    for part in parts[: max(analyzer.synonyms.longest for analyzer in analyzers)]:
        if not isinstance(part, Word) or part.boost != 1 or (words and part.field != words[0].field):
            break
        words.append(part)
        if len(words) > 1 and any(_others(words, analyzer) for analyzer in analyzers):
            best = len(words)
    return tuple(words[:best])


def _others(words: Sequence[Word], analyzer: Analyzer) -> list[tuple[str, ...]]:
    return analyzer.synonyms.of([term for word in words for term in analyzer.terms(word.text)])


def others_of(run: SynonymsOf, analyzer: Analyzer) -> list[tuple[str, ...]]:
    """The other members of the run's groups, as terms."""
    return _others(run.words, analyzer)
