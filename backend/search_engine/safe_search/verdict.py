"""The safe-search flag: computed once per document from a word list, with the words that decided."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Final

import re2

from backend.search_engine.text import Analysis, Analyzer, Reduction
from backend.search_engine.text.folding import fold_accents, fold_case

MIN_CLEAR: Final = 2
"""So many clear words anywhere (or one in a title) make a document unsafe."""
MIN_DOUBTFUL: Final = 5
MIN_DOUBTFUL_SHARE: Final = 0.02
"""Doubtful words count only together: at least so many, and this share of all words."""
_DOUBT: Final = "?"


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether a document is hidden while safe search is on, and because of which words."""

    is_unsafe: bool
    words: tuple[str, ...] = ()


class SafeSearch:
    """A word list ready to judge documents. Words may be several in a row; a `?` before a word marks it as doubtful."""

    def __init__(self, words: Iterable[str] | None = None) -> None:
        self._analyzer = Analyzer(Analysis(reduction=Reduction.NONE))
        self._is_doubtful: dict[tuple[str, ...], bool] = {}
        for word in default_words() if words is None else words:
            terms = tuple(self._analyzer.terms(word.removeprefix(_DOUBT)))
            if terms:
                self._is_doubtful[terms] = word.startswith(_DOUBT)
        self._longest = max(map(len, self._is_doubtful), default=0)
        clear = {terms[0] for terms, is_doubtful in self._is_doubtful.items() if not is_doubtful}
        self._hint = re2.compile("|".join(map(re2.escape, sorted(clear))) if clear else "[^\\x00-\\x{10FFFF}]")

    def judge(self, text: str, *, title: str = "") -> Verdict:
        """The verdict on a document."""
        in_title, in_text = self._analyzer.terms(title), self._analyzer.terms(text)
        found = self._count(in_title) + self._count(in_text)
        clear = Counter({words: count for words, count in found.items() if not self._is_doubtful[words]})
        doubtful = found.total() - clear.total()
        is_clear = clear.total() >= MIN_CLEAR or any(words in clear for words in self._count(in_title))
        is_much = doubtful >= MIN_DOUBTFUL and doubtful >= MIN_DOUBTFUL_SHARE * (len(in_title) + len(in_text))
        if not is_clear and not is_much:
            return Verdict(False)
        return Verdict(True, tuple(" ".join(words) for words, _ in (found if is_much else clear).most_common(5)))

    def unfit_names(self, names: Sequence[str]) -> list[str]:
        """Those of the names that would make a document unsafe as its title.

        Names are looked through together, which is quick where none of them has the letters of a clear word.
        """
        if self._hint.search(fold_accents(fold_case("\n".join(names)))) is None:
            return []
        return [name for name in names if self.judge("", title=name).is_unsafe]

    def _count(self, terms: Sequence[str]) -> Counter[tuple[str, ...]]:
        found: Counter[tuple[str, ...]] = Counter()
        for length in range(1, self._longest + 1):
            found.update(
                run for run in zip(*(terms[at:] for at in range(length)), strict=False) if run in self._is_doubtful
            )
        return found


def read_words(lines: Iterable[str]) -> list[str]:
    """The words of a list file: one per line, `#` begins a comment."""
    stripped = (line.partition("#")[0].strip() for line in lines)
    return [line for line in stripped if line]


@cache
def default_words() -> tuple[str, ...]:
    """The list that Gleaner comes with."""
    return tuple(read_words((files(__package__) / "words.txt").read_text(encoding="utf-8").splitlines()))
