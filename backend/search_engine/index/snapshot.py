"""One generation of an index: immutable, cheap to open, safe from many threads, unaffected by later commits."""

from bisect import bisect_right
from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from backend.search_engine.index.decode import (
    MARK_BITS,
    RANGE_BITS,
    RANGE_DOCS,
    SMALLEST_IMPACT,
    TermInfo,
    decode_impacts,
    decode_positions,
)
from backend.search_engine.index.live import LiveSegment
from backend.search_engine.index.manifest import Manifest, read_manifest
from backend.search_engine.index.postings import DEFAULT_CACHE_BYTES, ByteCache, PostingList
from backend.search_engine.index.schema import FieldGroup, Schema
from backend.search_engine.index.slot_keywords import SlotKeywords
from backend.search_engine.index.surfaces import cut_term
from backend.search_engine.ranking.bm25 import Bm25

_OPEN_TRIES: Final = 20
_ALL_ALIVE: Final = np.empty(0, dtype=np.uint8)
_COLUMNS: Final[dict[Hashable, str]] = {
    "lengths": "field_lengths",
    "norms": "norms",
    "numbers": "numbers",
    "keywords": "keywords",
    "places": "places",
}
"""What the cache keeps under these words, by the method that makes it."""


@dataclass(frozen=True)
class TermKey:
    """A term in some fields of a group, scored in one way: what a posting list is kept under."""

    __slots__ = ("_hash", "bm25", "boosts", "group", "mask", "term")

    group: int
    term: str
    mask: int
    bm25: Bm25
    boosts: tuple[float, ...]
    """Of the group's fields."""

    def __post_init__(self) -> None:
        # Asked for several times a query, and Bm25 takes long to hash.
        object.__setattr__(self, "_hash", hash((self.group, self.term, self.mask, self.bm25, self.boosts)))

    def __hash__(self) -> int:
        return self._hash  # type: ignore[attr-defined, no-any-return]


class Place(NamedTuple):
    """Where a slot's document is."""

    segment: int
    document: int


