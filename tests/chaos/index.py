"""Break an index on purpose: flipped bits and truncations, writers killed at random moments, hostile queries, and
eight threads that search while a writer commits and merges.

`python -m tests.chaos.index` prints one JSON object last; 0 is wanted of `wrong_answers`, `undetected`, `broken`,
`late` and `inconsistent`. Smaller runs of the same functions are in the test suite.
"""

import argparse
import json
import random
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Final

from backend.search_engine.errors import IndexFaultError
from backend.search_engine.index import (
    Field,
    FieldKind,
    IndexReader,
    IndexWriter,
    Schema,
    Snapshot,
    open_snapshot,
)
from backend.search_engine.index.check import check_index
from backend.search_engine.query import Joining, parse_query
from backend.search_engine.search import Searcher, SearchRequest
from tests.chaos._hostile import find_late_formulas, find_late_queries

SCHEMA: Final = Schema(
    [Field("title", boost=2.0), Field("body"), Field("tag", FieldKind.KEYWORD), Field("n", FieldKind.NUMBER)]
)
_WORDS: Final = [f"word{chr(97 + i % 26)}{chr(97 + i // 26)}" for i in range(400)]
_QUERIES: Final = ("wordaa wordba", '"wordaa wordba"', "worda*", "wordzc", "n:5..50 wordca", "tag:even worddb", "*")

Answers = list[list[tuple[str, float, str]]]


def make_document(number: int) -> dict[str, object]:
    """A document that depends on its number alone."""
    rng = random.Random(number)
    words = [_WORDS[int(len(_WORDS) * rng.random() ** 3)] for _ in range(30)]
    return {
        "title": " ".join(words[:4]),
        "body": " ".join(words),
        "tag": "even" if number % 2 == 0 else "odd",
        "n": float(number),
    }


def make_index(folder: Path, documents: int = 600) -> None:
    """An index with several segments and deletes."""
    with IndexWriter(folder, SCHEMA, batch_documents=documents // 3) as writer:
        for number in range(documents):
            writer.put(str(number), make_document(number))
        writer.commit()
        for number in range(0, documents, 17):
            writer.delete(str(number))
        writer.commit()


def ask(folder: Path) -> Answers:
    """What the index answers: keys, scores and stored fields. Raises IndexFaultError when it cannot be trusted."""
    searcher = Searcher(open_snapshot(folder))
    answers = []
    for text in _QUERIES:
        hits = searcher.search(parse_query(text, joining=Joining.OR, fields={"n", "tag", "title", "body"}))
        answers.append([(hit.key, hit.score, json.dumps(hit.fields)) for hit in hits])
    return answers


def flip_bits(flips: int, seed: int = 0) -> tuple[int, int]:
    """(wrong answers, damages that `check` missed) over so many flips and truncations of random files."""
    rng = random.Random(seed)
    wrong, missed = 0, 0
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary) / "index"
        make_index(folder)
        truth = ask(folder)
        files = sorted(path for path in folder.iterdir() if path.name != "writer.lock")
        sizes = [path.stat().st_size for path in files]
        for number in range(flips):
            # Small files would be hit rarely: every other damage is to any file, the rest by size.
            path = rng.choice(files) if number % 2 else rng.choices(files, sizes)[0]
            good = path.read_bytes()
            path.write_bytes(_damaged(good, rng, truncate=number % 10 == 0))
            wrong += not _is_detected_or_right(folder, truth)
            missed += check_index(folder).is_sound
            path.write_bytes(good)
    return wrong, missed


def _damaged(good: bytes, rng: random.Random, *, truncate: bool) -> bytes:
    if truncate:
        return good[: rng.randrange(len(good))]
    bad = bytearray(good)
    bad[rng.randrange(len(bad))] ^= 1 << rng.randrange(8)
    return bytes(bad)


def _is_detected_or_right(folder: Path, truth: Answers) -> bool:
    try:
        return ask(folder) == truth
    except IndexFaultError:
        return True


WRITER: Final = """
import sys
from pathlib import Path
from tests.chaos.index import write_for_ever
write_for_ever(Path(sys.argv[1]), int(sys.argv[2]))
"""
PER_COMMIT: Final = 25


def write_for_ever(folder: Path, threads: int) -> None:
    """Commit `PER_COMMIT` documents at a time, replace and delete some, merge; note what each commit holds."""
    with IndexWriter(folder, SCHEMA, threads=threads, batch_documents=PER_COMMIT // 2) as writer:
        count = int(writer.note.get("count", 0))
        sys.stdout.write("ready\n")
        sys.stdout.flush()
        while True:
            for number in range(count, count + PER_COMMIT):
                writer.put(str(number), make_document(number))
            if count:
                writer.put(str(count - 1), make_document(count - 1))
            writer.delete(str(count + 3))
            count += PER_COMMIT
            writer.commit({"count": count})


def expected_keys(count: int) -> set[str]:
    """What a commit that notes `count` holds."""
    return {str(number) for number in range(count) if number % PER_COMMIT != 3}


def kill_writers(kills: int, seed: int = 0, *, threads: int = 0, say: Callable[[str], object] = str) -> int:
    """How often an index was neither the old nor the new generation after its writer was killed (-9)."""
    rng = random.Random(seed)
    broken = 0
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary) / "index"
        for number in range(kills):
            _run_and_kill(folder, rng.uniform(0.0, 0.35), threads)
            problem = find_problem(folder)
            if problem:
                broken += 1
                say(f"kill {number}: {problem}")
            if number % 20 == 19:  # start small again, so that merges of all sizes are interrupted
                shutil.rmtree(folder)
    return broken


