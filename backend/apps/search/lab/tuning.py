"""A small search for better settings, honest about what it proves: cross-validated, and warning of over-fitting.

Candidates do not depend on the judgements: one setting changed at a time, then random mixtures. Each is asked for all
queries once. Then the best on all folds but one is measured on the one left out, for every fold and several dealings;
the mean of those is what new queries may expect (Stone, “Cross-validatory choice and assessment of statistical
predictions”, 1974).
"""

import random
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from backend.apps.indexers import standard_fields as standard
from backend.apps.search.asking import engine_errors
from backend.apps.search.lab.evaluating import Judged, judged_queries, measure
from backend.apps.search.served import Served, tried_ranking
from backend.apps.search.wishes import TryOut, json_of_try_out
from backend.search_engine.search import Searcher
from wording import say_count

MAX_TRIALS: Final = 400
FOLDS: Final = 2
REPEATS: Final = 20
"""Halves, dealt out again and again. With more folds each chooses by nearly all queries, so more often the same lucky
setting: of 400 settings that are all noise, five folds missed the best one's luck in 5 to 12 of 100 trials (40 each
with 6, 12 and 30 queries, a gap of 0.05, ten dealings), three folds in 0 to 3, halves in none."""
FEW_QUERIES: Final = 10
TOO_FEW_QUERIES: Final = 5
OVER_FIT: Final = 0.03
"""A gap between the queries it chose by and those left out that is more than chance in small collections."""
BEST_SHOWN: Final = 10
K: Final = (0.4, 0.8, 1.2, 1.75, 2.5, 4.0)
B: Final = (0.0, 0.25, 0.5, 0.75, 1.0)
BOOSTS: Final = (0.25, 0.5, 1.0, 2.0, 4.0, 8.0)
WEIGHTS: Final = (0.0, 0.3, 1.0, 3.0)
WEIGHT_NAMES: Final = ("title", "phrase", "subsequence")
"""Tried always; `headings` where page text is searched, and `COLUMN_WEIGHTS` where documents differ in them."""
COLUMN_WEIGHTS: Final = {
    standard.PAGERANK: standard.PAGERANK,
    standard.HOST_RANK: standard.HOST_RANK,
    standard.QUALITY: standard.QUALITY,
    standard.HUB: standard.HUB,
    standard.AUTHORITY: standard.AUTHORITY,
    standard.FRESHNESS: standard.FETCHED,
}
"""Weights by the column that they need."""

Stop = Callable[[], bool]
Report = Callable[[float, int], None]
Scores = NDArray[np.float64]
Weights = Mapping[str, float]


@dataclass(frozen=True, slots=True)
class Outcome:
    """nDCG@10 of every candidate (rows, the stored settings first) on every query (columns)."""

    candidates: Sequence[TryOut]
    scores: Scores
    was_stopped: bool = False


def tune(served: Served, *, seconds: float, report: Report, stop: Stop) -> dict[str, Any]:
    """Search for so many seconds at most; the result as JSON. Raises Conflict when nothing is judged."""
    searcher = served.index.searcher
    judged = judged_queries(served.indexer, served, searcher)
    outcome = try_candidates(served, searcher, judged, seconds=seconds, report=report, stop=stop)
    return summarize(outcome)


def try_candidates(
    served: Served, searcher: Searcher, judged: Sequence[Judged], *, seconds: float, report: Report, stop: Stop
) -> Outcome:
    """Ask every query with every candidate until time is up."""
    began, rows, tried = time.monotonic(), [], []
    columns = [column.name for column in served.columns if column.is_searched]
    names, stored = weight_names(served, searcher), served.indexer.weights
    for number, candidate in enumerate(islice(candidates(columns, names, stored), MAX_TRIALS)):
        elapsed = time.monotonic() - began
        if number and (elapsed > seconds or stop()):
            break
        report(min(1.0, max(elapsed / seconds, number / MAX_TRIALS)), number)
        ranking = served.ranking if not candidate.is_on else tried_ranking(served, candidate)
        with engine_errors():
            rows.append([measure(served, searcher, each, ranking).ndcg_at_10 for each in judged])
        tried.append(candidate)
    return Outcome(tried, np.array(rows), was_stopped=stop())


def weight_names(served: Served, searcher: Searcher) -> list[str]:
    """The weights that can make a difference on this index."""
    columns = searcher.snapshot.schema
    names = [*WEIGHT_NAMES, *(["headings"] if served.searches_page_text else [])]
    weighed = {name: need for name, need in COLUMN_WEIGHTS.items() if served.has_hits or name not in standard.HITS}
    return names + [name for name, need in weighed.items() if need in columns and _differs(searcher, need)]


