"""The chain from text to terms. Documents and queries go through the same one."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import compress
from typing import Any, Final, NamedTuple

import re2

from backend.search_engine.errors import AnalysisError
from backend.search_engine.text.characters import is_paired
from backend.search_engine.text.folding import fold_accents, fold_case, fold_number
from backend.search_engine.text.languages import (
    ELISIONS,
    POINTS_PART_THOUSANDS,
    WITHOUT_ACCENTS,
    Reduction,
    batch_reducer,
    reducer_for,
)
from backend.search_engine.text.scan import COMPOUND, MAX_TOKEN_BYTES, NUMBER, PAIR, WORD, scan_bytes
from backend.search_engine.text.stop_words import CONTENT_WITHOUT_ACCENTS, NOUNS_AFTER_ELISION, STOP_WORDS
from backend.search_engine.text.synonyms import Groups, Synonyms

_LETTERS: Final = (WORD, COMPOUND)
_CACHE_LIMIT: Final = 2_000_000
_HYPHENS: Final = "-\u2010\u2011"
_INNER_SIGNS: Final = re.compile("['\\-\u2010]")
"""What terms leave out of written words."""


class Token(NamedTuple):
    """A term and where its written form stands: `text[start:end]`; `position` counts words, dropped ones included."""

    term: str
    start: int
    end: int
    position: int
    kind: int = WORD


@dataclass(frozen=True, slots=True)
class Analysis:
    """How the text of a field becomes terms. Two fields with equal analyses share their terms."""

    language: str = "en"
    reduction: Reduction = Reduction.STEM
    stop_words: bool = False
    """Drop the language's function words."""
    extra_stop_words: frozenset[str] = frozenset()
    stop_pattern: str = ""
    """A regular expression; words that match it whole are dropped."""
    min_length: int = 1
    """Words with fewer characters are dropped (the small-words threshold); numbers and pairs never are."""
    keep_accents: bool = False

    def to_json(self) -> dict[str, Any]:
        """A plain mapping, `from_json` reads it back."""
        return asdict(self) | {"extra_stop_words": sorted(self.extra_stop_words), "reduction": str(self.reduction)}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> "Analysis":
        """The analysis that `to_json` wrote."""
        changed = {
            "extra_stop_words": frozenset(data["extra_stop_words"]),
            "reduction": Reduction(data["reduction"]),
        }
        return cls(**{**data, **changed})


def asked_of(tokens: Iterable[Token]) -> list[Token]:
    """What `Analyzer.asked` gives, of tokens."""
    asked: list[Token] = []
    for token in tokens:
        ends_pair = token.kind == PAIR and asked and asked[-1].end == token.end
        if token.kind != COMPOUND and not ends_pair:
            asked.append(token)
    return asked


def ways_to_write(text: str, tokens: Sequence[Token]) -> list[list[Token]]:
    """The tokens that a query for a text in a row asks for; beside them with hyphenated words as one, if it has any."""
    asked = asked_of(tokens)
    compounds = [token for token in tokens if token.kind == COMPOUND]
    if not compounds:
        return [asked]
    closed, saved = [], 0
    for token in sorted(asked + compounds, key=lambda each: (each.position, each.kind != COMPOUND)):
        if token.kind == COMPOUND:
            closed.append(token._replace(position=token.position - saved, kind=WORD))
            saved += sum(map(text[token.start : token.end].count, _HYPHENS))
        elif not any(each.start <= token.start < each.end for each in compounds):
            closed.append(token._replace(position=token.position - saved))
    return [asked, closed]


def placed_terms(terms: Iterable[str]) -> list[Token]:
    """Terms that a query asks for in a row, as `Analyzer.asked` places them: pairs of one run overlap."""
    placed: list[Token] = []
    at = 0
    for term in terms:
        kind = PAIR if len(term) <= 2 and all(map(is_paired, term)) else WORD
        if placed and placed[-1].kind == PAIR and len(placed[-1].term) == 2:
            at += placed[-1].term[-1] != term[0]  # the last character of a run has a place of its own
        placed.append(Token(term, 0, 0, at, kind))
        at += 1
    return placed


