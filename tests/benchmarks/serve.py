"""Search over HTTP as `./gleaner up` serves it: milliseconds and requests/s for 1, 8, 64 and 1,000 clients.

Real server (uvicorn with its search processes), real database (SQLite, PostgreSQL), real documents, alone and while
another process writes to the index. wrk makes the load, on the same machine. The last line is one JSON object.
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
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlencode

import psutil

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
BARS = {"p50_ms_8": 10.0, "p99_ms_8": 60.0, "errors_1000": 0, "suggest_p99_ms": 10.0}
HEADER = ("clients", "p50 ms", "p90 ms", "p99 ms", "p99 ms on the server", "answers/s", "refused (429)", "errors")
METRICS_TOKEN = "bench"
KEPT = re.compile(r'^gleaner_searches_total\{kept="(\w+)",kind="search",status="200"\} (\S+)$', re.MULTILINE)


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


def make_beginnings(documents: list[Document], count: int) -> list[dict[str, Any]]:
    """What people have typed so far of a title, from two letters on; every fifth with two letters swapped."""
    rng = random.Random(4)
    typed: list[dict[str, Any]] = []
    while len(typed) < count:
        title = rng.choice(documents).title
        if len(title) < 4:
            continue
        text = title[: rng.randint(2, min(len(title), 24))]
        at = rng.randrange(len(text) - 1)
        is_wrong = rng.random() < 0.2
        typed.append({"q": text[:at] + text[at + 1] + text[at] + text[at + 2 :] if is_wrong else text})
    return typed


class World:
    """One database with one index, and the server over it."""

    def __init__(self, arguments: argparse.Namespace, database: str, url: str | None) -> None:
        self.name = database
        self._folder: Path = arguments.folder / f"world-{database}"
        shutil.rmtree(self._folder, ignore_errors=True)
        self._corpus = arguments.folder / "corpus.jsonl"
        self._count = arguments.documents
        self.env = {**os.environ, "GLEANER_VAR": str(self._folder), "PYTHONWARNINGS": "ignore"}
        self.env["GLEANER_METRICS_TOKEN"] = METRICS_TOKEN
        self.env.pop("GLEANER_DATABASE_URL", None)
        if url:
            self.env["GLEANER_DATABASE_URL"] = url
        self.pid = 0
        self._places = Places(root=Path.cwd(), var=self._folder)
        made = self._python("make", str(self._corpus), str(self._count), wait=True)
        self.made: dict[str, Any] = json.loads(made.strip().splitlines()[-1])

    def paths(self, queries: list[dict[str, Any]], kind: str = "search") -> Path:
        """A file with one address a line."""
        file = self._folder / f"{kind}-paths.txt"
        base = f"/api/v1/indexers/{self.made['indexer']}/{kind}"
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


class Used(NamedTuple):
    """What the web process and its search processes have used so far: seconds of CPU, bytes of memory of their own."""

    web_seconds: float
    search_seconds: float
    web_bytes: int
    search_bytes: Sequence[int]

    @classmethod
    def by(cls, pid: int) -> "Used":
        web = psutil.Process(pid)
        others = web.children()
        seconds = sum(sum(each.cpu_times()[:2]) for each in others)
        return cls(sum(web.cpu_times()[:2]), seconds, _own_bytes(web), [_own_bytes(each) for each in others])


def _own_bytes(process: psutil.Process) -> int:
    """Memory, of what is shared its share."""
    return int(process.memory_full_info().pss)


def read_kept(base: str) -> dict[str, float]:
    """How many searches were answered from what was kept, and how many were not."""
    connection = http.client.HTTPConnection(base.removeprefix("http://"), timeout=10)
    try:
        connection.request("GET", "/metrics", headers={"Authorization": f"Bearer {METRICS_TOKEN}"})
        text = connection.getresponse().read().decode()
    finally:
        connection.close()
    return {found[1]: float(found[2]) for found in KEPT.finditer(text)}


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


def measure(world: World, wrk: Wrk, arguments: argparse.Namespace, documents: list[Document]) -> dict[str, Any]:
    """Every table of one database. Each row goes on with the queries where the one before stopped."""
    queries = make_queries(documents, arguments.queries)
    paths = world.paths(queries)
    typed = world.paths(make_beginnings(documents, arguments.queries), "suggest")
    found: dict[str, Any] = {"load_before": round(os.getloadavg()[0], 2), "repeated": _repeated(queries)}
    asked = 0
    with world.served() as base:

        def run(clients: int, seconds: float = arguments.seconds, file: Path = paths) -> Load:
            nonlocal asked
            load = wrk.run(base, file, clients=clients, seconds=seconds, token=world.made["token"], start=asked)
            asked += load.answered // 2  # wrk's two threads begin half a list apart
            print(f"  {world.name}", *rows([load])[0], sep="\t", flush=True)
            return load

        run(8, 8)  # lists are decoded, code is loaded
        before, kept_before = Used.by(world.pid), read_kept(base)
        found["alone"] = [run(clients) for clients in (1, 8, 64)]
        used, kept = Used.by(world.pid), read_kept(base)
        found |= _costs(before, used, sum(load.answered for load in found["alone"]), 3 * arguments.seconds)
        counts = {name: value - kept_before.get(name, 0) for name, value in kept.items()}
        found["kept"] = round(counts.get("yes", 0) / max(1, sum(counts.values())), 4)
        found["suggest"] = [run(clients, file=typed) for clients in (1, 8)]
        found["crowd"] = [run(1_000)]
        with world.written_to():
            found["live"] = [run(clients) for clients in (1, 8, 64)]
    found["load_after"] = round(os.getloadavg()[0], 2)
    return found


def _repeated(queries: list[dict[str, Any]]) -> float:
    """The share of the queries that stand in the list before."""
    return round(1 - len({json.dumps(query) for query in queries}) / len(queries), 4)


def _costs(before: Used, used: Used, answers: int, seconds: float) -> dict[str, Any]:
    web, search = used.web_seconds - before.web_seconds, used.search_seconds - before.search_seconds
    return {
        "cpu_ms": round(1000 * (web + search) / answers, 2),
        "web_cpu_ms": round(1000 * web / answers, 2),
        "cores": round((web + search) / seconds, 2),
        "web_mb": round(used.web_bytes / 2**20),
        "search_mb": [round(each / 2**20) for each in used.search_bytes],
    }


def summary(found: dict[str, Any]) -> dict[str, Any]:
    """The numbers of the last line."""
    alone, live, crowd = found["alone"][1], found["live"][1], found["crowd"][0]
    return {
        "p50_ms_8": round(alone.p50, 2),
        "p99_ms_8": round(alone.p99, 2),
        "p99_ms_8_live": round(live.p99, 2),
        "requests_per_s": round(max(load.requests_per_second for load in found["alone"])),
        "cpu_ms_per_request": found["cpu_ms"],
        "cores": found["cores"],
        "kept_share": found["kept"],
        "suggest_p99_ms": round(found["suggest"][1].server_p99, 2),
        "errors_1000": crowd.errors,
        "refused_1000": crowd.refused,
    }


def describe(found: dict[str, Any], name: str) -> list[str]:
    lines = ["", f"### {name} (load of the machine {found['load_before']} before, {found['load_after']} after)"]
    parts = (
        ("alone", "alone"),
        ("while another process writes to the index", "live"),
        ("`suggest?q=`", "suggest"),
        ("1,000 clients at once", "crowd"),
    )
    for title, key in parts:
        lines += ["", f"{title}:", "", *table(HEADER, rows(found[key]))]
    search = ", ".join(map(str, found["search_mb"])) or "none"
    return [
        *lines,
        "",
        f"An answer took {found['cpu_ms']} ms of CPU (alone), {found['web_cpu_ms']} of them in the web process; all of",
        f"the server's processes together got {found['cores']} of the cores;",
        f"{100 * found['kept']:.1f} % were kept from the same question before, of the queries"
        f" {100 * found['repeated']:.1f} % are repetitions.",
        f"Memory (MB, of what is shared the share): web process {found['web_mb']}, search processes {search}.",
    ]


def run(arguments: argparse.Namespace) -> dict[str, Any]:
    documents = load_corpus(arguments.folder, arguments.documents)
    wrk = Wrk(arguments.folder)
    result: dict[str, Any] = {"documents": len(documents)}
    lines = _introduction(arguments)
    for name in arguments.databases.split(","):
        with private_postgres() if name == "postgresql" else nullcontext(None) as url:
            world = World(arguments, name, url)
            found = measure(world, wrk, arguments, documents)
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
        f"`./gleaner bench serve`: {arguments.documents:,} documents, {arguments.queries:,} queries",
        "(70 % two or three words of one document, 10 % phrases, 10 % one word with two facets and a condition, 10 %",
        "sorted by a number); each client asks again as soon as it is answered, "
        f"{arguments.seconds} s a row. The web process and its search",
        "processes as `./gleaner up` starts them, wrk on the same two cores. A page of ten has totals, snippets and",
        "highlights. “On the server” is by the answers’ own `ms`.",
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--documents", type=int, default=100_000)
    parser.add_argument("--queries", type=int, default=20_000, help="how many queries there are to ask")
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