def _differs(searcher: Searcher, column: str) -> bool:
    values = searcher.snapshot.numbers(column)[searcher.snapshot.alive > 0]
    return len(np.unique(np.nan_to_num(values))) > 1


def candidates(
    columns: Sequence[str], names: Sequence[str] = WEIGHT_NAMES, stored: Weights | None = None, *, seed: int = 1
) -> Iterator[TryOut]:
    """The stored settings, each setting changed alone, then random mixtures without end."""
    stored = stored or {}
    yield TryOut()
    for k in K:
        yield TryOut(k=k)
    for b in B:
        yield TryOut(b=b)
    for name in columns:
        for boost in BOOSTS:
            yield TryOut(boosts=((name, boost),))
    for name in names:
        for weight in WEIGHTS:
            if weight != stored.get(name, 0.0):
                yield TryOut(weights=_weights({**stored, name: weight}))
    rng = random.Random(seed)  # noqa: S311 - the same candidates for everybody
    while True:
        yield _mixture(columns, names, stored, rng)


def _mixture(columns: Sequence[str], names: Sequence[str], stored: Weights, rng: random.Random) -> TryOut:
    mixed = TryOut(k=rng.choice(K), b=rng.choice(B), boosts=tuple((name, rng.choice(BOOSTS)) for name in columns))
    chosen = {name: weight for name in names if (weight := rng.choice(WEIGHTS))}
    if not chosen or rng.random() >= 0.5:
        return mixed
    others = {name: weight for name, weight in stored.items() if name not in names}
    return replace(mixed, weights=_weights({**others, **chosen}))


def _weights(weights: Weights) -> tuple[tuple[str, float], ...]:
    """All weights of a candidate: those that it does not name would count for nothing."""
    return tuple(weights.items())


def summarize(outcome: Outcome) -> dict[str, Any]:
    """The best settings, what to expect of them, and what to be careful about."""
    scores = outcome.scores
    means = scores.mean(axis=1)
    best = int(means.argmax())
    held_out = cross_validate(scores)
    return {
        "settings": json_of_try_out(outcome.candidates[best]),
        "is_stored_best": best == 0,
        "trials": len(outcome.candidates),
        "queries": scores.shape[1],
        "folds": fold_count(scores.shape[1]),
        "stored": float(means[0]),
        "train": float(means[best]),
        "held_out": held_out,
        "warnings": warnings(outcome, best, held_out),
        "best": [
            {"settings": json_of_try_out(outcome.candidates[i]), "ndcg_at_10": float(means[i])}
            for i in np.argsort(-means, kind="stable")[:BEST_SHOWN].tolist()
        ],
    }


def fold_count(queries: int) -> int:
    return min(FOLDS, queries)


def fold_numbers(queries: int, *, seed: int) -> NDArray[np.int64]:
    """Which fold each query is in, dealt out by chance."""
    order = np.random.default_rng(seed).permutation(queries)
    numbers = np.empty(queries, dtype=np.int64)
    numbers[order] = np.arange(queries) % fold_count(queries)
    return numbers


def cross_validate(scores: Scores) -> float:
    """The mean, over queries left out, of what was best on the others. A single query cannot be left out."""
    if scores.shape[1] == 1:
        return float(scores[0, 0])
    chosen = np.zeros(scores.shape[1])
    for repeat in range(REPEATS):
        folds = fold_numbers(scores.shape[1], seed=repeat)
        for fold in range(fold_count(scores.shape[1])):
            is_out = folds == fold
            best = int(scores[:, ~is_out].mean(axis=1).argmax())
            chosen[is_out] += scores[best][is_out] / REPEATS
    return float(chosen.mean())


def warnings(outcome: Outcome, best: int, held_out: float) -> list[str]:
    """Sentences about what the numbers do not prove."""
    stored = float(outcome.scores[0].mean())
    queries, train = outcome.scores.shape[1], float(outcome.scores[best].mean())
    told, only = [], f"Only {say_count(queries, 'judged query', 'judged queries')}"
    if queries < TOO_FEW_QUERIES:
        told.append(f"{only}: any choice by so few is chance. Judge at least {FEW_QUERIES}.")
    elif queries < FEW_QUERIES:
        told.append(f"{only}; judge at least {FEW_QUERIES} before you rely on this.")
    if train - held_out > OVER_FIT:
        told.append(
            f"Over-fitting: the best settings reach {train:.2f} on the queries they were chosen by, but only "
            f"{held_out:.2f} on queries left out. Judge more queries, or change less."
        )
    if best and held_out <= stored:
        told.append("On queries left out, the stored settings are as good or better. Keep them.")
    if outcome.was_stopped:
        told.append("It was stopped early; with more time there may be better ones.")
    return told
