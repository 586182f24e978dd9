"""Break a cluster again and again while it crawls, and check that nothing is lost, stored twice, or lied about.

`./gleaner chaos cluster --runs 20` makes five hosts (network namespaces with addresses of their own; where these are
not permitted, or with `--processes`, processes only): PostgreSQL, Redis, the web and two heads on one, three nodes, a
website. Each run is a crawl with six workers. Meanwhile workers, the leading head and agents are killed with SIGKILL, a
node is cut off and comes back, Redis is wiped (FLUSHALL, for three seconds in which a killed worker is to be replaced)
or restarted, PostgreSQL is restarted with `-m immediate`: in random order, but each of these once before any of them
comes again.

It prints one JSON object last: `runs`, `faults`, `lost` (pages or documents of an undisturbed crawl that are missing),
`doubled` (documents stored twice), `lies` (states that did not match the processes 15 s after a fault, or a web process
that is not ready then), `processes_left`, `hosts` (“namespaces” or “processes only”), `seconds` of each run, what was
`told` of anything wrong, and the faults `by_kind`. 0 is wanted of lost, doubled, lies, processes_left.
"""

import argparse
import json
import os
import signal
import subprocess
import sys
import tempfile
from dataclasses import asdict
from pathlib import Path

from tests.chaos._cluster_hosts import NAMES, NETWORK, Hosts, hosts


def options() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="./gleaner chaos cluster", description=__doc__.split("\n\n")[0])
    parser.add_argument("--runs", type=int, default=20, help="crawls that are disturbed (20)")
    parser.add_argument("--pages", type=int, default=5_000, help="pages of the site (5000)")
    parser.add_argument("--sleep-ms", type=int, default=0, help="between two pages, so that a crawl lasts (0)")
    parser.add_argument("--workers", type=int, default=6, help="workers of each crawl (6)")
    parser.add_argument("--faults", type=int, default=100, help="at most so many faults in a run (100)")
    parser.add_argument("--seed", type=int, default=0, help="another number breaks other things (0)")
    parser.add_argument(
        "--patience", type=float, default=3.0, help="seconds more to put states right, on a busy machine (3)"
    )
    parser.add_argument("--first", default="", help="break these things first, in this order: wipe_redis,cut_node,…")
    parser.add_argument("--processes", action="store_true", help="make no network namespaces: processes only")
    parser.add_argument("--keep", type=Path, help="keep the logs in this folder")
    parser.add_argument("--inside", help=argparse.SUPPRESS)  # the prefix of the hosts; we are on the first of them
    return parser


def main() -> int:
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    found = options().parse_args()
    if found.inside is not None:
        return break_cluster(found)
    with hosts(are_wanted=not found.processes) as made:
        command = [sys.executable, "-m", "tests.chaos.cluster", *sys.argv[1:], "--inside", made.prefix]
        inside = subprocess.Popen(made.on("db", command), cwd=Path(__file__).parents[2])
        try:
            return inside.wait()
        finally:  # whoever ends us ends the cluster
            inside.terminate()
            inside.wait()


def break_cluster(found: argparse.Namespace) -> int:
    made = Hosts()
    if found.inside:
        made = Hosts(found.inside, {name: f"{NETWORK}.{number}" for number, name in enumerate(NAMES, start=10)})
    with tempfile.TemporaryDirectory(prefix="gleaner-chaos-cluster-") as name:
        folder = found.keep or Path(name)
        folder.mkdir(parents=True, exist_ok=True)
        folder.chmod(0o755)  # PostgreSQL runs as somebody else
        from tests.chaos._cluster_run import Cluster, Report

        report = Report(hosts="namespaces" if made.are_separate else "processes only")
        first = [kind for kind in found.first.split(",") if kind]
        with Cluster(made, folder, pages=found.pages, sleep_ms=found.sleep_ms, seed=found.seed, first=first) as cluster:
            for number in range(found.runs):
                cluster.run(report, workers=found.workers, faults=found.faults, patience_seconds=found.patience)
                _tell(report, f"run {number + 1} of {found.runs}")
        report.processes_left = cluster.processes_left()
    sys.stdout.write(json.dumps(asdict(report)) + "\n")
    return 1 if report.lost or report.doubled or report.lies or report.processes_left else 0


def _tell(report: object, what: str) -> None:
    sys.stderr.write(f"{what}: {report}\n")


if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "backend.config.settings")
    sys.exit(main())
