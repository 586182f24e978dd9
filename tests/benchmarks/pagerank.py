"""PageRank of ten million links, beside networkx and scipy's plain way.

A web-like graph is made (pages of hosts, most links within the host, few pages get most links). Each contestant gets
the same links as two arrays of numbers in a process of its own, in turn, and makes graph and scores of them to the same
tolerance; imports and reading the file do not count for time, but for memory. networkx gets the small graph only: the
large one would need tens of gigabytes. The last line is JSON.
"""

import argparse
import json
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from tests.benchmarks._report import replace_section, table

ROOT = Path(__file__).parents[2]
TOLERANCE = 1e-9
DAMPING = 0.85
Links = tuple[np.ndarray, np.ndarray, int]


def main() -> None:
    options = _options()
    if options.contestant:
        print(json.dumps(_compete(options.contestant, options.graph)))
        return
    with tempfile.TemporaryDirectory(prefix="gleaner-pagerank-") as folder:
        small = _save(Path(folder) / "small.npz", options.small, options.seed)
        large = _save(Path(folder) / "large.npz", options.links, options.seed)
        rows = _contest(("Gleaner", "scipy", "networkx"), small, rounds=options.rounds)
        large_rows = _contest(("Gleaner", "scipy"), large, rounds=options.rounds)
    lines = _lines(options, rows, large_rows)
    print("\n".join(lines))
    if options.write_docs:
        replace_section(ROOT / "docs" / "benchmarks.md", "PageRank", lines)
    print(json.dumps(_summary(rows, large_rows)))


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.pagerank", description=__doc__)
    parser.add_argument("--links", type=int, default=10_000_000, help="links of the large graph")
    parser.add_argument("--small", type=int, default=500_000, help="links of the small graph, which networkx gets too")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--write-docs", action="store_true", help="replace the section PageRank of docs/benchmarks.md")
    parser.add_argument("--contestant", choices=list(CONTESTANTS), help=argparse.SUPPRESS)
    parser.add_argument("--graph", type=Path, help=argparse.SUPPRESS)
    return parser.parse_args()


