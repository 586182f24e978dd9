"""A fingerprint of 64 bits that near-duplicates share almost whole (Charikar 2002; Manku, Jain, Das Sarma 2007)."""

import numpy as np
from numpy.typing import NDArray

SHINGLE_WORDS = 3
MAX_BYTES = 200_000
MAX_WORD_BYTES = 64
# Two texts whose fingerprints differ in no more bits than this are near-duplicates (Manku et al.).
NEAR_BITS = 3

Hashes = NDArray[np.uint64]

_IS_WORD = np.array([byte >= 0x80 or chr(byte).isalnum() for byte in range(256)])
_MULTIPLIER = 0x9E3779B97F4A7C15
_POWERS = np.array([pow(_MULTIPLIER, exponent, 2**64) for exponent in range(1, MAX_WORD_BYTES + 1)], dtype=np.uint64)


def simhash(text: str) -> int:
    """The fingerprint of a text's runs of three words, case and ASCII punctuation aside; 0 for no words."""
    hashes = _word_hashes(text.lower().encode("utf-8", "replace")[:MAX_BYTES])
    if not len(hashes):
        return 0
    shingles = np.unique(_shingles(hashes))
    bits = np.unpackbits(shingles.astype(">u8").view(np.uint8).reshape(-1, 8), axis=1)
    majority = bits.sum(axis=0, dtype=np.int64) * 2 > len(shingles)
    return int.from_bytes(np.packbits(majority).tobytes(), "big")


def _word_hashes(data: bytes) -> Hashes:
    """A polynomial hash of each word, all at once; of longer words only the first 64 bytes tell."""
    characters = np.frombuffer(data, dtype=np.uint8)
    is_word = _IS_WORD[characters]
    before = np.concatenate(([False], is_word[:-1]))
    starts = np.flatnonzero(is_word & ~before)
    if not len(starts):
        return np.empty(0, dtype=np.uint64)
    places = np.arange(len(characters)) - starts[np.cumsum(is_word & ~before) - 1]
    is_counted = is_word & (places < MAX_WORD_BYTES)
    weighted = np.where(is_counted, characters.astype(np.uint64) * _POWERS[places.clip(0, MAX_WORD_BYTES - 1)], 0)
    return _mix(np.add.reduceat(weighted, starts))


def _shingles(hashes: Hashes) -> Hashes:
    size = min(SHINGLE_WORDS, len(hashes))
    last = len(hashes) - size + 1
    shingles = hashes[:last]
    for offset in range(1, size):
        shingles = _mix(shingles + hashes[offset : last + offset])
    return shingles


def _mix(hashes: Hashes) -> Hashes:
    """Every bit in depends on every bit out (the finaliser of MurmurHash3)."""
    hashes = (hashes ^ (hashes >> np.uint64(33))) * np.uint64(0xFF51AFD7ED558CCD)
    hashes = (hashes ^ (hashes >> np.uint64(33))) * np.uint64(0xC4CEB9FE1A85EC53)
    return hashes ^ (hashes >> np.uint64(33))


def distance(first: int, second: int) -> int:
    """In how many of their 64 bits two fingerprints differ."""
    return (first ^ second).bit_count()


def are_near(first: int, second: int) -> bool:
    """Whether two texts with these fingerprints are near-duplicates."""
    return distance(first, second) <= NEAR_BITS
