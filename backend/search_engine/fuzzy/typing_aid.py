"""Everything that helps while a query is typed, beside an index: its words, its titles, and a dictionary."""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import replace
from functools import lru_cache, partial
from itertools import islice
from pathlib import Path
from typing import Final, Self

import regex

from backend.search_engine.fuzzy.as_you_type import suggest_query
from backend.search_engine.fuzzy.correction import Change, find_changes, look_up
from backend.search_engine.fuzzy.dictionary import Entry
from backend.search_engine.fuzzy.index import DEFAULT_Q, FuzzyIndex
from backend.search_engine.fuzzy.suggester import Suggester, Suggestion
from backend.search_engine.query.ast import Fuzzy, Notice, Prefix, Query, TextLeaf, with_leaves
from backend.search_engine.safe_search import SafeSearch
from backend.search_engine.text.folding import fold_case

MAX_WORD_CHARACTERS: Final = 40
TITLE_SCORE: Final = 1.0
MAX_FORMS: Final = 50
"""So many written words does one with `~` stand for at most."""
MAX_BEGINNINGS: Final = 10_000
"""Of so many written words that begin like one with `*` are the terms looked up, where those begin otherwise."""
KEPT_WORDS: Final = 20_000
"""What was found out about so many words of queries is remembered."""
JUDGED_TOGETHER: Final = 100
_WORD = regex.compile(r"\p{L}[\p{L}\p{M}]+(?:['’]\p{L}+)*")
_FILES: Final = ("words.fuzzy", "words.suggestions", "names.suggestions")


class Tally:
    """Counts names, and apart those of what safe search hides."""

    def __init__(self) -> None:
        self.counts: Counter[str] = Counter()
        self.unsafe: Counter[str] = Counter()

    @property
    def hidden(self) -> set[str]:
        """Those that only unsafe documents have."""
        return {name for name, count in self.unsafe.items() if self.counts[name] <= count}

    def add_all(self, names: Iterable[str], *, is_unsafe: bool = False) -> None:
        """Count names of one document."""
        names = list(names)
        self.counts.update(names)
        if is_unsafe:
            self.unsafe.update(names)

    def take_back(self, names: Iterable[str], *, is_unsafe: bool = False) -> None:
        """Count names of one document no longer."""
        names = Counter(names)
        _subtract(self.counts, names)
        if is_unsafe:
            _subtract(self.unsafe, names)


def _subtract(counts: Counter[str], fewer: Counter[str]) -> None:
    """Leave none of 0: what nobody has is no name any more."""
    for name, count in fewer.items():
        left = counts.pop(name, 0) - count
        if left > 0:
            counts[name] = left


class WordCounter(Tally):
    """Counts the words of documents as they are written, without stems: what people should be offered."""

    def add(self, text: str, *, is_unsafe: bool = False) -> None:
        """Count the words of one text; numbers, single letters and endless words are none."""
        self.add_all(words_of(text), is_unsafe=is_unsafe)


def words_of(text: str) -> list[str]:
    """The words that are counted."""
    return [word for word in _WORD.findall(fold_case(text)) if len(word) <= MAX_WORD_CHARACTERS]


