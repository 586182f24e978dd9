"""Queries and formulas that nobody should write. Each must end in time, with an answer or with a sentence."""

import random
import time
from collections.abc import Iterator
from itertools import product
from typing import Final

from backend.search_engine.errors import DeadlineExceededError, SearchEngineError
from backend.search_engine.query import Joining, parse_query
from backend.search_engine.ranking import Bonuses, Ranking
from backend.search_engine.ranking.formula import parse_formula
from backend.search_engine.search import Searcher, SearchRequest

DEADLINE_SECONDS: Final = 2.0
_GRACE_SECONDS: Final = 0.5
"""A deadline is looked at between kernels, so a search may end so much later."""
_HANGS_SECONDS: Final = 60.0
_REQUEST: Final = SearchRequest(deadline_seconds=DEADLINE_SECONDS, count=True)
_RANKINGS: Final = (
    Ranking(),
    Ranking(bonuses=Bonuses({"title": 1.0}, whole=2.0, subsequence=3.0), columns={"n": 0.1}),
)
"""The index needs a field `title` and a column `n`."""
_PIECES: Final = (
    "word", "wordaa", '"', "(", ")", "AND", "OR", "NOT", "-", "*", "~", "~9", "^", "^1e9", ":", "title:", "n:", "n:1..",
    "..", "n:>", "tag:", "a*", "*a",
    "\\", "'", "\x00", "\ud800", "東京", "é", "\u202e", "😀", "n:1e309..", "+", "&&", "||",
    "/", "%", "{", "}", "[1 TO 2]", "NaN", "-1", "\n", "\t", "w*", "wordaa~2", "#", "title:(", "\u0301" * 50,
)  # fmt: skip
_FORMULA_PIECES: Final = (
    "text", "n", "1", "0", "1e308", "-", "+", "*", "/", "^", "(", ")", "log(", "sqrt(", "exp(", "if(", "min(", "max(",
    "clamp(", ",", "__import__", "os", ".", "'", '"', "lambda", "[", "]", "9" * 300, "nan", "inf", "abs(", "e", "\x00",
)  # fmt: skip


class _Stopwatch:
    """How long something takes, by the clock and of this thread's CPU."""

    def __init__(self) -> None:
        self._clock, self._cpu = time.monotonic(), time.thread_time()

    def is_late(self, deadline_seconds: float) -> bool:
        """Whether the deadline was overrun by more than the grace, as it would be on an idle machine.

        A busy machine lets a thread wait: the overrun counts in proportion to the CPU time that the thread was given.
        """
        wall, cpu = time.monotonic() - self._clock, time.thread_time() - self._cpu
        return (wall - deadline_seconds) * min(1.0, cpu / wall) > _GRACE_SECONDS or wall > _HANGS_SECONDS

    def __str__(self) -> str:
        return f"{time.monotonic() - self._clock:.1f} s ({time.thread_time() - self._cpu:.1f} s of CPU)"


def hostile_queries(count: int, seed: int = 0) -> Iterator[str]:
    """So many queries: soup of operators, deep nesting, endless words, many prefixes."""
    rng = random.Random(seed)
    for number in range(count):
        match number % 10:
            case 0:
                yield "(" * rng.randint(1, 3000) + "wordaa"
            case 1:
                yield " OR ".join(f"{chr(97 + rng.randrange(26))}*" for _ in range(rng.randint(1, 200)))
            case 2:
                yield "x" * rng.randint(1, 100_000)
            case 3:
                yield " ".join(f"w{rng.random()}" for _ in range(rng.randint(1, 2000)))
            case 4:
                yield '"' + " ".join(["wordaa"] * rng.randint(2, 500)) + '"~50'
            case _:
                yield " ".join(rng.choice(_PIECES) for _ in range(rng.randint(1, 60)))


def hostile_formulas(count: int, seed: int = 0) -> Iterator[str]:
    """So many formulas: soup, deep nesting, towers of powers, attempts to reach Python."""
    rng = random.Random(seed)
    for number in range(count):
        match number % 5:
            case 0:
                yield "(" * rng.randint(1, 1500) + "text" + ")" * rng.randint(0, 1500)
            case 1:
                yield "^".join(["9"] * rng.randint(2, 150))
            case 2:
                yield "__import__('os').system('true') + text"
            case _:
                yield "".join(rng.choice(_FORMULA_PIECES) for _ in range(rng.randint(1, 40)))


def find_late_queries(searcher: Searcher, count: int, seed: int = 0) -> list[str]:
    """What went wrong with so many hostile queries: too late, or an error that is no sentence of ours."""
    fields = {each.name for each in searcher.snapshot.schema.fields}
    problems = []
    for text in hostile_queries(count, seed):
        for joining, ranking in product(Joining, _RANKINGS):
            stopwatch = _Stopwatch()
            try:
                searcher.search(parse_query(text, joining=joining, fields=fields), ranking, _REQUEST)
            except DeadlineExceededError:
                pass
            except SearchEngineError as error:
                if not str(error):
                    problems.append(f"no sentence for {text[:80]!r}")
            if stopwatch.is_late(DEADLINE_SECONDS):
                problems.append(f"{stopwatch} for {text[:80]!r}")
    return problems


def find_late_formulas(searcher: Searcher, count: int, seed: int = 0) -> list[str]:
    """What went wrong with so many hostile formulas."""
    request = SearchRequest(deadline_seconds=DEADLINE_SECONDS)
    query = parse_query("wordaa OR wordba")
    problems = []
    for text in hostile_formulas(count, seed):
        stopwatch = _Stopwatch()
        try:
            searcher.search(query, Ranking(formula=parse_formula(text)), request)
        except SearchEngineError as error:
            if not str(error):
                problems.append(f"no sentence for {text[:80]!r}")
        if stopwatch.is_late(DEADLINE_SECONDS):
            problems.append(f"{stopwatch} for {text[:80]!r}")
    return problems
