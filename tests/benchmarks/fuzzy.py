"""Typing errors against 600,000 words, beside symspellpy, rapidfuzz and tantivy; suggestions over millions of names.

What is measured: people's misspellings of known words, each not itself a known word. Recall@5 counts those within the
tolerance of their length (1 error up to 7 letters, 2 from 8 on) whose right word is among the first five; "always 2"
asks for two errors whatever the length. Times are thread CPU per question, the engines
asked in turn. The last line is JSON.
"""

import argparse
import json
import os
import random
import re
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import numpy as np
from rapidfuzz import process
from rapidfuzz.distance import OSA

from backend.search_engine.compilation import load_kernels
from backend.search_engine.fuzzy import FuzzyIndex, tolerance
from backend.search_engine.fuzzy.kernels import DOUBLING, EXACT, FIRST_LETTER, PER_ERROR
from tests.benchmarks import _names as names
from tests.benchmarks._report import replace_section, table
from tests.benchmarks._vocabulary import Vocabulary, load_vocabulary, read_vocabulary

ROOT = Path(__file__).parents[2]
LIMIT = 5
Finder = Callable[[str], Sequence[str]]
Pair = tuple[str, str]


def main() -> None:
    options = _options()
    load_kernels("backend.search_engine.fuzzy")
    words = (
        read_vocabulary(options.vocabulary) if options.vocabulary else load_vocabulary(options.folder, options.words)
    )
    index, build_seconds = _build(words)
    pairs = _sample(read_errors(options.errors, words), options.questions, options.seed)
    finders = _finders(index, words, peers=options.peers)
    rows = measure(finders, pairs)
    agreement = count_agreeing(index, words, [wrong for wrong, _ in pairs[: options.brute_force]])
    suggestions = names.measure(words, count=options.names, seed=options.seed) if options.names else {}
    lines = _lines(rows, words=len(words), questions=len(pairs), agreement=agreement, build_seconds=build_seconds)
    lines += names.lines(suggestions)
    print("\n".join(lines))
    if options.write_docs:
        replace_section(ROOT / "docs" / "benchmarks.md", "Fuzzy", lines)
    print(json.dumps(_summary(rows, agreement, build_seconds) | suggestions))


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.fuzzy", description=__doc__)
    errors = os.environ.get("GLEANER_SPELLING_ERRORS", ROOT.parent / "shared" / "data" / "spelling-errors.txt")
    parser.add_argument("--errors", type=Path, default=errors, help="lines of `right: wrong, wrong*3, …`")
    parser.add_argument("--vocabulary", type=Path, help="lines of `word<TAB>frequency`, instead of Debian's words")
    parser.add_argument(
        "--folder", type=Path, default=ROOT / "var" / "benchmarks", help="where Debian's words are kept"
    )
    parser.add_argument("--words", type=int, default=600_000, help="size of the vocabulary")
    parser.add_argument("--questions", type=int, default=3_000, help="misspellings asked")
    parser.add_argument("--brute-force", type=int, default=1_000, help="questions compared with brute force")
    parser.add_argument("--names", type=int, default=0, help="also measure suggestions over so many names")
    parser.add_argument("--no-peers", dest="peers", action="store_false", help="measure Gleaner alone")
    parser.add_argument("--write-docs", action="store_true", help="replace the section Fuzzy of docs/benchmarks.md")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    for given in filter(None, (options.errors, options.vocabulary)):
        if not Path(given).exists():
            parser.error(f"there is no file {given}; name another with --errors or --vocabulary")
    return options


def _build(words: Vocabulary) -> tuple[FuzzyIndex, float]:
    started = time.process_time()
    index = FuzzyIndex.build(words.items())
    return index, time.process_time() - started


def read_errors(path: Path, words: Vocabulary) -> list[Pair]:
    """Distinct (wrong, right) pairs, right known and wrong unknown, at most two errors apart."""
    pairs: set[Pair] = set()
    for line in path.read_text(encoding="utf-8").splitlines():
        right, _, wrongs = line.lower().partition(": ")
        if right in words:
            pairs.update((re.sub(r"\*\d+$", "", wrong), right) for wrong in wrongs.split(", "))
    return sorted(
        (wrong, right)
        for wrong, right in pairs
        if wrong not in words and "_" not in wrong and OSA.distance(wrong, right, score_cutoff=2) <= 2
    )


def _sample(pairs: list[Pair], count: int, seed: int) -> list[Pair]:
    return random.Random(seed).sample(pairs, min(count, len(pairs)))


def _finders(index: FuzzyIndex, words: Vocabulary, *, peers: bool) -> dict[str, Finder]:
    finders: dict[str, Finder] = {
        "Gleaner": lambda word: [match.word for match in index.find(word, limit=LIMIT)],
        "Gleaner, always 2": lambda word: [match.word for match in index.find(word, distance=2, limit=LIMIT)],
    }
    for name, make in (("symspellpy", symspell), ("tantivy", tantivy_terms)) if peers else ():
        try:
            finders[name] = make(words)
        except ImportError:
            print(f"{name} is not installed (tests/benchmarks/requirements.txt); left out")
    return finders


def symspell(words: Vocabulary) -> Finder:
    """symspellpy with its own ranking: distance, then frequency."""
    from symspellpy import SymSpell, Verbosity

    engine = SymSpell(max_dictionary_edit_distance=2, prefix_length=7)
    for word, count in words.items():
        engine.create_dictionary_entry(word, count)
    return lambda word: [found.term for found in engine.lookup(word, Verbosity.ALL, max_edit_distance=2)[:LIMIT]]


