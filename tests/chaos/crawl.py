"""Kill a crawl again and again, and check that nothing is lost, stored twice, or asked for without need.

`python -m tests.chaos.crawl` crawls pages of the test site on SQLite (or `--postgres`), kills the worker
with SIGKILL at random points and starts it again each time. It prints one JSON object last: `kills`, `lost` (pages or
documents of an undisturbed run that are missing), `doubled` (documents stored twice), `skipped` (kills that came too
late), `needless` (pages asked for again although they were not in flight at a kill). 0 is wanted of all but the first.
Where pages are missing it says before that what became of them.
"""

import argparse
import json
import os
import random
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import asdict, dataclass
from pathlib import Path

from backend.bootstrap.servers.postgres import private_postgres
from backend.demo_site.options import SiteOptions
from backend.demo_site.process import SiteProcess
from backend.demo_site.throughput.pages import PREFIX, item_fields

ROOT = Path(__file__).parents[2]
STEPS = "tests.chaos._crawl_steps"


@dataclass
class Report:
    kills: int
    lost: int = 0
    doubled: int = 0
    skipped: int = 0
    needless: int = 0


@dataclass(frozen=True)
class Steps:
    """Starts the steps on a database of their own."""

    env: dict[str, str]

    def start(self, *words: str) -> "subprocess.Popen[str]":
        command = [sys.executable, "-m", STEPS, *words]
        return subprocess.Popen(command, cwd=ROOT, env=self.env, stdout=subprocess.PIPE, text=True)

    def run(self, *words: str) -> object:
        output = subprocess.run(
            [sys.executable, "-m", STEPS, *words], cwd=ROOT, env=self.env, stdout=subprocess.PIPE, text=True, check=True
        ).stdout
        return json.loads(output.strip().splitlines()[-1])


def break_crawl(
    steps: Steps, folder: Path, *, pages: int, kills: int, seed: int, threads: int = 8, latency_seconds: float = 0.0
) -> Report:
    """A whole crawl with so many kills at random points. The slower its site, the fewer of them come too late."""
    log = folder / "site.jsonl"
    chance = random.Random(seed)
    moments = sorted(chance.randrange(1, pages - threads) for _ in range(kills))
    with SiteProcess(SiteOptions(pages=pages, log_file=log)) as site:
        runner = str(steps.run("prepare", f"{site.url}{PREFIX}0", str(threads)))
        site.turn(latency_seconds=latency_seconds)
        may_be_asked_again, skipped = _crawl_with_kills(steps, runner, log, moments, chance)
        found = steps.run("report", runner)
    assert isinstance(found, dict)
    report = _judge(found, _requests(log), may_be_asked_again, pages=pages, kills=kills - skipped, skipped=skipped)
    if report.lost:
        sys.stderr.write(f"Failed pages by reason: {found['failed']}; still open: {found['open']}.\n")
    return report


def _crawl_with_kills(
    steps: Steps, runner: str, log: Path, moments: Sequence[int], chance: random.Random
) -> tuple[Counter[str], int]:
    """How often each page was in flight at a kill, and how many kills came too late."""
    in_flight: Counter[str] = Counter()
    skipped = 0
    for moment in [*moments, None]:
        worker = steps.start("work", runner)
        assert worker.stdout is not None
        in_flight.update(json.loads(worker.stdout.readline()))
        if moment is not None and _wait_for(log, moment, worker):
            time.sleep(chance.random() * 0.05)
            worker.kill()
        else:
            skipped += moment is not None
        worker.wait()
        worker.stdout.close()
    return in_flight, skipped


def _wait_for(log: Path, pages: int, worker: "subprocess.Popen[str]") -> bool:
    """Wait until the site was asked for so many different pages; False when the worker ends before."""
    seen: set[bytes] = set()
    with log.open("rb") as lines:
        while worker.poll() is None:
            for line in lines:
                seen.add(line.partition(b'"target": ')[2].partition(b",")[0])
            if len(seen) >= pages:
                return True
            time.sleep(0.002)
    return False


def _requests(log: Path) -> Counter[str]:
    targets = (json.loads(line)["target"] for line in log.read_text().splitlines())
    return Counter(target for target in targets if target.startswith(PREFIX))


def _judge(
    found: dict[str, object],
    asked: Counter[str],
    in_flight: Counter[str],
    *,
    pages: int,
    kills: int,
    skipped: int,
) -> Report:
    fetched = {str(url).partition(PREFIX)[2] for url in _list(found["pages"])}
    documents = Counter(str(sku) for sku in _list(found["documents"]))
    wanted = Counter(item_fields(number)["sku"] for number in range(pages))
    allowed = Counter({PREFIX + url.partition(PREFIX)[2]: count for url, count in in_flight.items()})
    return Report(
        kills=kills,
        lost=len({str(number) for number in range(pages)} - fetched)
        + (wanted - documents).total()
        + int(str(found["open"])),
        doubled=(documents - wanted).total() + int(str(found["copies"])),
        skipped=skipped,
        needless=sum(max(count - 1 - allowed[target], 0) for target, count in asked.items()),
    )


def _list(value: object) -> list[object]:
    assert isinstance(value, list)
    return value


def main() -> None:
    parser = argparse.ArgumentParser(prog="./gleaner chaos crawl", description=__doc__)
    parser.add_argument("--kills", type=int, default=50, help="how often the worker is killed (50)")
    parser.add_argument("--pages", type=int, default=2_000, help="pages of the site (2000)")
    parser.add_argument("--seed", type=int, default=0, help="another number kills at other points (0)")
    parser.add_argument("--database", default="", help="postgres://… of an empty database, instead of SQLite")
    parser.add_argument("--postgres", action="store_true", help="on a PostgreSQL server made for it, instead of SQLite")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="gleaner-chaos-") as name, ExitStack() as servers:
        folder = Path(name)
        own = servers.enter_context(private_postgres()) if options.postgres else f"sqlite://{folder}/gleaner.sqlite3"
        url = options.database or own
        env = {**os.environ, "GLEANER_VAR": name, "GLEANER_DATABASE_URL": url, "GLEANER_LOG_LEVEL": "ERROR"}
        subprocess.run([sys.executable, "manage.py", "migrate", "-v0"], cwd=ROOT, env=env, check=True)
        report = break_crawl(Steps(env), folder, pages=options.pages, kills=options.kills, seed=options.seed)
    sys.stdout.write(json.dumps(asdict(report)) + "\n")
    sys.exit(1 if report.lost or report.doubled or report.needless else 0)


if __name__ == "__main__":
    main()
