"""From 128-bit keys of pages to their numbers, exactly, at about 24 to 48 bytes a page."""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from backend.search_engine.compilation import kernel
from backend.search_engine.links.graph import Numbers
from backend.search_engine.signatures import I8, R_I4, R_U8, W_I4, W_U8

KEY_BYTES: Final = 16
_SMALLEST: Final = 1024


class KeyTable:
    """Numbers keys in the order in which they were first added. Open addressing; the keys are hashes already."""

    def __init__(self) -> None:
        self._words = np.zeros(2 * _SMALLEST, dtype=np.uint64)
        self._slots = np.full(2 * _SMALLEST, -1, dtype=np.int32)
        self._count = 0

    def __len__(self) -> int:
        return self._count

    def add(self, keys: bytes) -> Numbers:
        """The numbers of keys (end to end, 16 bytes each); those not met before get the next ones."""
        words = _words(keys)
        self._make_room(len(words) // 2)
        numbers = np.empty(len(words) // 2, dtype=np.int32)
        self._count = _add(words, self._words, self._slots, self._count, numbers)
        return numbers

    def find(self, keys: bytes) -> Numbers:
        """The numbers of keys (end to end); -1 for those not met before."""
        words = _words(keys)
        numbers = np.empty(len(words) // 2, dtype=np.int32)
        _find(words, self._words, self._slots, numbers)
        return numbers

    def key(self, number: int) -> bytes:
        """The key with a number."""
        if not 0 <= number < self._count:
            raise IndexError(f"There is no key {number}; there are {self._count:,}.")
        return self._words[2 * number : 2 * number + 2].tobytes()

    def _make_room(self, more: int) -> None:
        wanted = self._count + more
        if 2 * wanted <= len(self._words) and 2 * wanted <= len(self._slots):
            return
        size = 1 << (2 * wanted - 1).bit_length()
        words = np.zeros(size, dtype=np.uint64)
        words[: 2 * self._count] = self._words[: 2 * self._count]
        self._words = words
        self._slots = np.full(size, -1, dtype=np.int32)
        _refill(self._words, self._slots, self._count)


def _words(keys: bytes) -> NDArray[np.uint64]:
    if len(keys) % KEY_BYTES:
        raise ValueError("Keys have 16 bytes each.")
    return np.frombuffer(keys, dtype=np.uint64)


@kernel(I8(R_U8, I8, R_U8, R_I4))
def _slot_of(wanted, at, words, slots):  # type: ignore[no-untyped-def]
    """Where a key is, or where it would go."""
    mask = slots.size - 1
    slot = np.int64(wanted[at] & np.uint64(mask))
    while True:
        number = slots[slot]
        if number < 0 or (words[2 * number] == wanted[at] and words[2 * number + 1] == wanted[at + 1]):
            return slot
        slot = (slot + 1) & mask


@kernel(I8(R_U8, W_U8, W_I4, I8, W_I4))
def _add(wanted, words, slots, count, numbers):  # type: ignore[no-untyped-def]
    for i in range(numbers.size):
        slot = _slot_of(wanted, 2 * i, words, slots)
        if slots[slot] < 0:
            slots[slot] = count
            words[2 * count], words[2 * count + 1] = wanted[2 * i], wanted[2 * i + 1]
            count += 1
        numbers[i] = slots[slot]
    return count


@kernel((R_U8, R_U8, R_I4, W_I4))
def _find(wanted, words, slots, numbers):  # type: ignore[no-untyped-def]
    for i in range(numbers.size):
        numbers[i] = slots[_slot_of(wanted, 2 * i, words, slots)]


@kernel((R_U8, W_I4, I8))
def _refill(words, slots, count):  # type: ignore[no-untyped-def]
    for number in range(count):
        slots[_slot_of(words, 2 * number, words, slots)] = number