def tantivy_terms(words: Vocabulary) -> Finder:
    """tantivy's fuzzy term query over one document per word, ordered by the word's frequency."""
    import tantivy

    builder = tantivy.SchemaBuilder()
    builder.add_text_field("word", stored=True, tokenizer_name="raw")
    builder.add_integer_field("frequency", fast=True)
    schema = builder.build()
    index = tantivy.Index(schema)
    writer = index.writer(200_000_000)
    for word, count in words.items():
        writer.add_document(tantivy.Document(word=[word], frequency=count))
    writer.commit()
    index.reload()
    searcher = index.searcher()

    def find(word: str) -> list[str]:
        query = tantivy.Query.fuzzy_term_query(schema, "word", word, distance=2, transposition_cost_one=True)
        hits = searcher.search(query, LIMIT, order_by_field="frequency").hits
        return [searcher.doc(address)["word"][0] for _, address in hits]

    return find


def measure(finders: Mapping[str, Finder], pairs: Sequence[Pair]) -> list[dict[str, object]]:
    """Ask every engine every question in turn: recall over what the tolerance allows and over everything, and CPU."""
    for wrong, _ in pairs[:20]:
        for find in finders.values():
            find(wrong)
    times: dict[str, list[float]] = {name: [] for name in finders}
    hits: dict[str, list[bool]] = {name: [] for name in finders}
    for wrong, right in pairs:
        for name, find in finders.items():
            started = time.thread_time_ns()
            found = find(wrong)
            times[name].append((time.thread_time_ns() - started) / 1e6)
            hits[name].append(right in found)
    within = np.array([OSA.distance(wrong, right) <= tolerance(wrong) for wrong, right in pairs])
    return [_row(name, times[name], np.array(hits[name]), within) for name in finders]


def _row(name: str, times: Sequence[float], hits: np.ndarray, within: np.ndarray) -> dict[str, object]:
    p50, p99 = np.percentile(times, [50, 99])
    return {
        "engine": name,
        "recall": float(hits[within].mean()),
        "recall_all": float(hits.mean()),
        "p50": float(p50),
        "p99": float(p99),
        "tolerated": int(within.sum()),
    }


def count_agreeing(index: FuzzyIndex, words: Vocabulary, asked: Sequence[str]) -> dict[str, object]:
    """How many questions have exactly the answer that comparing with every word gives (rapidfuzz, the same ranking)."""
    known = list(words)
    weights = np.rint(DOUBLING * np.log2(1.0 + np.array([words[word] for word in known]))).astype(np.int64)
    agreeing, spent = 0, 0.0
    for word in asked:
        started = time.thread_time()
        distances = process.cdist([word], known, scorer=OSA.distance, score_cutoff=2, dtype=np.uint8)[0]
        spent += time.thread_time() - started
        best = _rank(word, known, distances, weights, words)
        agreeing += best == [tuple(match) for match in index.find(word, distance=2, limit=LIMIT)]
    return {"asked": len(asked), "agreeing": agreeing, "mean_ms": 1000 * spent / max(1, len(asked))}


def _rank(
    word: str, known: list[str], distances: np.ndarray, weights: np.ndarray, words: Vocabulary
) -> list[tuple[str, int, int]]:
    near = []
    for number in np.flatnonzero(distances <= 2).tolist():
        other, errors = known[number], int(distances[number])
        lost = errors * PER_ERROR + FIRST_LETTER * (other[0] != word[0]) if errors else -EXACT
        near.append((lost - int(weights[number]), len(other), -words[other], other, errors))
    return [(other, errors, -rarity) for _, _, rarity, other, errors in sorted(near)[:LIMIT]]


def _lines(
    rows: list[dict[str, object]], *, words: int, questions: int, agreement: dict[str, object], build_seconds: float
) -> list[str]:
    header = ["engine", "recall@5", "recall@5, all ≤ 2", "p50 ms", "p99 ms"]
    cells = [
        [row["engine"], f"{row['recall']:.3f}", f"{row['recall_all']:.3f}", f"{row['p50']:.2f}", f"{row['p99']:.2f}"]
        for row in rows
    ]
    cells.append(["rapidfuzz, every word", "", "", f"{agreement['mean_ms']:.0f} (mean)", ""])
    return [
        f"{words:,} words, {questions:,} misspellings of which {rows[0]['tolerated']:,} are within the tolerance of",
        "their length; thread CPU per question. `python -m tests.benchmarks.fuzzy --write-docs` made this.",
        "",
        *table(header, cells),
        "",
        f"Built in {build_seconds:.1f} s of CPU. The same answer as comparing with every word on "
        f"{agreement['agreeing']:,} of {agreement['asked']:,} questions.",
    ]


def _summary(rows: list[dict[str, object]], agreement: dict[str, object], build_seconds: float) -> dict[str, object]:
    own, always = rows[0], rows[1]
    return {
        "recall_at_5": own["recall"],
        "p50_ms": own["p50"],
        "p99_ms": own["p99"],
        "agrees_with_brute_force": agreement["agreeing"] == agreement["asked"],
        "agreeing": agreement["agreeing"],
        "always_2": {"recall_at_5": always["recall_all"], "p50_ms": always["p50"], "p99_ms": always["p99"]},
        "build_seconds": build_seconds,
    }


if __name__ == "__main__":
    main()
