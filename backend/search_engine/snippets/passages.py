"""The passages of a text that show best why it was found: plain text and offsets, never HTML from a page."""

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from backend.search_engine.snippets.matches import Span, SpanFinder
from backend.search_engine.snippets.wanted import Wanted
from backend.search_engine.text import Analyzer

LOOK_BACK: Final = 80
"""How far before the first match a sentence may begin for the passage to begin there."""
_SENTENCE_END = re.compile(r"[.!?…]['\"”»)]*\s+|[。！？]|\n\s*\n")
_INVISIBLE = re.compile("[\x00-\x08\x0e-\x1f\x7f-\x9f\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff\ud800-\udfff]")
_SPACES = re.compile(r"\s+")
_UNCLEAN = re.compile(rf"^\s|\s\s|\s$|[^\S ]|{_INVISIBLE.pattern}")
_NO_SPACES = re.compile(
    r"[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff]"
)


@dataclass(frozen=True, slots=True)
class Passage:
    """A piece of plain text with the places to highlight; whether it is where the text begins and ends."""

    text: str
    highlights: tuple[tuple[int, int], ...]
    is_beginning: bool
    is_end: bool


class Highlighter:
    """Shows texts of one field for one query. Keep it for all results: it remembers the words it has met."""

    def __init__(self, wanted: Wanted, analyzer: Analyzer) -> None:
        self._finder = SpanFinder(wanted, analyzer)

    def passages(self, text: str, *, max_characters: int = 240, max_passages: int = 2) -> list[Passage]:
        """The best passages, best first; the second only if it shows something that the first does not.

        Without a match it is the beginning of the text; a text of which nothing can be seen has none.
        """
        return _passages(text, self._finder.find(text), max_characters, max_passages)

    def show(
        self, texts: Sequence[str], *, most_whole: int, max_characters: int = 240, max_passages: int = 2
    ) -> list[list[Passage]]:
        """Each text of up to `most_whole` characters whole, of longer ones the best passages."""
        return [
            [_passage(text, spans, 0, len(text))]
            if len(text) <= most_whole
            else _passages(text, spans, max_characters, max_passages)
            for text, spans in zip(texts, self._finder.find_all(texts), strict=True)
        ]

    def whole(self, text: str) -> Passage:
        """A short text (a title) as a whole, with its matches."""
        return _passage(text, self._finder.find(text), 0, len(text))


def make_passages(
    text: str, wanted: Wanted, analyzer: Analyzer, *, max_characters: int = 240, max_passages: int = 2
) -> list[Passage]:
    """The best passages of a single text, as `Highlighter` gives them."""
    return Highlighter(wanted, analyzer).passages(text, max_characters=max_characters, max_passages=max_passages)


def highlight(text: str, wanted: Wanted, analyzer: Analyzer) -> Passage:
    """A single short text as a whole, with its matches."""
    return Highlighter(wanted, analyzer).whole(text)


def _passages(text: str, spans: Sequence[Span], max_characters: int, max_passages: int) -> list[Passage]:
    chosen = _choose(spans, max_characters, max_passages) or [(0, 0)]
    found = [_cut(text, spans, first, last, max_characters) for first, last in chosen]
    return [passage for passage in found if passage.text]


def _choose(spans: Sequence[Span], max_characters: int, max_passages: int) -> list[tuple[int, int]]:
    """Up to `max_passages` stretches of text by the weight of what they show and no earlier one does."""
    chosen: list[tuple[int, int]] = []
    shown: set[tuple[str, ...]] = set()
    while len(chosen) < max_passages:
        best = _best_window(spans, max_characters, shown, chosen)
        if best is None:
            break
        first, last = best
        chosen.append((spans[first].start, spans[last].end))
        shown.update(span.key for span in spans[first : last + 1])
    return chosen


def _best_window(
    spans: Sequence[Span], max_characters: int, shown: set[tuple[str, ...]], taken: Sequence[tuple[int, int]]
) -> tuple[int, int] | None:
    """The first and last span of the best window: most new weight, then most spans close together, then earliest."""
    best, best_score = None, (0.0, 0.0)
    for first, span in enumerate(spans):
        if any(start - max_characters < span.start < end for start, end in taken):
            continue
        last, score = _score_window(spans, first, max_characters, shown)
        if score > best_score:
            best, best_score = (first, last), score
    return best


