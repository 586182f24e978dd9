"""What the first question costs a process that has just started: `python -m tests.benchmarks._search_first FOLDER`."""

import json
import subprocess
import sys
import time
from pathlib import Path
from typing import Final

TRIES: Final = 3
QUERY: Final = "free software library"


def measure_first_query(folder: Path) -> dict[str, float]:
    """The best of some fresh processes, in ms: `cpu` from the start to the answer, `wall` likewise, `query` alone.

    `open` is how long the index took to open by the clock: in such a process, so that nothing else is in its memory.
    """
    found: list[dict[str, float]] = []
    for _ in range(TRIES):
        began = time.perf_counter()
        command = [sys.executable, "-m", __name__, str(folder)]
        line = subprocess.run(command, check=True, capture_output=True, text=True).stdout
        wall = (time.perf_counter() - began) * 1e3
        found.append(json.loads(line) | {"wall": wall})
    return {name: round(min(each[name] for each in found), 1) for name in found[0]}


def main() -> None:
    """Import, open, ask, and tell what that took."""
    from backend.search_engine.index import open_snapshot
    from backend.search_engine.query import Joining, parse_query
    from backend.search_engine.search import Searcher

    began, clock = time.process_time(), time.perf_counter()
    searcher = Searcher(open_snapshot(Path(sys.argv[1])))
    opened = time.perf_counter() - clock
    hits = searcher.search(parse_query(QUERY, joining=Joining.OR))
    if not [hit.fields for hit in hits]:
        raise SystemExit("nothing was found")
    now = time.process_time()
    print(json.dumps({"cpu": now * 1e3, "query": (now - began) * 1e3, "open": opened * 1e3}))


if __name__ == "__main__":
    main()
