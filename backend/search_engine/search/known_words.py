"""Which words of a query an index answers as they are written: by another form of the word, or by a synonym."""

from collections.abc import Sequence

from backend.search_engine.index.snapshot import Snapshot
from backend.search_engine.query import Query
from backend.search_engine.search.synonym_runs import runs_of, with_synonyms
from backend.search_engine.text import Analyzer


class KnownWords:
    """The words of one query that need no correction, although no document may have them in this form."""

    def __init__(self, query: Query, snapshot: Snapshot, analyzers: Sequence[Analyzer]) -> None:
        self._snapshot = snapshot
        self._analyzers = analyzers
        runs = runs_of(with_synonyms(query.root, analyzers), with_excluded=True)
        words = (word for run in runs for word in run.words)
        self._in_runs = [range(word.start, word.start + len(word.text)) for word in words]

    def has(self, written: str, start: int) -> bool:
        """Whether the word that begins at `start` finds something, has synonyms, or is left out by the index."""
        if any(start in place for place in self._in_runs):
            return True
        terms = [analyzer.terms(written) for analyzer in self._analyzers]
        return not any(terms) or any(self._answers(group, each) for group, each in enumerate(terms) if each)

    def _answers(self, group: int, terms: Sequence[str]) -> bool:
        if self._analyzers[group].synonyms.of(terms):
            return True
        return all(self._snapshot.has_term(group, term) for term in terms)
