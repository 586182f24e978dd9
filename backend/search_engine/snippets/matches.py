"""Where a text has what a query wants: spans of characters, each with the terms it shows."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from backend.search_engine.snippets.wanted import Terms, Wanted
from backend.search_engine.text import Analyzer, Token
from backend.search_engine.text.folding import fold_accents, fold_case

MAX_CHARACTERS: Final = 100_000
"""What is looked at of a text; a passage further on would not be worth the wait."""


MAX_SPANS: Final = 2_000


class Span(NamedTuple):
    """`text[start:end]` shows `key`: a term, or a whole phrase."""

    start: int
    end: int
    key: Terms
    weight: float


def find_spans(text: str, wanted: Wanted, analyzer: Analyzer) -> list[Span]:
    """All spans in the order of the text. The words of a phrase count alone only where the phrase never occurs."""
    tokens = analyzer.tokens(text[:MAX_CHARACTERS])
    spans = [*_phrase_spans(tokens, wanted), *_word_spans(text, tokens, wanted, wanted.terms)]
    shown = {span.key for span in spans}
    alone = frozenset(term for terms, _ in wanted.phrases if terms not in shown for term in terms)
    spans += _word_spans(text, tokens, wanted, alone - wanted.terms) if alone else ()
    return sorted(set(spans))[:MAX_SPANS]


def _word_spans(text: str, tokens: Sequence[Token], wanted: Wanted, terms: frozenset[str]) -> Iterator[Span]:
    for token in tokens:
        begins = bool(wanted.prefixes) and _begins(text[token.start : token.end], wanted.prefixes)
        if begins or token.term in terms:
            yield Span(token.start, token.end, (token.term,), wanted.weight(token.term))


def _begins(written: str, prefixes: Terms) -> bool:
    folded = fold_case(written)
    return folded.startswith(prefixes) or fold_accents(folded).startswith(prefixes)


def _phrase_spans(tokens: Sequence[Token], wanted: Wanted) -> Iterator[Span]:
    if not wanted.phrases:
        return
    places: defaultdict[str, list[Token]] = defaultdict(list)
    for token in tokens:
        places[token.term].append(token)
    for terms, slop in wanted.phrases:
        weight = sum(map(wanted.weight, terms))
        for start, end in _occurrences(terms, slop, places):
            yield Span(start, end, terms, weight)


def _occurrences(terms: Terms, slop: int, places: dict[str, list[Token]]) -> Iterator[tuple[int, int]]:
    """Where the terms stand in order with at most `slop` other words between them: the nearest next one each time."""
    following = {term: places.get(term, []) for term in terms}
    cursors = dict.fromkeys(range(len(terms)), 0)
    for first in following[terms[0]]:
        last = first
        for number, term in enumerate(terms[1:], start=1):
            candidates, at = following[term], cursors[number]
            while at < len(candidates) and candidates[at].position <= last.position:
                at += 1
            cursors[number] = at
            if at == len(candidates):
                return
            last = candidates[at]
        if last.position - first.position <= len(terms) - 1 + slop:
            yield first.start, last.end
