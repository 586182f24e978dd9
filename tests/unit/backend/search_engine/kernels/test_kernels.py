"""Kernels against numpy, on lists of all densities, with and without filters, for any number of results."""

import numpy as np
import pytest
from numpy.typing import NDArray

from backend.search_engine.index.decode import RANGE_BITS, RANGE_DOCS
from backend.search_engine.index.postings import PostingList, addresses_of
from backend.search_engine.kernels.intersection import top_intersection
from backend.search_engine.kernels.union import count_union, top_union

RANGES = 5
SLOTS = RANGES * RANGE_DOCS
NO_MASK = np.empty(0, dtype=np.uint8)


def make_list(rng: np.random.Generator, density: float, *, levels: int = 0) -> tuple[PostingList, NDArray[np.float64]]:
    """A list and the same impacts by slot; `levels` > 0 makes many equal impacts."""
    slots = np.flatnonzero(rng.random(SLOTS) < density)
    slots = slots[(slots >> RANGE_BITS) != rng.integers(RANGES)]  # one range has none
    values = rng.random(len(slots)) * 5 + 0.01
    if levels:
        values = np.ceil(values * levels) / levels
    impacts = values.astype(np.float32)
    pointers = np.searchsorted(slots, np.arange(RANGES + 1) << RANGE_BITS).astype(np.uint32)
    maxima = np.zeros(RANGES, dtype=np.float32)
    np.maximum.at(maxima, slots >> RANGE_BITS, impacts)
    dense = np.zeros(SLOTS)
    dense[slots] = impacts
    return PostingList((slots & (RANGE_DOCS - 1)).astype(np.uint16), impacts, pointers, maxima), dense


def best(scores: NDArray[np.float64], wanted: int) -> list[tuple[int, float]]:
    slots = np.flatnonzero(scores > 0)
    order = np.lexsort((slots, -scores[slots]))[:wanted]
    return [(int(slots[i]), float(scores[slots[i]])) for i in order]


CASES = [
    (densities, wanted, levels, masked)
    for densities in ((0.3,), (0.001, 0.4), (0.0005, 0.05, 0.9), (0.9, 0.9), (0.01, 0.02, 0.3, 0.6), (0.0, 0.2))
    for wanted in (1, 10, 500)
    for levels in (0, 3)
    for masked in (False, True)
]


@pytest.mark.parametrize(("densities", "wanted", "levels", "masked"), CASES)
def test_tops_agree_with_numpy(densities: tuple[float, ...], wanted: int, levels: int, masked: bool) -> None:
    rng = np.random.default_rng(hash((densities, wanted, levels, masked)) & 0xFFFF)
    made = [make_list(rng, density, levels=levels) for density in densities]
    lists = [each for each, _ in made]
    weights = rng.integers(1, 4, len(lists)).astype(np.float64)
    mask = (rng.random(SLOTS) < 0.4).astype(np.uint8) if masked else NO_MASK
    allowed = mask if masked else 1
    any_of = sum(weight * dense for weight, (_, dense) in zip(weights, made, strict=True)) * allowed
    has_all = np.all([dense > 0 for _, dense in made], axis=0)
    scores, slots = np.empty(wanted), np.empty(wanted, dtype=np.int64)
    order = np.argsort(weights * [each.best for each in lists])

    size = top_union(addresses_of(lists), weights, order, RANGES, mask, scores, slots)
    assert list(zip(slots[:size].tolist(), scores[:size].tolist(), strict=True)) == best(any_of, wanted)
    assert count_union(addresses_of(lists), len(lists), RANGES, mask) == np.count_nonzero(any_of)

    size = top_intersection(addresses_of(lists), weights, RANGES, mask, 0, scores, slots)
    assert list(zip(slots[:size].tolist(), scores[:size].tolist(), strict=True)) == best(any_of * has_all, wanted)
    total = top_intersection(addresses_of(lists), weights, RANGES, mask, 1, scores, slots)
    assert total == np.count_nonzero(any_of * has_all)