class Analyzer:
    """Turns text into terms as an `Analysis` says; safe to share between threads. Remembers every word it has met."""

    def __init__(self, analysis: Analysis | None = None, *, synonyms: Groups = ()) -> None:
        self.analysis = analysis or Analysis()
        self._reduce = reducer_for(self.analysis.language, self.analysis.reduction)
        self._reduce_all = batch_reducer(self._reduce)
        self._elisions = ELISIONS.get(self.analysis.language, frozenset())
        self._points_part_thousands = self.analysis.language in POINTS_PART_THOUSANDS
        self._nouns = NOUNS_AFTER_ELISION.get(self.analysis.language, frozenset())
        self._stops = self._all_stop_words()
        self._pattern = _compile(self.analysis.stop_pattern)
        self._drops_words = bool(self._stops or self._pattern or self.analysis.min_length > 1)
        self._terms: dict[tuple[str, int], str] = {}
        self.synonyms = Synonyms(synonyms, self.terms)

    def tokens(self, text: str) -> list[Token]:
        """The terms of a text with offsets in characters, ordered by where they end (a compound after its parts).

        Dropped words leave a gap in the positions.
        """
        return list(self._tokens(text))

    def asked(self, text: str) -> list[Token]:
        """The tokens that a query for a text asks for: no compounds, and no character that its pair asks for already.

        A pair of one character stands for every pair that begins with it.
        """
        return asked_of(self._tokens(text))

    def terms(self, text: str) -> list[str]:
        """The terms of a text that a query for it asks for: what a person would count as its words."""
        return [token.term for token in self.asked(text)]

    def beginning(self, written: str) -> str:
        """How the terms of words begin that begin like this: folded as they are, but not reduced."""
        folded = self._without_elision(fold_case(written.strip()))
        bare = _INNER_SIGNS.sub("", folded)
        return bare if self.analysis.keep_accents else fold_accents(bare)

    def term(self, written: str, kind: int = WORD) -> str:
        """The term for one written form as the scanner cut it; empty when the chain drops it."""
        known = self._terms.get((written, kind))
        if known is None:
            if len(self._terms) > _CACHE_LIMIT:
                self._terms.clear()
            known = self._terms[written, kind] = self._make_term(written, kind)
        return known

    def terms_of_forms(self, forms: Sequence[str], kinds: Sequence[int]) -> list[str]:
        """`term` for many written forms at once: plain words are reduced in one call, and nothing is remembered."""
        plain = [
            kind in _LETTERS and form.isascii() and "'" not in form for form, kind in zip(forms, kinds, strict=True)
        ]
        words = [form.replace("-", "").lower() for form in compress(forms, plain)]  # only compounds have hyphens
        if self._drops_words:
            numbered = zip(words, compress(kinds, plain), strict=True)
            words = ["" if kind == WORD and self._is_dropped(word) else word for word, kind in numbered]
        reduced = self._reduce_all(words)
        terms = iter([term if term.isalnum() and term.isascii() else self._finished(term) for term in reduced])
        return [
            next(terms) if is_plain else self._make_term(form, kind)
            for form, kind, is_plain in zip(forms, kinds, plain, strict=True)
        ]

    def _tokens(self, text: str) -> Iterator[Token]:
        if len(text) <= MAX_TOKEN_BYTES and text.isascii() and text.replace(" ", "").isalpha():
            yield from self._plain_tokens(text)
            return
        data = text.encode("utf-8", "surrogatepass")
        starts, ends, positions, kinds = (array.tolist() for array in scan_bytes(data))
        to_character = range(len(data) + 1) if len(data) == len(text) else _character_offsets(text)
        for start, end, position, kind in zip(starts, ends, positions, kinds, strict=True):
            first, last = to_character[start], to_character[end]
            term = self.term(text[first:last], kind)
            if term:
                yield Token(term, first, last, position, kind)

    def _plain_tokens(self, text: str) -> Iterator[Token]:
        """The tokens of a short text of letters and spaces, as most queries are, without the scanner."""
        start, position = 0, 0
        for word in text.split(" "):
            if word:
                term = self.term(word)
                if term:
                    yield Token(term, start, start + len(word), position)
                position += 1
            start += len(word) + 1

    def _make_term(self, written: str, kind: int) -> str:
        if kind == NUMBER:
            return fold_number(written, points_part_thousands=self._points_part_thousands)
        folded = fold_case(written)
        if kind == PAIR:
            return folded
        if kind == COMPOUND:
            folded = folded.replace("-", "").replace("\u2010", "")
        elif self._is_dropped(folded):
            return ""
        word = self._without_elision(folded)
        if word != folded and kind == WORD and folded not in self._nouns and self._is_dropped(word):
            return ""  # d'une, qu'il, n'est
        if word.endswith("'s"):
            word = word[:-2]
        if self.analysis.language in WITHOUT_ACCENTS and not self.analysis.keep_accents:
            word = fold_accents(word)
        return self._finished(self._reduce(word))

    def _finished(self, reduced: str) -> str:
        """A term as it is kept, from a stem or lemma."""
        term = reduced.replace("'", "")
        return term if self.analysis.keep_accents else fold_accents(term)

    def _without_elision(self, word: str) -> str:
        if not self._elisions:
            return word
        head, apostrophe, tail = word.partition("'")
        return tail if apostrophe and tail and head in self._elisions else word

    def _is_dropped(self, word: str) -> bool:
        if len(word) < self.analysis.min_length and not word.isdecimal():
            return True
        return word in self._stops or (self._pattern is not None and self._pattern.fullmatch(word) is not None)

    def _all_stop_words(self) -> frozenset[str]:
        own = frozenset(fold_case(word) for word in self.analysis.extra_stop_words)
        language = self.analysis.language
        words = own | STOP_WORDS.get(language, frozenset()) if self.analysis.stop_words else own
        if self.analysis.keep_accents:
            return words
        # People type them without accents; an accented word that only looks like one (té, te) is not dropped for that.
        return words | frozenset(map(fold_accents, words)) - CONTENT_WITHOUT_ACCENTS.get(language, frozenset())


def _compile(pattern: str) -> Any:
    """The compiled pattern, in linear time whatever a person wrote; None for an empty one."""
    if not pattern:
        return None
    try:
        return re2.compile(pattern)
    except re2.error as error:
        reason = error.args[0].decode() if isinstance(error.args[0], bytes) else error.args[0]
        raise AnalysisError(f"The stop-word pattern “{pattern}” cannot be used: {reason}.") from error


def _character_offsets(text: str) -> list[int]:
    """For each byte offset of the UTF-8 form (and its end) the index of the character there."""
    offsets: list[int] = []
    for index, width in enumerate(_widths(text)):
        offsets.extend([index] * width)
    offsets.append(len(text))
    return offsets


def _widths(text: str) -> Iterable[int]:
    for character in text:
        code = ord(character)
        yield 1 if code < 0x80 else 2 if code < 0x800 else 3 if code < 0x10000 else 4
