"""Posting lists as queries read them: one per term over all segments, with impacts, cut into ranges."""

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable, Sequence
from typing import Any, Final, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

DEFAULT_CACHE_BYTES: Final = 512 << 20
_NO_MARKS: Final = np.empty((0, 4), dtype=np.int64)


class PostingList:
    """The live documents of a term (or of anything like one), ascending, with their impacts.

    Document i of range r has slot `r * RANGE_DOCS + docs[i]`; range r is `docs[pointers[r]:pointers[r + 1]]`.
    """

    __slots__ = (
        "__weakref__",
        "addresses",
        "best",
        "docs",
        "impacts",
        "marks",
        "marks_address",
        "maxima",
        "offsets",
        "places",
        "pointers",
        "positions",
        "scale",
        "source",
    )

    def __init__(
        self,
        docs: NDArray[np.uint16],
        impacts: NDArray[np.float32],
        pointers: NDArray[np.uint32],
        maxima: NDArray[np.float32],
        scale: float = 1.0,
    ) -> None:
        self.docs = docs
        self.impacts = impacts
        self.pointers = pointers
        self.maxima = maxima
        self.scale = scale
        """What a saturated frequency was multiplied with to be an impact."""
        self.best = float(maxima.max(initial=0.0))
        self.places: Sequence[Any] = ()
        """Where the list was decoded from, for its positions."""
        self.source: Any = None
        """What the list was made of, to be scored exactly: a term, a phrase, other lists; None when every impact is."""
        self.marks = _NO_MARKS
        self.marks_address = 0
        """Of a decoded list: slot, address, common field and number of postings of each stretch of postings."""
        self.offsets: NDArray[np.uint32] | None = None
        self.positions: NDArray[np.uint32] | None = None
        self.addresses = [array.ctypes.data for array in (docs, impacts, pointers, maxima)] + [0, 0]

    def __len__(self) -> int:
        return len(self.docs)

    def with_positions(self, offsets: NDArray[np.uint32], positions: NDArray[np.uint32]) -> None:
        """Give the list its positions: those of posting i are `positions[offsets[i]:offsets[i + 1]]`."""
        self.offsets, self.positions = offsets, positions
        self.addresses = [*self.addresses[:4], offsets.ctypes.data, positions.ctypes.data]

    def with_marks(self, source: Hashable, marks: NDArray[np.int64]) -> None:
        """Say which term the list was decoded for, and where stretches of its postings are."""
        self.source, self.marks, self.marks_address = source, marks, marks.ctypes.data

    @property
    def nbytes(self) -> int:
        """How much memory the list takes."""
        arrays = (self.docs, self.impacts, self.pointers, self.maxima, self.offsets, self.positions, self.marks)
        return 400 + sum(array.nbytes for array in arrays if array is not None)

    def slots(self, range_bits: int) -> NDArray[np.int64]:
        """The slots of all documents."""
        ends = self.pointers.astype(np.int64)
        lengths = ends[1:] - ends[:-1]
        bases = np.arange(len(lengths), dtype=np.int64) << range_bits
        return np.repeat(bases, lengths) + self.docs.astype(np.int64)


class _Sized(Protocol):
    @property
    def nbytes(self) -> int: ...


Item = TypeVar("Item", bound=_Sized)
Key = tuple[int, *tuple[Hashable, ...]]
"""The generation, then anything."""


class ByteCache:
    """The most recently used items that fit into so many bytes. Safe to share between threads."""

    def __init__(self, max_bytes: int = DEFAULT_CACHE_BYTES) -> None:
        self._max_bytes = max_bytes
        self._items: OrderedDict[Key, Any] = OrderedDict()
        self._sizes: dict[Key, int] = {}
        self._bytes = 0
        self._lock = threading.Lock()

    def get(self, key: Key, make: Callable[[], Item]) -> Item:
        """The item under a key, made when it is missing (perhaps twice when two threads ask at once)."""
        with self._lock:
            item: Item | None = self._items.get(key)
            if item is not None:
                self._items.move_to_end(key)
                return item
        item = make()
        self.put(key, item)
        return item

    def keys_of(self, generation: int) -> list[Key]:
        """What is kept of a generation, the last used first."""
        with self._lock:
            return [key for key in reversed(self._items) if key[0] == generation]

    def forget_before(self, generation: int) -> None:
        """Let go of what belongs to older generations: keys are tuples that begin with one."""
        with self._lock:
            for key in [key for key in self._items if key[0] < generation]:
                del self._items[key]
                self._bytes -= self._sizes.pop(key)

    def put(self, key: Key, item: _Sized) -> None:
        """Keep an item, and let go of those that were not used for longest."""
        size = item.nbytes
        with self._lock:
            self._bytes += size - self._sizes.get(key, 0)
            self._items[key], self._sizes[key] = item, size
            self._items.move_to_end(key)
            while self._bytes > self._max_bytes and len(self._items) > 1:
                old, _ = self._items.popitem(last=False)
                self._bytes -= self._sizes.pop(old)


def addresses_of(lists: Sequence[PostingList]) -> NDArray[np.int64]:
    """What the kernels take for a number of lists. The caller keeps the lists alive meanwhile."""
    return np.array([address for each in lists for address in each.addresses], dtype=np.int64)
