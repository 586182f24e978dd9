"""64-bit fingerprints of texts: the nearer two texts are, the fewer bits differ.

Shingles of three neighbouring terms, their hashes in 64 bins (Li, Owen & Zhang, "One permutation hashing", 2012), empty
bins filled from others (Shrivastava, "Optimal densification for fast and accurate minwise hashing", 2017), and of each
bin's smallest hash one bit (Li & König, "b-bit minwise hashing", 2010). Texts with a fraction J of their shingles in
common differ in about 32 · (1 − J) bits. Simhash is less steady: one word changed in 600 moves up to 6 of its bits.
"""

from collections.abc import Iterable
from functools import lru_cache
from typing import Final

import numpy as np
import xxhash
from numpy.typing import NDArray

from backend.search_engine.compilation import kernel
from backend.search_engine.signatures import R_U8, U8

SHINGLE_TERMS: Final = 3
NO_FINGERPRINT: Final = 0
"""The fingerprint of a text too short to be anybody's duplicate."""
_MIN_TERMS: Final = 8
_BINS: Final = 64
_EMPTY: Final = np.uint64(0xFFFFFFFFFFFFFFFF)
_MULTIPLIER: Final = np.uint64(0x9E3779B97F4A7C15)


def fingerprint(terms: Iterable[str]) -> int:
    """The fingerprint of a text's terms in their order; NO_FINGERPRINT for fewer than eight."""
    return fingerprint_hashes(hash_terms(terms))


def hash_terms(terms: Iterable[str]) -> NDArray[np.uint64]:
    """One hash per term, the same on every machine."""
    return np.fromiter(map(_hash, terms), dtype=np.uint64)


def fingerprint_hashes(hashes: NDArray[np.uint64]) -> int:
    """As `fingerprint`, from `hash_terms`."""
    return NO_FINGERPRINT if len(hashes) < _MIN_TERMS else int(_fingerprint(hashes)) or 1


@lru_cache(maxsize=200_000)
def _hash(term: str) -> int:
    return xxhash.xxh3_64_intdigest(term.encode("utf-8", "surrogatepass"))


@kernel(U8(U8, U8))
def _mix(left, right):  # type: ignore[no-untyped-def]
    mixed = (left ^ right) * _MULTIPLIER
    return mixed ^ mixed >> np.uint64(32)


@kernel(U8(R_U8))
def _fingerprint(hashes):  # type: ignore[no-untyped-def]
    smallest = np.full(_BINS, _EMPTY, dtype=np.uint64)
    for place in range(len(hashes) - SHINGLE_TERMS + 1):
        shingle = np.uint64(0)
        for at in range(place, place + SHINGLE_TERMS):
            shingle = _mix(shingle, hashes[at])
        shingle = _mix(shingle, np.uint64(1))
        chosen = shingle >> np.uint64(58)
        smallest[chosen] = min(smallest[chosen], shingle)
    bits = np.uint64(0)
    for own in range(_BINS):
        chosen, attempt = np.uint64(own), 0
        while smallest[chosen] == _EMPTY:
            attempt += 1
            chosen = _mix(np.uint64(own), np.uint64(attempt) * _MULTIPLIER) >> np.uint64(58)
        bits |= (_mix(smallest[chosen], np.uint64(own)) & np.uint64(1)) << np.uint64(own)
    return bits