class TypingAid:
    """Corrections and suggestions for one index: immutable, safe from many threads, opened by mapping three files."""

    def __init__(self, words: FuzzyIndex, completions: Suggester, names: Suggester) -> None:
        self._words = words
        self._completions = completions
        self._names = names
        self._look = lru_cache(KEPT_WORDS)(partial(look_up, words=words))

    @classmethod
    def build(
        cls,
        counts: Mapping[str, int],
        *,
        names: Iterable[Entry] = (),
        q: int = DEFAULT_Q,
        hidden_words: Collection[str] = (),
        safe_search: SafeSearch | None = None,
    ) -> Self:
        """From the words of the documents with their counts, and names: titles and the entries of a dictionary.

        While safe search is on, hidden words and names are not offered, nor what `safe_search` finds unfit to be a
        title.
        """
        words = (Entry(word, count, is_hidden=word in hidden_words) for word, count in counts.items())
        completions, titles = (Suggester.build(_judged(entries, safe_search)) for entries in (words, names))
        return cls(FuzzyIndex.build(counts.items(), q=q), completions, titles)

    @classmethod
    def open(cls, folder: Path, *, verify: bool = True) -> Self:
        """Map what `save` wrote; IndexMissingError when nothing did, IndexCorruptError when it is damaged."""
        words, completions, names = (folder / name for name in _FILES)
        return cls(
            FuzzyIndex.open(words, verify=verify),
            Suggester.open(completions, verify=verify),
            Suggester.open(names, verify=verify),
        )

    def save(self, folder: Path) -> None:
        """Write to a folder; each file is replaced in one step."""
        folder.mkdir(parents=True, exist_ok=True)
        words, completions, names = (folder / name for name in _FILES)
        self._words.save(words)
        self._completions.save(completions)
        self._names.save(names)

    def changes(self, query: Query, *, is_safe: bool = False) -> list[Change]:
        """What looks like typing errors in a query (see `find_changes`); with `is_safe` no hidden word is offered."""
        found = find_changes(query, self._words, look=self._look)
        return [change for change in found if not self._is_hidden(change)] if is_safe else found

    def _is_hidden(self, change: Change) -> bool:
        return any(self._completions.hides(word) for word in fold_case(change.corrected).split())

    def widen(self, query: Query) -> Query:
        """The query whose words with `~` and `*` know the written words they stand for."""
        if not any(sign in query.source for sign in "~*"):
            return query
        notices: dict[str, Notice] = {}
        root = with_leaves(query.root, partial(self._with_forms, known={}, notices=notices))
        return replace(query, root=root, notices=(*query.notices, *notices.values()))

    def _with_forms(self, leaf: TextLeaf, known: dict[str, tuple[str, ...]], notices: dict[str, Notice]) -> TextLeaf:
        folded = fold_case(leaf.text.strip())
        if isinstance(leaf, Fuzzy):
            near = self._words.find(folded, distance=leaf.distance, limit=MAX_FORMS)
            return replace(leaf, forms=tuple(match.word for match in near))
        if not isinstance(leaf, Prefix):
            return leaf
        if folded not in known:  # the same prefix many times is looked up once
            known[folded] = tuple(self._completions.beginning_with(folded, MAX_BEGINNINGS + 1))
        forms = known[folded]
        if len(forms) > MAX_BEGINNINGS:
            notices.setdefault(folded, _too_many_notice(leaf))
        return replace(leaf, forms=forms[:MAX_BEGINNINGS])

    def suggest(self, text: str, *, limit: int = 10, is_safe: bool = False) -> list[Suggestion]:
        """What to offer for a text typed so far: names and titles, then completions of its last word."""
        return suggest_query(text, names=self._names, words=self._completions, limit=limit, is_safe=is_safe)


def _too_many_notice(leaf: Prefix) -> Notice:
    return Notice(
        f"More than {MAX_BEGINNINGS:,} words begin with “{leaf.text.strip()[:MAX_WORD_CHARACTERS]}”.",
        leaf.start,
        "Where the index keeps stems or base forms that begin otherwise, only the commonest of them are found. "
        "Write more letters before the *.",
    )


def title_entries(titles: Iterable[str]) -> Iterable[Entry]:
    """Titles of documents as names to suggest; a title that many documents have is more popular."""
    tally = Tally()
    tally.add_all(title.strip() for title in titles)
    return tally_entries(tally)


def tally_entries(titles: Tally) -> Iterable[Entry]:
    """Counted titles as names to suggest."""
    hidden = titles.hidden
    counts = titles.counts.items()
    return (Entry(title, TITLE_SCORE * count, is_hidden=title in hidden) for title, count in counts if title)


def _judged(entries: Iterable[Entry], safe_search: SafeSearch | None) -> Iterator[Entry]:
    """The entries; those with an unfit name or synonym are hidden."""
    rest = iter(entries)
    while some := list(islice(rest, JUDGED_TOGETHER)):
        names = [name for entry in some for name in (entry.name, *entry.synonyms)]
        unfit = set(safe_search.unfit_names(names)) if safe_search is not None else set()
        for entry in some:
            is_unfit = bool(unfit) and not unfit.isdisjoint((entry.name, *entry.synonyms))
            yield replace(entry, is_hidden=True) if is_unfit else entry
