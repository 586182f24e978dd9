"""Search over HTTP as `./gleaner up` serves it: milliseconds and requests/s for 1, 8, 64 and 1,000 clients.

Real server (uvicorn, one process), real database (SQLite, PostgreSQL), real documents, alone and while another process
writes to the index. wrk makes the load, on the same machine. The last line is one JSON object.
"""

import argparse
import http.client
import json
import os
import random
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from backend.bootstrap.places import Places
from backend.bootstrap.processes.children import stop_all
from backend.bootstrap.processes.roles import Site, roles_of
from backend.bootstrap.servers.ports import LOOPBACK, private_free
from backend.bootstrap.servers.postgres import private_postgres
from tests.benchmarks._report import replace_section, table
from tests.benchmarks._search_corpus import Document, load_corpus
from tests.benchmarks._serve_wrk import Load, Wrk, rows

WORD = re.compile(r"[A-Za-z]{3,}")
PAGE = Path("docs/benchmarks.md")
BARS = {"p50_ms_8": 10.0, "p99_ms_8": 60.0, "errors_1000": 0}
HEADER = ("clients", "p50 ms", "p90 ms", "p99 ms", "answers/s", "refused (429)", "errors")


def make_queries(documents: list[Document], count: int) -> list[dict[str, Any]]:
    """What people ask: mostly two or three words, some phrases, some with facets and conditions, some sorted."""
    rng = random.Random(3)
    queries: list[dict[str, Any]] = []
    while len(queries) < count:
        words = WORD.findall(rng.choice(documents).body)
        if len(words) < 8:
            continue
        start, kind = rng.randrange(len(words) - 3), rng.random()
        some = " ".join(rng.sample(words, rng.randint(2, 3)))
        if kind < 0.7:
            queries.append({"q": some})
        elif kind < 0.8:
            queries.append({"q": f'"{words[start]} {words[start + 1]}"'})
        elif kind < 0.9:
            queries.append({"q": words[start], "facet": ["kind", "price:0,250,500,1000"], "filter": "price:<800"})
        else:
            queries.append({"q": words[start], "sort": "price"})
    return queries