def make_links(count: int, seed: int) -> Links:
    """`count` links between a tenth as many pages on hosts of very different sizes; a fifth of the pages are sinks."""
    chance = np.random.default_rng(seed)
    pages = max(count // 10, 10)
    hosts = np.sort(chance.zipf(1.6, pages) % max(pages // 50, 2))
    first = np.searchsorted(hosts, hosts, "left")
    size = np.searchsorted(hosts, hosts, "right") - first
    sources = (chance.random(count) * pages * 0.8).astype(np.int64)
    within = first[sources] + (size[sources] * chance.random(count) ** 3).astype(np.int64)
    across = (pages * chance.random(count) ** 4).astype(np.int64)
    targets = np.where(chance.random(count) < 0.8, within, across)
    shuffled = chance.permutation(pages)
    return shuffled[sources].astype(np.int32), shuffled[targets].astype(np.int32), pages


def _save(path: Path, count: int, seed: int) -> Path:
    sources, targets, pages = make_links(count, seed)
    np.savez(path, sources=sources, targets=targets, pages=pages)
    return path


def _contest(names: Sequence[str], graph: Path, *, rounds: int) -> dict[str, dict[str, Any]]:
    """Everybody in turn, `rounds` times; the median of times, the worst of memory, and how far scores differ."""
    runs: dict[str, list[dict[str, Any]]] = {name: [] for name in names}
    for _ in range(rounds):
        for name in names:
            runs[name].append(_run(name, graph))
    medians = {name: _median(found) for name, found in runs.items()}
    best = np.array(medians[names[0]].pop("sample"))
    for row in medians.values():
        row["difference"] = float(np.abs(np.array(row.pop("sample", best)) - best).max())
    return medians


def _run(name: str, graph: Path) -> dict[str, Any]:
    command = [sys.executable, "-m", __spec__.name, "--contestant", name, "--graph", str(graph)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    found: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return found


def _median(runs: Sequence[dict[str, Any]]) -> dict[str, Any]:
    timed = {key: statistics.median(run[key] for run in runs) for key in ("cpu", "wall")}
    return {**runs[0], **timed, "peak_mb": max(run["peak_mb"] for run in runs)}


def _compete(name: str, path: Path) -> dict[str, Any]:
    """One contestant's whole work; its scores are told of a sample of pages, all of them sum to 1."""
    with np.load(path) as file:
        links = (file["sources"], file["targets"], int(file["pages"]))
    solve = CONTESTANTS[name]()
    began, began_cpu = time.perf_counter(), time.process_time()
    scores, residuals = solve(links)
    wall, cpu = time.perf_counter() - began, time.process_time() - began_cpu
    return {
        "cpu": cpu,
        "wall": wall,
        "peak_mb": _peak_mb(),
        "iterations": len(residuals),
        "residual": residuals[-1] if residuals else None,
        "sample": scores[:: max(len(scores) // 1000, 1)].tolist(),
    }


def _peak_mb() -> float:
    """The most memory this process ever had; `getrusage` would tell the parent's where that was larger."""
    status = Path("/proc/self/status").read_text(encoding="utf-8")
    return int(status.partition("VmHWM:")[2].split()[0]) / 1024


Solver = Callable[[Links], tuple[np.ndarray, Sequence[float]]]


def gleaner() -> Solver:
    from backend.search_engine.compilation import load_kernels
    from backend.search_engine.links import PageRankOptions, build_graph, pagerank

    load_kernels("backend.search_engine.links")

    def solve(links: Links) -> tuple[np.ndarray, Sequence[float]]:
        found = pagerank(build_graph(*links), PageRankOptions(damping=DAMPING, tolerance=TOLERANCE))
        return found.scores, found.residuals

    return solve


def scipy_plain() -> Solver:
    from scipy import sparse

    def solve(links: Links) -> tuple[np.ndarray, Sequence[float]]:
        sources, targets, pages = links
        differ = sources != targets
        ones = np.ones(int(differ.sum()))
        matrix = sparse.csr_matrix((ones, (sources[differ], targets[differ])), shape=(pages, pages))
        matrix.data[:] = 1.0  # a repeated link counts once
        degrees = np.asarray(matrix.sum(axis=1)).ravel()
        shares = np.divide(1.0, degrees, out=np.zeros(pages), where=degrees > 0)
        transposed = (sparse.diags(shares) @ matrix).T.tocsr()
        scores, residuals = np.full(pages, 1.0 / pages), []
        while not residuals or residuals[-1] > TOLERANCE:
            jump = (1.0 - DAMPING + DAMPING * scores[degrees == 0].sum()) / pages
            after = DAMPING * (transposed @ scores) + jump
            residuals.append(float(np.abs(after - scores).sum()))
            scores = after
        return scores, residuals

    return solve


def networkx_pagerank() -> Solver:
    import networkx as nx
    import scipy.sparse  # noqa: F401 - networkx imports it when first used

    def solve(links: Links) -> tuple[np.ndarray, Sequence[float]]:
        sources, targets, pages = links
        graph = nx.DiGraph()
        graph.add_nodes_from(range(pages))
        differ = sources != targets
        graph.add_edges_from(zip(sources[differ].tolist(), targets[differ].tolist(), strict=True))
        scores = nx.pagerank(graph, alpha=DAMPING, tol=TOLERANCE / pages, max_iter=1000)
        return np.array([scores[page] for page in range(pages)]), []

    return solve


CONTESTANTS: dict[str, Callable[[], Solver]] = {
    "Gleaner": gleaner,
    "scipy": scipy_plain,
    "networkx": networkx_pagerank,
}


def _lines(
    options: argparse.Namespace, small: dict[str, dict[str, Any]], large: dict[str, dict[str, Any]]
) -> list[str]:
    header = ["", "CPU s", "wall s", "peak MB", "iterations", "largest difference"]
    lines = [
        "`./gleaner bench pagerank`: graph and scores from arrays of links, until all changes together are below",
        f"{TOLERANCE:g}; median of {options.rounds} rounds, everyone in turn, each in a process of its own.",
    ]
    for count, rows in ((options.small, small), (options.links, large)):
        cells = [
            [
                name,
                f"{row['cpu']:.2f}",
                f"{row['wall']:.2f}",
                f"{row['peak_mb']:,.0f}",
                row["iterations"] or "",
                f"{row['difference']:.1e}",
            ]
            for name, row in rows.items()
        ]
        lines += ["", f"{count:,} links between {count // 10:,} pages:", "", *table(header, cells)]
    return lines


def _summary(small: dict[str, dict[str, Any]], large: dict[str, dict[str, Any]]) -> dict[str, Any]:
    own = large["Gleaner"]
    return {
        "seconds": round(own["wall"], 2),
        "cpu_seconds": round(own["cpu"], 2),
        "peak_mb": round(own["peak_mb"]),
        "ratio_to_networkx": round(small["networkx"]["cpu"] / small["Gleaner"]["cpu"], 1),
        "ratio_to_scipy": round(large["scipy"]["cpu"] / own["cpu"], 2),
        "iterations": own["iterations"],
        "residual": own["residual"],
        "largest_difference": max(row["difference"] for row in (*small.values(), *large.values())),
    }


if __name__ == "__main__":
    main()
