"""Text scores of a few documents in double precision, from term frequencies and lengths.

Impacts are single precision: they find the documents that can be among the best, and these scores order them.
"""

from collections.abc import Callable, Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from backend.search_engine.index.decode import SMALLEST_IMPACT
from backend.search_engine.index.postings import PostingList, addresses_of
from backend.search_engine.index.snapshot import Snapshot, TermKey
from backend.search_engine.kernels.frequencies import read_frequencies, rescore, weigh
from backend.search_engine.kernels.phrase import phrase_frequencies
from backend.search_engine.ranking.formula import Interval
from backend.search_engine.search.any_term import AnyTerm
from backend.search_engine.search.lists import Clause, Combined, How, PhrasePlan, holds, phrase_lists, weights_of
from backend.search_engine.search.matcher import Mode, Plan

_ROUNDING: Final = 2.0**-24
"""What rounding to single precision changes at most, as a share of the number."""
_ROUNDINGS: Final = 80
"""Of an impact: one per field (32), four more, and two for each level of parentheses (20); see `decode_impacts`."""
_CHUNK: Final = 1 << 14
_MANY_LISTS: Final = 16
"""Of a plan of more lists fewer documents are scored at once: memory grows with both."""

Slots = NDArray[np.int64]
Values = NDArray[np.float64]