class World:
    """One database with one index, and the server over it."""

    def __init__(self, arguments: argparse.Namespace, database: str, url: str | None) -> None:
        self.name = database
        self._folder: Path = arguments.folder / f"world-{database}"
        shutil.rmtree(self._folder, ignore_errors=True)
        self._corpus = arguments.folder / "corpus.jsonl"
        self._count = arguments.documents
        self.env = {**os.environ, "GLEANER_VAR": str(self._folder), "PYTHONWARNINGS": "ignore"}
        self.env.pop("GLEANER_DATABASE_URL", None)
        if url:
            self.env["GLEANER_DATABASE_URL"] = url
        self.pid = 0
        self._places = Places(root=Path.cwd(), var=self._folder)
        made = self._python("make", str(self._corpus), str(self._count), wait=True)
        self.made: dict[str, Any] = json.loads(made.strip().splitlines()[-1])

    def paths(self, queries: list[dict[str, Any]]) -> Path:
        """A file with one address a line."""
        file = self._folder / "paths.txt"
        base = f"/api/v1/indexers/{self.made['indexer']}/search"
        file.write_text("".join(f"{base}?{urlencode(query, doseq=True)}\n" for query in queries))
        return file

    @contextmanager
    def served(self) -> Iterator[str]:
        """The web process exactly as `./gleaner up` starts it."""
        port = private_free()
        role = next(role for role in roles_of(self._places, self.env, Site(port, None)) if role.name == "web")
        child = role.start()
        try:
            _wait_until_ready(port)
            self.pid = child.pid
            yield f"http://{LOOPBACK}:{port}"
        finally:
            stop_all([child])

    @contextmanager
    def written_to(self) -> Iterator[None]:
        """Another process commits to the index every second."""
        command = [str(self._places.python), "-m", "tests.benchmarks._serve_world", "write"]
        command += [str(self._corpus), str(self.made["indexer"]), str(self._count)]
        writer = subprocess.Popen(command, env=self.env, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        try:
            assert writer.stdout is not None
            writer.stdout.readline()  # it has committed for the first time
            yield
        finally:
            print(f"  the writer: {writer.communicate()[0].strip()}")

    def _python(self, *arguments: str, wait: bool) -> str:
        command = [str(self._places.python), "-m", "tests.benchmarks._serve_world", *arguments]
        return subprocess.run(command, env=self.env, check=wait, stdout=subprocess.PIPE, text=True).stdout


def cpu_seconds(pid: int) -> float:
    """What a process has used of the processors so far."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def _wait_until_ready(port: int) -> None:
    for _ in range(600):
        connection = http.client.HTTPConnection(LOOPBACK, port, timeout=5)
        try:
            connection.request("GET", "/healthz")
            connection.getresponse().read()
        except OSError:
            time.sleep(0.1)
        else:
            return
        finally:
            connection.close()
    raise TimeoutError("the server did not start")


def measure(world: World, wrk: Wrk, arguments: argparse.Namespace, queries: list[dict[str, Any]]) -> dict[str, Any]:
    """Every table of one database."""
    paths, token = world.paths(queries), world.made["token"]
    found: dict[str, Any] = {"load_before": round(os.getloadavg()[0], 2)}
    with world.served() as base:

        def run(clients: int, seconds: float = arguments.seconds) -> Load:
            load = wrk.run(base, paths, clients=clients, seconds=seconds, token=token)
            print(f"  {world.name}", *rows([load])[0], sep="\t", flush=True)
            return load

        run(8, 8)  # lists are decoded, code is loaded
        used = cpu_seconds(world.pid)
        found["alone"] = [run(clients) for clients in (1, 8, 64)]
        answers = sum(load.answered for load in found["alone"])
        found["cpu_ms"] = round(1000 * (cpu_seconds(world.pid) - used) / answers, 2)
        found["crowd"] = [run(1_000)]
        with world.written_to():
            found["live"] = [run(clients) for clients in (1, 8, 64)]
    found["load_after"] = round(os.getloadavg()[0], 2)
    return found


def summary(found: dict[str, Any]) -> dict[str, Any]:
    """The numbers of the last line."""
    alone, live, crowd = found["alone"][1], found["live"][1], found["crowd"][0]
    return {
        "p50_ms_8": round(alone.p50, 2),
        "p99_ms_8": round(alone.p99, 2),
        "p99_ms_8_live": round(live.p99, 2),
        "requests_per_s": round(max(load.requests_per_second for load in found["alone"])),
        "cpu_ms_per_request": found["cpu_ms"],
        "errors_1000": crowd.errors,
        "refused_1000": crowd.refused,
    }


def describe(found: dict[str, Any], name: str) -> list[str]:
    lines = ["", f"### {name} (load of the machine {found['load_before']} before, {found['load_after']} after)"]
    for title, key in (("alone", "alone"), ("while another process writes to the index", "live")):
        lines += ["", f"{title}:", "", *table(HEADER, rows(found[key]))]
    lines += ["", f"The server used {found['cpu_ms']} ms of CPU for an answer (alone).", "", "1,000 clients at once:"]
    return [*lines, "", *table(HEADER, rows(found["crowd"]))]


def run(arguments: argparse.Namespace) -> dict[str, Any]:
    documents = load_corpus(arguments.folder, arguments.documents)
    queries = make_queries(documents, arguments.queries)
    wrk = Wrk(arguments.folder)
    result: dict[str, Any] = {"documents": len(documents)}
    lines = _introduction(arguments)
    for name in arguments.databases.split(","):
        with private_postgres() if name == "postgresql" else nullcontext(None) as url:
            world = World(arguments, name, url)
            found = measure(world, wrk, arguments, queries)
        lines += describe(found, name)
        numbers = summary(found)
        result |= numbers if "p50_ms_8" not in result else {f"{key}_{name}": value for key, value in numbers.items()}
    met = [(key, f"≤ {bar:g}", result[key], "yes" if result[key] <= bar else "**no**") for key, bar in BARS.items()]
    lines += ["", "### What was to be reached", "", *table(("", "wanted", "measured", "met"), met)]
    if arguments.write:
        replace_section(PAGE, "Serve", lines)
    return result


def _introduction(arguments: argparse.Namespace) -> list[str]:
    return [
        f"`./gleaner bench serve`: {arguments.documents:,} documents, {arguments.queries:,} different queries",
        "(70 % two or three words of one document, 10 % phrases, 10 % one word with two facets and a condition, 10 %",
        "sorted by a number); each client asks again as soon as it is answered, "
        f"{arguments.seconds} s a row. One web process as",
        "`./gleaner up` starts it, wrk on the same two cores. A page of ten has totals, snippets and highlights.",
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--documents", type=int, default=100_000)
    parser.add_argument("--queries", type=int, default=20_000, help="different queries")
    parser.add_argument("--seconds", type=int, default=10, help="for each number of clients")
    parser.add_argument("--databases", default="sqlite,postgresql")
    parser.add_argument("--folder", type=Path, default=Path("var/benchmarks/search"), help="where the corpus is")
    parser.add_argument("--write", action="store_true", help="write the tables to docs/benchmarks.md")
    arguments = parser.parse_args()
    arguments.folder = arguments.folder.resolve()
    result = run(arguments)
    sys.stdout.flush()
    print(json.dumps(result))


if __name__ == "__main__":
    main()
