"""Suggestions as you type over millions of names: how long a build takes, and an answer."""

import random
import resource
import time
from collections.abc import Sequence

import numpy as np

from backend.search_engine.fuzzy import Suggester, read_dictionary
from tests.benchmarks._report import table
from tests.benchmarks._vocabulary import Vocabulary


def measure(words: Vocabulary, *, count: int, seed: int, questions: int = 2_000) -> dict[str, object]:
    """Build from the lines of a dictionary file, then type names letter by letter, every second one with an error."""
    lines = make_lines(words, count=count, seed=seed)
    started = time.process_time()
    suggester = Suggester.build(read_dictionary(lines))
    build_seconds = time.process_time() - started
    times = _type(suggester, [line.partition(",")[0] for line in lines[:: max(1, count // questions)]], seed)
    p50, p99 = np.percentile(times, [50, 99])
    return {
        "names": len(suggester),
        "names_build_seconds": build_seconds,
        "suggest_p50_ms": float(p50),
        "suggest_p99_ms": float(p99),
        "peak_memory_mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024,
    }


def make_lines(words: Vocabulary, *, count: int, seed: int) -> list[str]:
    """Lines `name, score, synonym`: names of one to three words, scores with a long tail, a synonym for every third."""
    source, known = random.Random(seed), list(words)
    lines = []
    for _ in range(count):
        name = " ".join(source.choices(known, k=source.choice((1, 2, 2, 3)))).title()
        synonym = f", {source.choice(known)}" if source.random() < 0.3 else ""
        lines.append(f"{name}, {source.paretovariate(0.8):.0f}{synonym}")
    return lines


def _type(suggester: Suggester, names: Sequence[str], seed: int) -> list[float]:
    source, times = random.Random(seed), []
    for number, name in enumerate(names):
        typed = name[: source.randint(1, len(name))].lower()
        if number % 2 and len(typed) > 3:
            at = source.randrange(len(typed) - 1)
            typed = typed[:at] + typed[at + 1] + typed[at] + typed[at + 2 :]
        started = time.thread_time_ns()
        suggester.suggest(typed)
        times.append((time.thread_time_ns() - started) / 1e6)
    return times


def lines(result: dict[str, object]) -> list[str]:
    """The table for the page; nothing when nothing was measured."""
    if not result:
        return []
    row = [
        f"{result['names']:,}",
        f"{result['names_build_seconds']:.0f}",
        f"{result['suggest_p50_ms']:.2f}",
        f"{result['suggest_p99_ms']:.2f}",
        f"{result['peak_memory_mb']:,}",
    ]
    header = [
        "names",
        "built in s of CPU (from the file's lines)",
        "suggest p50 ms",
        "suggest p99 ms",
        "peak memory MB",
    ]
    return ["", "Suggestions as you type, every second text with an error:", "", *table(header, [row])]