class Snapshot:
    """Documents have *slots*: each segment begins at a range of its own, so slots have gaps that no document fills."""

    def __init__(self, manifest: Manifest, segments: Sequence[LiveSegment], cache: ByteCache | None = None) -> None:
        self.manifest = manifest
        self.segments = list(segments)
        self.cache = cache or ByteCache(DEFAULT_CACHE_BYTES)
        sizes = [-(-each.segment.documents // RANGE_DOCS) for each in self.segments]
        self.bases = [int(base) << RANGE_BITS for base in np.cumsum([0, *sizes])]
        """The first slot of each segment, and the number of slots."""
        self.ranges = self.bases[-1] >> RANGE_BITS
        self.live_documents = sum(each.entry.live for each in self.segments)

    @property
    def schema(self) -> Schema:
        """The fields of the index."""
        return self.manifest.schema

    @property
    def generation(self) -> int:
        """The generation that this snapshot shows."""
        return self.manifest.generation

    @property
    def slots(self) -> int:
        """How many slots there are, with those that no document fills."""
        return self.bases[-1]

    def place(self, slot: int) -> Place:
        """The segment and document of a slot."""
        segment = bisect_right(self.bases, slot) - 1
        return Place(segment, slot - self.bases[segment])

    def key(self, slot: int) -> str:
        """The key of the document at a slot."""
        place = self.place(slot)
        return self.segments[place.segment].segment.keys.key(place.document)

    def stored(self, slot: int) -> dict[str, Any]:
        """The stored fields of the document at a slot."""
        place = self.place(slot)
        return self.segments[place.segment].segment.stored(place.document)

    def stored_of(self, slots: NDArray[np.int64]) -> Iterator[dict[str, Any]]:
        """The stored fields of the documents at ascending slots, at a fraction of what reading each alone costs."""
        ends = np.searchsorted(slots, self.bases[1:]).tolist()
        for base, each, (first, past) in zip(self.bases, self.segments, pairwise([0, *ends]), strict=False):
            if first < past:
                yield from each.segment.stored_of(slots[first:past] - base)

    def slot_of(self, key: str) -> int | None:
        """The slot of the live document with this key."""
        for base, each in zip(self.bases, self.segments, strict=False):
            for document in each.segment.keys.find(key):
                if each.alive is None or each.alive[document]:
                    return base + document
        return None

    @cached_property
    def alive(self) -> NDArray[np.uint8]:
        """1 for each slot with a live document."""
        alive = np.zeros(self.slots, dtype=np.uint8)
        for base, each in zip(self.bases, self.segments, strict=False):
            alive[base : base + each.segment.documents] = 1 if each.alive is None else each.alive
        return alive

    def average_lengths(self, group: FieldGroup) -> list[float]:
        """Per field of a group: how many words it has on average where it has any."""
        fields = range(len(group.fields))
        words = [sum(each.entry.words[group.number][field] for each in self.segments) for field in fields]
        filled = [sum(each.entry.filled[group.number][field] for each in self.segments) for field in fields]
        return [total / max(1, count) for total, count in zip(words, filled, strict=True)]

    def lengths(self, group: int, slot: int) -> list[int]:
        """How many words each field of a group has in the document at a slot."""
        place = self.place(slot)
        found: list[int] = self.segments[place.segment].segment.groups[group].lengths[:, place.document].tolist()
        return found

    def field_lengths(self, group: int) -> "FieldLengths":
        """How long the fields of a group are, by slot and on average."""
        return self.cache.get((self.generation, "lengths", group), lambda: self._field_lengths(group))

    def _field_lengths(self, group: int) -> "FieldLengths":
        lengths = np.ones((len(self.schema.groups[group].fields), self.slots), dtype=np.uint32)
        for base, each in self._based():
            lengths[:, base : base + each.segment.documents] = each.segment.groups[group].lengths
        return FieldLengths(lengths, np.array(self.average_lengths(self.schema.groups[group]), dtype=np.float64))

    def norms(self, group: int, b: float, boosts: tuple[float, ...]) -> NDArray[np.float32]:
        """`norms[field, slot]`: a field's boost over α of its length."""
        return self.cache.get((self.generation, "norms", group, b, boosts), lambda: self._norms(group, b, boosts))

    def _norms(self, group: int, b: float, boosts: tuple[float, ...]) -> NDArray[np.float32]:
        averages = self.average_lengths(self.schema.groups[group])
        norms = np.ones((len(boosts), self.slots), dtype=np.float32)
        for base, each in zip(self.bases, self.segments, strict=False):
            lengths = np.maximum(each.segment.groups[group].lengths, 1)
            for field, (boost, average) in enumerate(zip(boosts, averages, strict=True)):
                alpha = 1 - b + b * lengths[field] / max(average, 1e-9)
                norms[field, base : base + each.segment.documents] = boost / alpha
        return norms

    def postings(self, wanted: TermKey, *, positions: bool = False) -> PostingList:
        """The live documents of a term with impacts (idf included), and positions when asked for."""
        found = self.cache.get((self.generation, wanted), lambda: self._postings(wanted))
        if positions and found.positions is None:
            found.with_positions(*self._positions(wanted, found))
            self.cache.put((self.generation, wanted), found)
        return found

    def has_term(self, group: int, term: str) -> bool:
        """Whether a document has a term in a group of fields (documents deleted since the last merge included)."""
        wanted = np.frombuffer(cut_term(term), dtype=np.uint8)
        return any(each.segment.groups[group].find(wanted) is not None for each in self.segments)

    def _find(self, wanted: TermKey) -> list[tuple[int, LiveSegment, TermInfo]]:
        term = np.frombuffer(cut_term(wanted.term), dtype=np.uint8)
        found = ((base, each, each.segment.groups[wanted.group].find(term)) for base, each in self._based())
        return [(base, each, info) for base, each, info in found if info is not None]

    def _based(self) -> list[tuple[int, LiveSegment]]:
        return list(zip(self.bases, self.segments, strict=False))

    def _postings(self, wanted: TermKey) -> PostingList:
        places = self._find(wanted)
        norms = self.norms(wanted.group, wanted.bm25.b, wanted.boosts)
        room = sum(info.df for _, _, info in places)
        docs, impacts = np.empty(room, dtype=np.uint16), np.empty(room, dtype=np.float32)
        pointers, maxima = np.zeros(self.ranges + 1, dtype=np.uint32), np.zeros(self.ranges, dtype=np.float32)
        marks = np.empty((sum(map(_stretches, places)), 4), dtype=np.int64)
        count, marked = 0, 0
        for base, each, info in places:
            group = each.segment.groups[wanted.group]
            group.postings.need(info.posting, info.posting_end)
            alive = _ALL_ALIVE if each.alive is None else each.alive
            source = group.postings.data, info.posting, info.df, group.common, wanted.mask, alive
            own = marks[marked : marked + _stretches((base, each, info))]
            count = decode_impacts(*source, norms, base, wanted.bm25.k, docs, impacts, count, pointers, maxima, own)
            own[:, 1] += group.postings.data.ctypes.data
            own[:, 3] = 1 << MARK_BITS
            own[-1:, 3] = info.df - (len(own) - 1 << MARK_BITS)
            marked += len(own)
        np.maximum.accumulate(pointers, out=pointers)
        pointers[self.ranges] = count
        scale = max(wanted.bm25.idf_of(self.live_documents, count), SMALLEST_IMPACT)
        docs, impacts = docs[:count], impacts[:count]
        impacts *= np.float32(scale)
        maxima *= np.float32(scale)
        found = PostingList(docs, impacts, pointers, maxima, scale)
        found.places = places
        found.with_marks(wanted, marks)
        return found

    def _positions(self, wanted: TermKey, found: PostingList) -> tuple[NDArray[np.uint32], NDArray[np.uint32]]:
        room = sum(info.place_end - info.place for _, _, info in found.places)  # a position takes at least one byte
        offsets, positions = np.zeros(len(found) + 1, dtype=np.uint32), np.empty(room, dtype=np.uint32)
        done, filled = 0, 0
        for _, each, info in found.places:
            group = each.segment.groups[wanted.group]
            group.postings.need(info.posting, info.posting_end)
            group.positions.need(info.place, info.place_end)
            alive = _ALL_ALIVE if each.alive is None else each.alive
            source = group.postings.data, info.posting, info.df, group.common, wanted.mask, alive
            target = group.positions.data, info.place, offsets, done, positions, filled
            done, filled, _ = decode_positions(*source, *target)
        return offsets, positions[:filled]

    def numbers(self, name: str) -> NDArray[np.float64]:
        """A column of numbers or dates by slot; NaN where there is no value."""
        return self.cache.get((self.generation, "numbers", name), lambda: self._numbers(name))

    def _numbers(self, name: str) -> NDArray[np.float64]:
        values = np.full(self.slots, np.nan)
        for base, each in self._based():
            values[base : base + each.segment.documents] = each.segment.numbers(name)
        return values

    def keywords(self, name: str) -> SlotKeywords:
        """A column of keywords by slot."""
        return self.cache.get((self.generation, "keywords", name), lambda: self._keywords(name))

    def places(self, name: str) -> NDArray[np.float64]:
        """By slot, where a column's keyword stands in the alphabet; NaN where a document has none."""
        return self.cache.get((self.generation, "places", name), lambda: self.keywords(name).places())

    def _keywords(self, name: str) -> SlotKeywords:
        columns = [each.segment.keywords(name) for each in self.segments]
        return SlotKeywords.of(columns, self.bases)

    def warm(self, older: "Snapshot") -> Iterator[None]:
        """Make ready, step by step, what was in use of an older generation: columns first, then the lists used last."""
        kept = [parts for _, *parts in self.cache.keys_of(older.generation)]
        for kind, *rest in kept:
            if kind in _COLUMNS:
                getattr(self, _COLUMNS[kind])(*rest)
                yield
        for wanted, *_ in kept:
            if isinstance(wanted, TermKey):
                self.postings(wanted)
                yield

    def terms_with(self, group: int, prefix: str, checkpoint: Callable[[], None] | None = None) -> dict[str, int]:
        """Every term that begins with a prefix and in how many documents it is, as in `vocabulary`.

        `checkpoint` is called between segments and may raise to stop.
        """
        return self._dfs(group, prefix.encode("utf-8", "replace"), checkpoint)

    def documents_with(
        self, group: int, prefix: str, fields: int, checkpoint: Callable[[], None] | None = None
    ) -> NDArray[np.uint8]:
        """1 at the slots of the documents that have a term which begins with a prefix in fields of a group (bits)."""
        marked, wanted = np.zeros(self.slots, dtype=np.uint8), prefix.encode("utf-8", "replace")
        for base, each in self._based():
            alive = _ALL_ALIVE if each.alive is None else each.alive
            each.segment.groups[group].mark(wanted, fields, alive, base, marked)
            if checkpoint is not None:
                checkpoint()
        return marked

    def vocabulary(self, group: int) -> dict[str, int]:
        """Every term of a group and in how many documents it is (documents deleted since the last merge included)."""
        return self._dfs(group, b"")

    def _dfs(self, group: int, prefix: bytes, checkpoint: Callable[[], None] | None = None) -> dict[str, int]:
        total: dict[bytes, int] = {}
        for each in self.segments:
            terms, dfs = each.segment.groups[group].terms(prefix)
            for term, df in zip(terms, dfs.tolist(), strict=True):
                total[term] = total.get(term, 0) + df
            if checkpoint is not None:
                checkpoint()
        return {term.decode("utf-8", "replace"): df for term, df in total.items()}


class FieldLengths(NamedTuple):
    """`words[field, slot]` is how many words a field has (1 where no document is), `averages[field]` on average."""

    words: NDArray[np.uint32]
    averages: NDArray[np.float64]

    @property
    def nbytes(self) -> int:
        """How much memory they take."""
        return self.words.nbytes + self.averages.nbytes


def _stretches(place: tuple[int, LiveSegment, TermInfo]) -> int:
    """How many marks a term gets in a segment."""
    return -(-place[2].df >> MARK_BITS)


class IndexReader:
    """Follows an index: `snapshot()` is the newest generation. Segments that stay are opened once.

    What was decoded for older generations is let go when a newer one is opened; with `keeps_older` by `forget_older`,
    so that searches in the older one are as fast as before until then.
    """

    def __init__(self, folder: Path, *, cache_bytes: int = DEFAULT_CACHE_BYTES) -> None:
        self.folder = folder
        self._cache = ByteCache(cache_bytes)
        self._current: Snapshot | None = None

    def snapshot(self, *, keeps_older: bool = False) -> Snapshot:
        """The current generation; raises an IndexFaultError when it cannot be used."""
        for attempt in range(_OPEN_TRIES):
            manifest = read_manifest(self.folder)
            current = self._current
            if current is not None and current.generation == manifest.generation:
                return current
            try:
                self._current = Snapshot(manifest, self._open(manifest, current), self._cache)
            except FileNotFoundError:  # a newer generation has replaced it meanwhile
                if attempt == _OPEN_TRIES - 1:
                    raise
                continue
            if not keeps_older:
                self.forget_older()
            return self._current
        raise AssertionError("unreachable")

    def forget_older(self) -> None:
        """Let go of what belongs to generations before the current one."""
        if self._current is not None:
            self._cache.forget_before(self._current.generation)

    def _open(self, manifest: Manifest, current: Snapshot | None) -> list[LiveSegment]:
        known = {each.entry: each for each in current.segments} if current else {}
        return [
            known.get(entry) or LiveSegment.open(self.folder, entry, manifest.schema) for entry in manifest.segments
        ]


def open_snapshot(folder: Path) -> Snapshot:
    """The current generation of the index in a folder."""
    return IndexReader(folder).snapshot()
