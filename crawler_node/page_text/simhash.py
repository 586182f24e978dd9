"""A fingerprint of 64 bits that near-duplicates share almost whole (Charikar 2002; Manku, Jain, Das Sarma 2007)."""

import numpy as np
from numpy.typing import NDArray

SHINGLE_WORDS = 3
MAX_BYTES = 200_000
MAX_WORD_BYTES = 64
# Two texts whose fingerprints differ in no more bits than this are near-duplicates (Manku et al.).
NEAR_BITS = 3

Hashes = NDArray[np.uint64]

_WORD_BYTES = bytes(byte >= 0x80 or chr(byte).isalnum() for byte in range(256))
_BYTE_SUMS = 255
_MULTIPLIER = 0x9E3779B97F4A7C15
_POWERS = np.array([pow(_MULTIPLIER, exponent, 2**64) for exponent in range(1, MAX_WORD_BYTES + 1)], dtype=np.uint64)


def simhash(text: str) -> int:
    """The fingerprint of a text's runs of three words, case and ASCII punctuation aside; 0 for no words."""
    hashes = _word_hashes(text.lower().encode("utf-8", "replace")[:MAX_BYTES])
    if not len(hashes):
        return 0
    shingles = np.unique(_shingles(hashes))
    majority = _bit_counts(shingles) * 2 > len(shingles)
    return int.from_bytes(np.packbits(majority).tobytes(), "big")


def _bit_counts(numbers: Hashes) -> NDArray[np.int64]:
    """How many of the numbers have each bit, the highest first. Summed in bytes first, which is many at a time."""
    bits = np.unpackbits(numbers.astype(">u8").view(np.uint8)).reshape(-1, 64)
    whole = len(bits) - len(bits) % _BYTE_SUMS
    counts: NDArray[np.int64] = bits[whole:].sum(axis=0, dtype=np.int64)
    if whole:
        parts = np.add.reduce(bits[:whole].reshape(-1, _BYTE_SUMS, 64), axis=1, dtype=np.uint8)
        counts += parts.sum(axis=0, dtype=np.int64)
    return counts


def _word_hashes(data: bytes) -> Hashes:
    """A polynomial hash of each word, all at once; of longer words only the first 64 bytes tell."""
    is_word = np.frombuffer(data.translate(_WORD_BYTES), dtype=np.bool_)
    edges = np.flatnonzero(np.diff(is_word, prepend=False, append=False))
    lengths = np.minimum(edges[1::2] - edges[::2], MAX_WORD_BYTES).astype(np.uint8)
    order = np.argsort(~lengths, kind="stable")  # long words first, so that those with an n-th byte are a beginning
    starts = edges[::2][order]
    longer = np.cumsum(np.bincount(lengths, minlength=MAX_WORD_BYTES + 1)[::-1])[::-1]
    characters = np.frombuffer(data, dtype=np.uint8)
    sums = np.zeros(len(starts), dtype=np.uint64)
    for place in range(int(lengths.max(initial=0))):
        count = longer[place + 1]
        sums[:count] += characters[starts[:count] + place] * _POWERS[place]
    hashes = np.empty_like(sums)
    hashes[order] = sums
    return _mix(hashes)


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
