"""The engines that the search benchmark compares, behind one small interface."""

import os
import resource
import sqlite3
from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np
import psutil

from backend.search_engine.compilation import load_kernels
from backend.search_engine.index import Field, FieldKind, IndexReader, IndexWriter, Schema
from backend.search_engine.query import Joining, parse_query
from backend.search_engine.ranking import Ranking
from backend.search_engine.ranking.formula import parse_formula
from backend.search_engine.search import Searcher, SearchRequest
from tests.benchmarks._search_corpus import Document

TITLE_BOOST: Final = 2.0
FORMULA: Final = "text + 2 * log(votes + 1)"
SCHEMA: Final = Schema([Field("title", boost=TITLE_BOOST), Field("body"), Field("votes", FieldKind.NUMBER)])
ANY, EVERY, PHRASE = "or", "and", "phrase"


def votes_of(number: int) -> float:
    """A made-up column: few documents have many votes."""
    return float((number * 2654435761 % 1000) ** 2 // 1000)


def cpu_seconds() -> float:
    """What this process, its children and theirs have used so far."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    total = sum(each.ru_utime + each.ru_stime for each in used)
    for child in psutil.Process().children(recursive=True):
        times = child.cpu_times()
        total += times.user + times.system + times.children_user + times.children_system
    return total


class Engine(ABC):
    """One search engine with one index in one folder."""

    name: str

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir(parents=True, exist_ok=True)

    @abstractmethod
    def build(self, documents: Iterable[Document]) -> None:
        """Index the documents under keys "0", "1", …"""

    @abstractmethod
    def delete(self, keys: Sequence[str]) -> None:
        """Delete documents, and commit that."""

    @abstractmethod
    def open(self) -> None:
        """Make the index ready to be searched."""

    @abstractmethod
    def search(self, kind: str, text: str, *, count: bool = False) -> list[float]:
        """The ten best scores, from the words of a query to the hits."""

    @property
    def disk_bytes(self) -> int:
        """How much the index takes on the disk."""
        return sum(path.stat().st_size for path in self.folder.rglob("*") if path.is_file())


class Gleaner(Engine):
    """Ours."""

    name = "Gleaner"

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        load_kernels(*(f"backend.search_engine.{part}" for part in ("index", "kernels", "text")))

    def build(self, documents: Iterable[Document]) -> None:
        with IndexWriter(self.folder, SCHEMA, threads=os.cpu_count() or 1) as writer:
            for number, document in enumerate(documents):
                writer.put(str(number), {"title": document.title, "body": document.body, "votes": votes_of(number)})
            writer.commit()

    def delete(self, keys: Sequence[str]) -> None:
        with IndexWriter(self.folder, SCHEMA) as writer:
            for key in keys:
                writer.delete(key)
            writer.commit()

    def open(self) -> None:
        self.snapshot = IndexReader(self.folder).snapshot()
        self.searcher = Searcher(self.snapshot)
        self._ranking = Ranking()
        self._requests = {count: SearchRequest(count=count) for count in (False, True)}
        self._formula = Ranking(formula=parse_formula(FORMULA))

    def search(self, kind: str, text: str, *, count: bool = False) -> list[float]:
        if kind == PHRASE:
            query = parse_query(f'"{text}"')
        else:
            query = parse_query(text, joining=Joining.AND if kind == EVERY else Joining.OR)
        return [hit.score for hit in self.searcher.search(query, self._ranking, self._requests[count])]

    def formula(self, text: str) -> tuple[list[float], int]:
        """The ten best scores under the formula, and how many documents were scored."""
        hits = self.searcher.search(parse_query(text, joining=Joining.OR), self._formula, self._requests[True])
        return [hit.score for hit in hits], hits.total or 0


class Tantivy(Engine):
    """tantivy through tantivy-py."""

    name = "tantivy"

    def build(self, documents: Iterable[Document]) -> None:
        import tantivy

        schema = tantivy.SchemaBuilder()
        schema.add_text_field("key", stored=True, tokenizer_name="raw", index_option="basic")
        for field in ("title", "body"):
            schema.add_text_field(field, stored=True, tokenizer_name="en_stem")
        schema.add_float_field("votes", stored=True, fast=True)
        self._index = tantivy.Index(schema.build(), str(self.folder))
        writer = self._index.writer()
        for number, document in enumerate(documents):
            fields = {"key": str(number), "title": document.title, "body": document.body}
            writer.add_document(tantivy.Document(**fields, votes=votes_of(number)))
        writer.commit()
        writer.wait_merging_threads()

    def delete(self, keys: Sequence[str]) -> None:
        writer = self._index.writer()
        for key in keys:
            writer.delete_documents("key", key)
        writer.commit()
        writer.wait_merging_threads()

    def open(self) -> None:
        import tantivy

        self._index = tantivy.Index.open(str(self.folder))
        self._searcher = self._index.searcher()
        self._columns: list[Any] | None = None

    def _parse(self, kind: str, text: str) -> Any:
        if kind == PHRASE:
            text = f'"{text}"'
        conjunction = kind == EVERY
        boosts = {"title": TITLE_BOOST}
        return self._index.parse_query(text, ["title", "body"], field_boosts=boosts, conjunction_by_default=conjunction)

    def search(self, kind: str, text: str, *, count: bool = False) -> list[float]:
        found = self._searcher.search(self._parse(kind, text), 10, count=count)
        return [score for score, _ in found.hits]

    def load_columns(self) -> None:
        """Read the votes of every document by its address: what a formula outside of tantivy needs. Not measured."""
        everything = self._index.parse_query("*", ["title"])
        hits = self._searcher.search(everything, self._searcher.num_docs, count=False).hits
        size = 1 + max(address.doc for _, address in hits)
        segments = 1 + max(address.segment_ord for _, address in hits)
        self._votes = np.zeros((segments, size))
        for _, address in hits:
            self._votes[address.segment_ord, address.doc] = self._searcher.doc(address)["votes"][0]

    def formula(self, text: str) -> tuple[list[float], int]:
        """The formula over all matches: tantivy gives every match with its score, numpy does the rest."""
        hits = self._searcher.search(self._parse(ANY, text), self._searcher.num_docs, count=False).hits
        scores = np.array([score for score, _ in hits])
        places = np.array([(address.segment_ord, address.doc) for _, address in hits])
        total = scores + 2 * np.log(self._votes[places[:, 0], places[:, 1]] + 1)
        best = np.sort(total[np.argpartition(-total, 10)[:10]])[::-1]
        return best.tolist(), len(hits)


class Bm25s(Engine):
    """bm25s: one field, everything in memory."""

    name = "bm25s"

    def build(self, documents: Iterable[Document]) -> None:
        import bm25s
        import Stemmer

        self._stemmer = Stemmer.Stemmer("english")
        texts = [f"{document.title} {document.body}" for document in documents]
        tokens = bm25s.tokenize(texts, stopwords=None, stemmer=self._stemmer, show_progress=False)
        self._retriever = bm25s.BM25()
        self._retriever.index(tokens, show_progress=False)
        self._retriever.save(str(self.folder))

    def delete(self, keys: Sequence[str]) -> None:
        """It cannot."""

    def open(self) -> None:
        """Nothing to do: it is in memory."""

    def search(self, kind: str, text: str, *, count: bool = False) -> list[float]:
        import bm25s

        tokens = bm25s.tokenize([text], stopwords=None, stemmer=self._stemmer, show_progress=False)
        _, scores = self._retriever.retrieve(tokens, k=10, show_progress=False)
        found: list[float] = scores[0].tolist()
        return found


class Fts5(Engine):
    """SQLite's full-text search with its Porter stemmer."""

    name = "SQLite FTS5"

    def build(self, documents: Iterable[Document]) -> None:
        database = sqlite3.connect(self.folder / "fts.db")
        database.execute("CREATE VIRTUAL TABLE docs USING fts5(title, body, tokenize='porter unicode61')")
        rows = ((number, document.title, document.body) for number, document in enumerate(documents))
        database.executemany("INSERT INTO docs(rowid, title, body) VALUES (?, ?, ?)", rows)
        database.commit()
        database.close()

    def delete(self, keys: Sequence[str]) -> None:
        with sqlite3.connect(self.folder / "fts.db") as database:
            database.executemany("DELETE FROM docs WHERE rowid = ?", [(int(key),) for key in keys])

    def open(self) -> None:
        self._database = sqlite3.connect(self.folder / "fts.db")

    def search(self, kind: str, text: str, *, count: bool = False) -> list[float]:
        words = [f'"{word}"' for word in text.split()]
        expression = f'"{text}"' if kind == PHRASE else (" AND " if kind == EVERY else " OR ").join(words)
        rows = self._database.execute(
            "SELECT bm25(docs, 2.0, 1.0) FROM docs WHERE docs MATCH ? ORDER BY bm25(docs, 2.0, 1.0) LIMIT 10",
            [expression],
        )
        return [-score for (score,) in rows]