def _score_window(
    spans: Sequence[Span], first: int, max_characters: int, shown: set[tuple[str, ...]]
) -> tuple[int, tuple[float, float]]:
    seen: dict[tuple[str, ...], float] = {}
    last, repeats = first, 0
    for number in range(first, len(spans)):
        span = spans[number]
        if span.end - spans[first].start > max_characters and number > first:
            break
        repeats += span.key in seen
        if span.key not in seen:
            last = number
        if span.key not in shown:
            seen.setdefault(span.key, span.weight)
    return last, (round(sum(seen.values()), 6), min(repeats, 3) * (1.0 if seen else 0.0))


def _cut(text: str, spans: Sequence[Span], first: int, last: int, max_characters: int) -> Passage:
    start = _beginning(text, first, last, max_characters)
    end = _ending(text, max(last, start + max_characters), max(last, start + 1))
    return _passage(text, spans, start, end)


def _beginning(text: str, first: int, last: int, max_characters: int) -> int:
    """Where to begin so that the match is readable: at its sentence if near, else at a word a little before it."""
    room = max(0, min(LOOK_BACK, max_characters - (last - first)))
    earliest = max(0, first - room)
    if earliest == 0:
        return 0
    ends = [found.end() for found in _SENTENCE_END.finditer(text, earliest, first)]
    if ends:
        return ends[-1]
    return _word_start(text, max(earliest, first - room // 2), first)


def _word_start(text: str, at: int, limit: int) -> int:
    if _NO_SPACES.match(text, at):
        return _whole_character(text, at)
    space = _SPACES.search(text, at, limit)
    return space.end() if space else _whole_character(text, at)


def _ending(text: str, end: int, least: int) -> int:
    """The last end of a word up to `end`, not before `least`."""
    if end >= len(text):
        return len(text)
    spaces = [] if _NO_SPACES.match(text, end) else [found.start() for found in _SPACES.finditer(text, least, end + 1)]
    return spaces[-1] if spaces else max(least, _whole_character(text, end))


def _whole_character(text: str, at: int) -> int:
    """The same place or a little before, where no accent or joined emoji is torn from its base."""
    earliest = max(0, at - 16)
    while earliest < at < len(text) and (
        unicodedata.combining(text[at]) or text[at] in "\u200d\ufe0f" or text[at - 1] == "\u200d"
    ):
        at -= 1
    return at


def _passage(text: str, spans: Sequence[Span], start: int, end: int) -> Passage:
    """`text[start:end]` with single spaces and nothing invisible, and the spans in it."""
    clean, places = _clean(text[start:end])
    inside = [(span.start - start, span.end - start) for span in spans if start <= span.start and span.end <= end]
    merged = _merge([(places[first], places[last]) for first, last in inside])
    is_beginning = not start or not text[:start].strip()
    return Passage(clean, merged, is_beginning, end >= len(text) or not text[end:].strip())


def _clean(piece: str) -> tuple[str, Sequence[int]]:
    """The piece for people, and for each of its characters (and its end) where it is now."""
    # Of whitespace only the space is printable, and nothing invisible is: most pieces need no closer look.
    is_plain = piece.isprintable() and "  " not in piece and piece[:1] != " " and piece[-1:] != " "
    if is_plain or not _UNCLEAN.search(piece):
        return piece, range(len(piece) + 1)
    kept: list[str] = []
    places: list[int] = []
    for character in piece:
        places.append(len(kept))
        if character.isspace():
            if kept and kept[-1] != " ":
                kept.append(" ")
        elif not _INVISIBLE.match(character):
            kept.append(character)
    places.append(len(kept))
    clean = "".join(kept).rstrip()
    return clean, [min(place, len(clean)) for place in places]


def _merge(places: list[tuple[int, int]]) -> tuple[tuple[int, int], ...]:
    """Overlapping places as one, in order, empty ones left out."""
    merged: list[tuple[int, int]] = []
    for start, end in sorted(places):
        if merged and start < merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        elif start < end:
            merged.append((start, end))
    return tuple(merged)