def _run_and_kill(folder: Path, after_seconds: float, threads: int) -> None:
    command = [sys.executable, "-c", WRITER, str(folder), str(threads)]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as writer:
        if writer.stdout is not None:
            writer.stdout.readline()
        time.sleep(after_seconds)
        writer.kill()


def find_problem(folder: Path) -> str | None:
    """What is wrong with an index that `write_for_ever` wrote; None when it is exactly one of its commits."""
    report = check_index(folder)
    if not report.is_sound:
        return report.problems[0]
    snapshot = open_snapshot(folder)
    count = int(snapshot.manifest.note.get("count", 0))
    keys = [snapshot.key(slot) for slot in snapshot.alive.nonzero()[0].tolist()]
    if len(keys) != len(set(keys)) or set(keys) != expected_keys(count):
        return f"generation {snapshot.generation} does not hold the documents of commit {count}"
    searcher = Searcher(snapshot)
    found = searcher.search(parse_query("*")) if keys else []
    if any(hit.fields["n"] != float(hit.key) for hit in found):
        return "a document has another's fields"
    return None


def follow_commits(commits: int, *, threads: int = 8) -> tuple[int, list[str]]:
    """How many searches so many threads made while a writer commits and merges, and what was wrong with any.

    Generations must rise, and each must show exactly the documents of one commit, with scores and fields of their own.
    """
    problems: list[str] = []
    searches = [0] * threads
    is_done = threading.Event()
    with tempfile.TemporaryDirectory() as temporary, IndexWriter(Path(temporary), SCHEMA) as writer:
        writer.commit({"count": 0})

        def follow(number: int) -> None:
            reader, last = IndexReader(Path(temporary)), 0
            while not problems:
                snapshot = reader.snapshot()
                problem = _inconsistency(snapshot, last)
                if problem:
                    problems.append(problem)
                last = snapshot.generation
                searches[number] += 1
                if is_done.is_set():
                    return

        with ThreadPoolExecutor(threads) as pool:
            running = [pool.submit(follow, number) for number in range(threads)]
            try:
                _commit_often(writer, commits)
            finally:
                is_done.set()
            problems += [repr(error) for each in running if (error := each.exception()) is not None]
    return sum(searches), problems


def _commit_often(writer: IndexWriter, commits: int) -> None:
    for commit in range(commits):
        for number in range(commit * PER_COMMIT, (commit + 1) * PER_COMMIT):
            writer.put(str(number), make_document(number))
        writer.delete(str(commit * PER_COMMIT + 3))
        if commit:
            writer.put(str(commit * PER_COMMIT - 1), make_document(commit * PER_COMMIT - 1))
        writer.commit({"count": (commit + 1) * PER_COMMIT})


def _inconsistency(snapshot: Snapshot, last: int) -> str | None:
    if snapshot.generation < last:
        return f"generation {snapshot.generation} came after {last}"
    count = int(snapshot.manifest.note["count"])
    searcher = Searcher(snapshot)
    total = searcher.search(parse_query("*"), None, SearchRequest(count=True)).total
    if total != len(expected_keys(count)):
        return f"{total} documents after commit {count}"
    hits = searcher.search(parse_query("wordaa wordba", joining=Joining.OR))
    if any(hit.fields["n"] != float(hit.key) for hit in hits) or sorted(hits, key=lambda hit: -hit.score) != list(hits):
        return f"wrong hits in generation {snapshot.generation}"
    return None


def ask_hostile(queries: int, seed: int) -> list[str]:
    """What went wrong with hostile queries and formulas."""
    with tempfile.TemporaryDirectory() as temporary:
        make_index(Path(temporary))
        searcher = Searcher(open_snapshot(Path(temporary)))
        return find_late_queries(searcher, queries, seed) + find_late_formulas(searcher, queries // 5, seed)


def main() -> None:
    """Flip, truncate, kill; one JSON object last."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--flips", type=int, default=500, help="random bit flips and truncations")
    parser.add_argument("--kills", type=int, default=100, help="writers to kill")
    parser.add_argument("--commits", type=int, default=300, help="commits while eight threads search")
    parser.add_argument("--queries", type=int, default=1000, help="hostile queries; formulas are a fifth of them")
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args()
    late = ask_hostile(arguments.queries, arguments.seed)
    searches, inconsistent = follow_commits(arguments.commits)
    wrong, missed = flip_bits(arguments.flips, arguments.seed)
    broken = kill_writers(arguments.kills, arguments.seed, say=lambda line: sys.stdout.write(line + "\n"))
    result = {
        "flips": arguments.flips,
        "wrong_answers": wrong,
        "undetected": missed,
        "kills": arguments.kills,
        "broken": broken,
        "hostile": arguments.queries + arguments.queries // 5,
        "late": len(late),
        "searches": searches,
        "inconsistent": len(inconsistent),
    }
    sys.stdout.write("".join(f"{line}\n" for line in late + inconsistent) + json.dumps(result) + "\n")
    sys.exit(1 if wrong or missed or broken or late or inconsistent else 0)


if __name__ == "__main__":
    main()
