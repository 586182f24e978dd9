"""The numbers of written forms: a compiled table in which threads look up while one of them adds."""

import threading
from itertools import pairwise
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from backend.search_engine.index.intern import cut_texts, fill_table, intern
from backend.search_engine.text.characters import character_classes

_FIRST_ROOM: Final = 1 << 16
_FIRST_PIECE: Final = 1 << 14
_LARGEST_PIECE: Final = 1 << 20
"""Tokens between two times of adding: few while nearly all forms are new, many when nearly all are known."""


class Tokens(NamedTuple):
    """The tokens of some texts, in order."""

    forms: NDArray[np.int32]
    positions: NDArray[np.int32]
    """A compound's position is `-position - 1`."""
    text_ends: NDArray[np.int64]
    """Per text where its tokens end."""


class _Arrays(NamedTuple):
    """The table as the kernels know it. Larger ones replace it as a whole, so that all fit each other at any time."""

    table: NDArray[np.uint64]
    keys: NDArray[np.uint64]
    """Zeros where nothing was entered: another thread must never take what was in memory for a key."""
    arena: NDArray[np.uint8]
    ends: NDArray[np.int64]
    kinds: NDArray[np.uint8]
    counts: NDArray[np.int64]

    @classmethod
    def empty(cls, room: int, room_bytes: int) -> "_Arrays":
        table = np.zeros(2 * room, dtype=np.uint64)  # at most half full
        keys, arena = np.zeros(2 * room, dtype=np.uint64), np.empty(room_bytes, dtype=np.uint8)
        ends, kinds = np.zeros(room + 1, dtype=np.int64), np.empty(room, dtype=np.uint8)
        return cls(table, keys, arena, ends, kinds, np.zeros(1, dtype=np.int64))

    def has_room(self, forms: int, form_bytes: int) -> bool:
        count = self.counts[0]
        return bool(count + forms <= len(self.kinds) and self.ends[count] + form_bytes <= len(self.arena))

    def grown(self, forms: int, form_bytes: int) -> "_Arrays":
        """The same table with room for so many more forms."""
        count = int(self.counts[0])
        used = int(self.ends[count])
        room, room_bytes = 2 * len(self.kinds), 2 * len(self.arena)
        while room < count + forms:
            room *= 2
        larger = _Arrays.empty(room, max(room_bytes, used + form_bytes))
        larger.keys[: 2 * count] = self.keys[: 2 * count]
        larger.arena[:used] = self.arena[:used]
        larger.ends[: count + 1], larger.kinds[:count] = self.ends[: count + 1], self.kinds[:count]
        larger.counts[0] = count
        fill_table(larger.keys, count, larger.table)
        return larger


class FormTable:
    """Numbers written forms in the order they are met. Threads may share it."""

    def __init__(self) -> None:
        self._arrays = _Arrays.empty(_FIRST_ROOM, 24 * _FIRST_ROOM)
        self._adding = threading.Lock()
        self._piece = _FIRST_PIECE
        self._count = 0

    def __len__(self) -> int:
        """How many forms are entered whole; a thread that adds right now is not counted yet."""
        return self._count

    def forms(self, first: int, last: int) -> tuple[list[str], list[int]]:
        """The forms with these numbers, and of which kind each was when it was met first."""
        arrays = self._arrays
        ends = arrays.ends[first : last + 1]
        written = arrays.arena[int(ends[0]) : int(ends[-1])].tobytes()
        return _split(written, (ends - ends[0]).tolist()), arrays.kinds[first:last].tolist()

    def tokens(self, texts: list[bytes]) -> Tokens:
        """The tokens of the texts, with forms met for the first time numbered now."""
        data, bounds, longest = _joined(texts)
        text_ends = np.zeros(len(texts), dtype=np.int64)
        forms, positions = [np.empty(0, dtype=np.int32)], [np.empty(0, dtype=np.int32)]
        text = before = 0
        while text < len(texts):
            room = max(self._piece, 2 * longest + 2)
            starts, ends, places = (np.empty(room, dtype=np.int32) for _ in range(3))
            kinds, first = np.empty(room, dtype=np.uint8), text
            text, count = cut_texts(data, bounds, character_classes(), text, starts, ends, places, kinds, text_ends)
            text_ends[first:text] += before
            forms.append(self._numbers(data, starts[:count], ends[:count], kinds[:count]))
            positions.append(places[:count])
            before += count
        return Tokens(np.concatenate(forms), np.concatenate(positions), text_ends)

    def _numbers(
        self, data: NDArray[np.uint8], starts: NDArray[np.int32], ends: NDArray[np.int32], kinds: NDArray[np.uint8]
    ) -> NDArray[np.int32]:
        """Of each token's form: looked up first, and what was not found is added while no other thread adds."""
        numbers = np.full(len(starts), -1, dtype=np.int32)
        missing, missing_bytes = intern(data, starts, ends, kinds, *self._arrays, False, numbers)
        if missing:
            with self._adding:
                if not self._arrays.has_room(missing, missing_bytes):
                    self._arrays = self._arrays.grown(missing, missing_bytes)
                intern(data, starts, ends, kinds, *self._arrays, True, numbers)
                self._count = int(self._arrays.counts[0])
                self._piece = min(2 * self._piece, _LARGEST_PIECE)
        return numbers


def _split(written: bytes, ends: list[int]) -> list[str]:
    if written.isascii():
        text = written.decode()
        return [text[a:b] for a, b in pairwise(ends)]
    return [written[a:b].decode("utf-8", "replace") for a, b in pairwise(ends)]


def _joined(texts: list[bytes]) -> tuple[NDArray[np.uint8], NDArray[np.int64], int]:
    sizes = np.fromiter(map(len, texts), dtype=np.int64, count=len(texts))
    bounds = np.zeros(len(texts) + 1, dtype=np.int64)
    np.cumsum(sizes, out=bounds[1:])
    data = np.frombuffer(b"".join(texts) or b"\0", dtype=np.uint8)
    return data, bounds, int(sizes.max(initial=0))
