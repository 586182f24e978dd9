"""A fingerprint of 64 bits that near-duplicates share almost whole (Charikar 2002; Manku, Jain, Das Sarma 2007)."""

import re

import numpy as np
import xxhash

SHINGLE_WORDS = 3
MAX_WORDS = 20_000
# Two texts whose fingerprints differ in no more bits than this are near-duplicates (Manku et al.).
NEAR_BITS = 3

_WORD = re.compile(r"\w+")
_MIX = np.uint64(0x9E3779B97F4A7C15)
_FINAL = np.uint64(0xFF51AFD7ED558CCD)


def simhash(text: str) -> int:
    """The fingerprint of a text's runs of three words, case and punctuation aside; 0 for no words."""
    words = _WORD.findall(text.lower())[:MAX_WORDS]
    if not words:
        return 0
    hashes = np.fromiter((xxhash.xxh3_64_intdigest(word.encode()) for word in words), dtype=np.uint64, count=len(words))
    shingles = np.unique(_shingles(hashes))
    bits = np.unpackbits(shingles.astype(">u8").view(np.uint8).reshape(-1, 8), axis=1)
    majority = bits.sum(axis=0, dtype=np.int64) * 2 > len(shingles)
    return int.from_bytes(np.packbits(majority).tobytes(), "big")


def _shingles(hashes: "np.ndarray[tuple[int], np.dtype[np.uint64]]") -> "np.ndarray[tuple[int], np.dtype[np.uint64]]":
    size = min(SHINGLE_WORDS, len(hashes))
    mixed = hashes[: len(hashes) - size + 1].copy()
    for offset in range(1, size):
        mixed = (mixed ^ (mixed >> np.uint64(29))) * _MIX + hashes[offset : len(hashes) - size + 1 + offset]
    mixed = (mixed ^ (mixed >> np.uint64(33))) * _FINAL
    return mixed ^ (mixed >> np.uint64(33))


def distance(first: int, second: int) -> int:
    """In how many of their 64 bits two fingerprints differ."""
    return (first ^ second).bit_count()


def are_near(first: int, second: int) -> bool:
    """Whether two texts with these fingerprints are near-duplicates."""
    return distance(first, second) <= NEAR_BITS
