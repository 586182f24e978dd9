"""Where a text has what a query wants: spans of characters, each with the terms it shows."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import accumulate
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from backend.search_engine.snippets.wanted import Terms, Wanted, WantedPhrase
from backend.search_engine.text import Analyzer, Token
from backend.search_engine.text.characters import is_paired
from backend.search_engine.text.languages import ELISIONS, Reduction
from backend.search_engine.text.scan import COMPOUND, MAX_TOKEN_BYTES, PAIR, WORD, scan_bytes

MAX_CHARACTERS: Final = 100_000
"""What is looked at of a text; a passage further on would not be worth the wait."""
MAX_SPANS: Final = 2_000
_SEPARATOR: Final = "\n\n"
"""Between texts that are read in one pass: no word goes over it."""
KEEPS_FIRST_LETTER: Final = frozenset(("en", "de", "sv", "da", "no", "es", "pt", "fi", "ro", "hu"))
"""Languages whose stemmers only cut and change endings; that of Dutch also cuts ge- off participles."""


class Span(NamedTuple):
    """`text[start:end]` shows `key`: a term, or a whole phrase."""

    start: int
    end: int
    key: Terms
    weight: float


class SpanFinder:
    """Finds what one query wants in texts of one field; what it learns of a word in one text serves the next."""

    def __init__(self, wanted: Wanted, analyzer: Analyzer) -> None:
        self._wanted = wanted
        self._in_phrases = frozenset(term for phrase in wanted.phrases for term in phrase.terms)
        self._sieve = _Sieve(wanted, analyzer, self._in_phrases)

    def find(self, text: str) -> list[Span]:
        """All spans in the order of the text. The words of a phrase count alone only where it never occurs."""
        return self.find_all([text])[0]

    def find_all(self, texts: Sequence[str]) -> list[list[Span]]:
        """The spans of each text; the texts are read in one pass, which many short ones are worth."""
        if not texts:
            return []
        return [self._spans(tokens) for tokens in self._sieve.tokens([text[:MAX_CHARACTERS] for text in texts])]

    def _spans(self, tokens: Sequence[Token]) -> list[Span]:
        if not tokens:
            return []
        wanted = self._wanted
        spans = list(_phrase_spans(tokens, wanted))
        shown = {span.key for span in spans}
        torn = {term for phrase in wanted.phrases if phrase.terms not in shown for term in phrase.terms}
        hidden = self._in_phrases - torn - wanted.terms
        spans += [
            Span(token.start, token.end, (token.term,), wanted.weight(token.term))
            for token in tokens
            if token.term not in hidden
        ]
        return sorted(set(spans))[:MAX_SPANS]


class _Sieve:
    """Lets through the tokens that matter; every written form is looked at once."""

    def __init__(self, wanted: Wanted, analyzer: Analyzer, in_phrases: frozenset[str]) -> None:
        self._terms = wanted.terms | in_phrases
        self._characters = frozenset(term for term in self._terms if len(term) == 1 and is_paired(term))
        self._prefixes = wanted.prefixes
        self._analyzer = analyzer
        self._seen: dict[tuple[str, int], str] = {}
        self._least = _least_lengths(self._terms, wanted.prefixes) if keeps_first_letter(analyzer) else None

    def tokens(self, texts: Sequence[str]) -> list[list[Token]]:
        """Of each text the tokens that are wanted, with places in that text. Only distances of positions count."""
        text = _SEPARATOR.join(texts)
        data = text.encode("utf-8", "surrogatepass")
        starts, ends, positions, kinds = scan_bytes(data)
        if self._least is not None:
            may_be_wanted = ends - starts >= self._least[np.frombuffer(data, dtype=np.uint8)[starts]]
            chosen = np.flatnonzero(may_be_wanted | (kinds != WORD) & (kinds != COMPOUND))
            starts, ends, positions, kinds = starts[chosen], ends[chosen], positions[chosen], kinds[chosen]
        if len(data) != len(text) and len(starts):
            is_first = np.append((np.frombuffer(data, dtype=np.uint8) & 0xC0) != 0x80, True)
            places = np.cumsum(is_first) - 1
            starts, ends = places[starts], places[ends]
        rows = zip(starts.tolist(), ends.tolist(), positions.tolist(), kinds.tolist(), strict=True)
        begins = list(accumulate((len(each) + len(_SEPARATOR) for each in texts), initial=0))
        found: list[list[Token]] = [[] for _ in texts]
        number, begin, past, seen = 0, 0, begins[1], self._seen
        for start, end, position, kind in rows:
            written = text[start:end]
            term = seen.get((written, kind))
            if term is None:
                term = seen[written, kind] = self._look(written, kind)
            if not term:
                continue
            while start >= past:
                number += 1
                begin, past = past, begins[number + 1]
            past_end = start + 1 if term in self._characters else end
            found[number].append(Token(term, start - begin, past_end - begin, position, kind))
        return found

    def _look(self, written: str, kind: int) -> str:
        """The term of a written form, empty when nobody wants it."""
        term = self._analyzer.term(written, kind)
        if kind == PAIR and term not in self._terms and term[:1] in self._characters:
            return term[0]  # every character of a run begins one of its pairs
        return term if term in self._terms or (self._prefixes and self._begins(written)) else ""

    def _begins(self, written: str) -> bool:
        return self._analyzer.beginning(written).startswith(self._prefixes)


def keeps_first_letter(analyzer: Analyzer) -> bool:
    """Whether a word and its term begin alike, but for case and accents."""
    analysis = analyzer.analysis
    is_known = analysis.reduction is Reduction.NONE or (
        analysis.reduction is Reduction.STEM and analysis.language in KEEPS_FIRST_LETTER
    )
    return is_known and analysis.language not in ELISIONS


def _least_lengths(terms: Iterable[str], prefixes: Iterable[str]) -> NDArray[np.int32]:
    """By first byte: how many bytes a word that begins with it has at least if it is wanted; stems are never longer.

    Words that begin with a letter of several bytes may always be wanted.
    """
    least = np.full(256, MAX_TOKEN_BYTES + 1, dtype=np.int32)
    least[0x80:] = 0
    for text in (*terms, *prefixes):
        for first in (text[:1].lower(), text[:1].upper()):
            if first and first.isascii():
                least[ord(first)] = min(least[ord(first)], len(text))
    return least


def _phrase_spans(tokens: Sequence[Token], wanted: Wanted) -> Iterator[Span]:
    if not wanted.phrases:
        return
    places: defaultdict[str, list[Token]] = defaultdict(list)
    for token in tokens:
        places[token.term].append(token)
    for phrase in wanted.phrases:
        weight = sum(map(wanted.weight, phrase.terms))
        find = _occurrences if phrase.slop else _exact_occurrences
        for start, end in find(phrase, places):
            yield Span(start, end, phrase.terms, weight)


def _exact_occurrences(phrase: WantedPhrase, places: Mapping[str, Sequence[Token]]) -> Iterator[tuple[int, int]]:
    """Where every term stands as far behind the first as in the query."""
    first, *others = zip(phrase.terms, phrase.shifts, strict=True)
    ends = [({token.position: token.end for token in places.get(term, ())}, shift) for term, shift in others]
    for token in places.get(first[0], ()):
        found = [at.get(token.position + shift) for at, shift in ends]
        if found[-1] is not None and None not in found:
            yield token.start, found[-1]


def _occurrences(phrase: WantedPhrase, places: Mapping[str, Sequence[Token]]) -> Iterator[tuple[int, int]]:
    """Where the terms stand in order with at most `slop` other words between them: the nearest next one each time."""
    terms, shifts, slop = phrase
    following = [places.get(term, ()) for term in terms]
    cursors = [0] * len(terms)
    for first in following[0]:
        last = first
        for number in range(1, len(terms)):
            candidates, at = following[number], cursors[number]
            least = last.position + shifts[number] - shifts[number - 1]
            while at < len(candidates) and candidates[at].position < least:
                at += 1
            cursors[number] = at
            if at == len(candidates):
                return
            last = candidates[at]
        if last.position - first.position - shifts[-1] <= slop:
            yield first.start, last.end