def exact_text(snapshot: Snapshot, plan: Plan, slots: Slots, *, checkpoint: Callable[[], None] | None = None) -> Values:
    """The text scores of documents that a plan matches. `checkpoint` is called now and then and may raise."""
    chunk = max(1, _CHUNK * _MANY_LISTS // max(_MANY_LISTS, _count_lists(plan.clauses)))
    if len(slots) <= chunk or checkpoint is None:
        return _exact_text(snapshot, plan, slots)
    parts = []
    for start in range(0, len(slots), chunk):
        parts.append(_exact_text(snapshot, plan, slots[start : start + chunk]))
        checkpoint()
    return np.concatenate(parts)


def _count_lists(clauses: Sequence[Clause]) -> int:
    sources = (clause.postings.source for clause in clauses)
    return sum(_count_lists(each.clauses) if isinstance(each, Combined) else 1 for each in sources)


def _exact_text(snapshot: Snapshot, plan: Plan, slots: Slots) -> Values:
    if plan.mode is Mode.PHRASE and plan.phrase is not None:
        return plan.clauses[0].weight * _phrase(snapshot, plan.phrase, slots)
    # Added in the order of the clauses, however many documents there are: a score does not depend on the page.
    total: Values = np.add.reduce(_values(snapshot, plan.clauses, slots), axis=0)
    return total


def impact_error(plan: Plan) -> float:
    """No score from impacts is further from the exact one, as a share of it, if no word's weight is 0.

    Kernels sum the impacts of so many clauses in single precision to see which documents are worth a better look.
    """
    return (_ROUNDINGS + len(plan.clauses)) * _ROUNDING


def bound_text(plan: Plan, rough: Values) -> Interval:
    """Between what the exact text scores of documents lie, given those from impacts."""
    if is_exact(plan):
        return Interval.point(rough)
    slack = impact_error(plan) * rough
    return Interval(rough - slack - _excess(plan.clauses), rough + slack)


def _excess(clauses: Sequence[Clause]) -> float:
    """How much impacts overstate at most: a word that counts nothing still says that a document matches."""
    total = 0.0
    for clause, weight in zip(clauses, weights_of(clauses), strict=True):
        source = clause.postings.source
        total += (weight - clause.weight) * clause.postings.best
        total += weight * _excess(source.clauses) if isinstance(source, Combined) else 0.0
    return total


def exact_top(snapshot: Snapshot, plan: Plan, slots: Slots, scores: Values) -> tuple[Slots, Values]:
    """The same documents with exact scores, best first. The arrays given may change."""
    key = plan.clauses[0].postings.source
    if plan.mode is Mode.PHRASE or not _is_of_terms(plan.clauses, key):
        scores = exact_text(snapshot, plan, slots)
        order = np.lexsort((slots, -scores))
        return slots[order], scores[order]
    sources, weights = _sources(plan.clauses)
    addresses = addresses_of([clause.postings for clause in plan.clauses])
    lengths = snapshot.field_lengths(key.group)
    boosts = np.array(key.boosts, dtype=np.float64)
    rescore(addresses, sources, snapshot.ranges, *lengths, boosts, key.bm25.b, key.bm25.k, weights, scores, slots)
    return slots, scores


def _is_of_terms(clauses: Sequence[Clause], key: object) -> bool:
    """Whether all lists are terms of one group, as the first is."""
    if not isinstance(key, TermKey):
        return False
    for clause in clauses:
        source = clause.postings.source
        if not isinstance(source, TermKey) or source.group != key.group:
            return False
    return True


def _sources(clauses: Sequence[Clause]) -> tuple[NDArray[np.int64], Values]:
    """What the kernels need of terms: marks and fields, and weights with idf."""
    parts, weights = [], []
    for postings, weight in clauses:
        parts += [postings.marks_address, len(postings.marks), postings.source.mask]
        weights.append(weight * postings.scale)
    return np.array(parts, dtype=np.int64), np.array(weights, dtype=np.float64)


def exact_impacts(snapshot: Snapshot, postings: PostingList, slots: Slots) -> Values:
    """What a list gives to documents; 0 for those that it does not have."""
    if isinstance(postings.source, TermKey):
        values: Values = _terms(snapshot, [Clause(postings, 1.0)], slots)[0]
        return values
    if isinstance(postings.source, PhrasePlan):
        return _phrase(snapshot, postings.source, slots)
    if isinstance(postings.source, Combined):
        return _combined(snapshot, postings, postings.source, slots)
    return np.where(holds(postings, slots), SMALLEST_IMPACT, 0.0)


def is_exact(plan: Plan) -> bool:
    """Whether a plan asks for no words: its scores are all the same."""
    return plan.mode is not Mode.PHRASE and all(each.postings.source is None for each in plan.clauses)


def _combined(snapshot: Snapshot, postings: PostingList, source: Combined, slots: Slots) -> Values:
    values = _values(snapshot, source.clauses, slots)
    together: Values = np.max(values, axis=0) if source.how is How.BEST else np.add.reduce(values, axis=0)
    return np.where(holds(postings, slots), together, 0.0) if source.how is How.EVERY else together


def _values(snapshot: Snapshot, clauses: Sequence[Clause], slots: Slots) -> Values:
    """`values[clause, document]`; the terms of a group are read at once."""
    values = np.zeros((len(clauses), len(slots)))
    by_group: dict[int, list[int]] = {}
    for i, clause in enumerate(clauses):
        source = clause.postings.source
        if isinstance(source, TermKey):
            by_group.setdefault(source.group, []).append(i)
        else:
            values[i] = clause.weight * exact_impacts(snapshot, clause.postings, slots)
    for numbers in by_group.values():
        if len(numbers) == len(clauses):
            return _terms(snapshot, clauses, slots)
        values[numbers] = _terms(snapshot, [clauses[i] for i in numbers], slots)
    return values


def _terms(snapshot: Snapshot, clauses: Sequence[Clause], slots: Slots) -> Values:
    """`values[clause, document]` for terms of one group under one ranking."""
    key: TermKey = clauses[0].postings.source
    sources, weights = _sources(clauses)
    frequencies = np.zeros((len(weights) * len(slots), len(key.boosts)), dtype=np.int32)
    addresses = addresses_of([clause.postings for clause in clauses])
    read_frequencies(addresses, sources, snapshot.ranges, slots, frequencies)
    return _weighed(snapshot, key, slots, frequencies, weights)


def _phrase(snapshot: Snapshot, plan: PhrasePlan, slots: Slots) -> Values:
    lists, _, shifts, scale = phrase_lists(snapshot, plan)
    frequencies = np.zeros((len(slots), len(plan.terms[0].boosts)), dtype=np.int32)
    phrase_frequencies(addresses_of(lists), shifts, plan.slop, snapshot.ranges, slots, frequencies)
    values: Values = _weighed(snapshot, plan.terms[0], slots, frequencies, np.array([scale]))[0]
    return values


def _weighed(
    snapshot: Snapshot, key: TermKey | AnyTerm, slots: Slots, frequencies: NDArray[np.int32], weights: Values
) -> Values:
    lengths = snapshot.field_lengths(key.group)
    values = np.empty((len(weights), len(slots)))
    boosts = np.array(key.boosts, dtype=np.float64)
    weigh(frequencies, slots, *lengths, boosts, key.bm25.b, key.bm25.k, weights, values)
    return values
