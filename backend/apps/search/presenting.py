"""Hits as people see them: title, address, values by column, where the words are, a passage, near-duplicates."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict
from datetime import UTC, datetime
from typing import Any, Final

from backend.apps.indexers import standard_fields as standard
from backend.apps.indexers.column_plans import ColumnKind
from backend.apps.search.documents import DocumentReader
from backend.apps.search.served import Served, ShownColumn
from backend.search_engine.query import Fuzzy, Query, text_leaves
from backend.search_engine.search import Explanation, Hit, Searcher
from backend.search_engine.search.matcher import near_terms_of
from backend.search_engine.snippets import Highlighter, Passage, wanted_in
from backend.search_engine.text import Analyzer

SHORT: Final = 300
"""Texts up to so many characters are shown whole."""
SNIPPET_CHARACTERS: Final = 240
BODY_FIELDS: Final = (standard.DESCRIPTION, standard.TEXT)

Values = dict[str, Any]
Pieces = list[dict[str, Any]]


class Presenter:
    """Shows the hits of one query."""

    def __init__(self, served: Served, searcher: Searcher, query: Query, documents: DocumentReader) -> None:
        self._served = served
        self._documents = documents
        self._searcher = searcher
        self._shows = self._highlighters(query)
        names = [each.name for each in served.columns if each.name != served.title]
        self._bodies = [name for name in (*names, *BODY_FIELDS) if name in self._shows]
        self._shown_fields = [name for name in (served.title, standard.TITLE, *self._bodies) if name in self._shows]

    def results(self, hits: Sequence[Hit], *, first_rank: int) -> list[Values]:
        """The hits of a page. Their texts are looked through together, which costs much less than one by one."""
        read = [self._documents.read(self._searcher.snapshot, hit.slot) for hit in hits]
        shown = self._shown([stored for _, stored in read])
        return [
            self._result(hit, rank, *found, passages)
            for rank, (hit, found, passages) in enumerate(zip(hits, read, shown, strict=True), start=first_rank)
        ]

    def _result(self, hit: Hit, rank: int, key: str, stored: Values, shown: Mapping[str, list[Passage]]) -> Values:
        url = _single(stored.get(standard.URL)) or ""
        pieces = {name: join_passages(passages) for name, passages in shown.items()}
        matched = {name for name, passages in shown.items() if _has_match(passages)}
        return {
            "key": key,
            "rank": rank,
            "score": hit.score,
            "url": url,
            "title": self._title(stored, shown, pieces, url),
            "snippet": self._snippet(stored, pieces, matched),
            "fields": {each.name: value_of(each, stored) for each in self._served.columns},
            "highlights": {each.name: pieces[each.name] for each in self._served.columns if each.name in matched},
            "crawler": _single(stored.get(standard.CRAWLER)),
            "host": _single(stored.get(standard.HOST)),
            "language": _single(stored.get(standard.LANGUAGE)),
            "fetched_at": moment_of(stored.get(standard.FETCHED)),
            "duplicates": 0,
            "explanation": None,
        }

    def _shown(self, documents: Sequence[Values]) -> list[dict[str, list[Passage]]]:
        """Of each document the texts as they are shown: short ones whole, of long ones the best passages."""
        shown: list[dict[str, list[Passage]]] = [{} for _ in documents]
        by_highlighter: dict[int, list[tuple[int, str]]] = {}
        for number, stored in enumerate(documents):
            for name in self._shown_fields:
                if stored.get(name):
                    by_highlighter.setdefault(id(self._shows[name]), []).append((number, name))
        for places in by_highlighter.values():
            highlighter = self._shows[places[0][1]]
            texts = [documents[number][name] for number, name in places]
            passages = highlighter.show(texts, most_whole=SHORT, max_characters=SNIPPET_CHARACTERS)
            for (number, name), found in zip(places, passages, strict=True):
                shown[number][name] = found
        return shown

    def _title(
        self, stored: Values, shown: Mapping[str, list[Passage]], pieces: Mapping[str, Pieces], url: str
    ) -> Pieces:
        """One passage of the title, else the address."""
        for name in (self._served.title, standard.TITLE):
            if name in shown:
                return pieces[name] if len(shown[name]) == 1 else join_passages(shown[name][:1])
            if text := _single(stored.get(name)):
                return [{"text": str(text), "match": False}]
        return [{"text": url, "match": False}]

    def _snippet(self, stored: Values, pieces: Mapping[str, Pieces], matched: Collection[str]) -> Pieces:
        """From the longest text beside the title that shows a match, else the beginning of the longest."""
        names = sorted((name for name in self._bodies if name in pieces), key=lambda name: -len(stored[name]))
        best = next((name for name in names if name in matched), names[0] if names else None)
        return pieces[best] if best else []

    def _highlighters(self, query: Query) -> dict[str, Highlighter]:
        found = {}
        asked = {leaf.field for leaf in text_leaves(query.root)}
        for group, analyzer in zip(self._searcher.snapshot.schema.groups, self._searcher.analyzers, strict=True):
            expansions = self._expansions(query, group.number, analyzer)
            by_field: dict[str | None, Highlighter] = {}
            for each in group.fields:
                field = each.name if each.name in asked else None  # what is asked of any field is looked up once
                if field not in by_field:
                    wanted = wanted_in(query, analyzer, field=field, expansions=expansions)
                    by_field[field] = Highlighter(wanted, analyzer)
                found[each.name] = by_field[field]
        return found

    def _expansions(self, query: Query, group: int, analyzer: Analyzer) -> Mapping[str, Sequence[str]]:
        """The terms that words with `~` stand for."""
        found: dict[str, list[str]] = {}
        for leaf in text_leaves(query.root):
            if isinstance(leaf, Fuzzy):
                found[leaf.text] = near_terms_of(leaf, self._searcher.snapshot, group, analyzer)
        return found


def _has_match(passages: Sequence[Passage]) -> bool:
    return any(passage.highlights for passage in passages)


def pieces_of(passage: Passage) -> Pieces:
    """Plain text cut where matches begin and end: nothing to count, nothing to escape."""
    pieces, at = [], 0
    for start, end in passage.highlights:
        if start > at:
            pieces.append({"text": passage.text[at:start], "match": False})
        pieces.append({"text": passage.text[start:end], "match": True})
        at = end
    if at < len(passage.text):
        pieces.append({"text": passage.text[at:], "match": False})
    return pieces


def join_passages(passages: Sequence[Passage]) -> Pieces:
    """Passages one after another with an ellipsis wherever text is left out."""
    pieces: Pieces = []
    for number, passage in enumerate(passages):
        if number or not passage.is_beginning:
            pieces.append({"text": " … " if number else "… ", "match": False})
        pieces += pieces_of(passage)
    if passages and not passages[-1].is_end:
        pieces.append({"text": " …", "match": False})
    return pieces


def value_of(column: ShownColumn, stored: Values) -> Any:
    """A column's value as documents have it: prices with their currency, dates as text, several values as a list."""
    value = stored.get(column.name)
    if column.kind is ColumnKind.DATE:
        return moment_of(value)
    if column.currency_field and value is not None:
        return {"amount": value, "currency": _single(stored.get(column.currency_field))}
    return _single(value)


def explain_json(explanation: Explanation | None) -> Values | None:
    return None if explanation is None else asdict(explanation)


def _single(value: Any) -> Any:
    if isinstance(value, list):
        return value[0] if len(value) == 1 else value or None
    return value


def moment_of(seconds: Any) -> str | None:
    if not isinstance(seconds, int | float):
        return None
    try:
        return datetime.fromtimestamp(seconds, UTC).isoformat().replace("+00:00", "Z")
    except (ValueError, OverflowError, OSError):
        return None
