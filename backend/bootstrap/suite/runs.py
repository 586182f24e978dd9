"""Carries the suite's checks out one after the other and closes with a table of what came out."""

import re
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from backend.bootstrap.console import say
from backend.bootstrap.processes import tree
from backend.bootstrap.processes.children import Child, stop_all
from backend.bootstrap.processes.stop_signal import POLL_SECONDS, stop_signal
from backend.bootstrap.suite.checks import Check

RULE = "─" * 100
ANSI = re.compile(r"\x1b\[[0-9;]*m")
VITEST_SUMMARY = re.compile(r"^\s*Tests {2,}(.*\b(?:passed|failed)\b.*)$", re.MULTILINE)
PYTEST_SUMMARY = re.compile(r"^=+ (.*\b(?:passed|failed|errors?|skipped|deselected|no tests ran)\b.*) in [\d.]+s.*=+$")
COUNT = re.compile(r"(\d+) (passed|failed|errors?|skipped|xfailed|xpassed)\b")


@dataclass(frozen=True)
class Outcome:
    name: str
    exit_code: int
    seconds: float
    summary: str

    @property
    def is_good(self) -> bool:
        return self.exit_code == 0


def run_checks(checks: Sequence[Check], env: Mapping[str, str], *, log_folder: Path) -> int:
    """0 when every check passed. A failure does not stop the others; Ctrl-C does."""
    outcomes = []
    for check in checks:
        outcomes.append(_run(check, env, log_folder / f"{re.sub(r'[^a-zA-Z0-9]+', '-', check.name).lower()}.log"))
        stop_signal.check()
    say(table(outcomes))
    return 0 if all(outcome.is_good for outcome in outcomes) else 1


def _run(check: Check, env: Mapping[str, str], log: Path) -> Outcome:
    say(f"{RULE}\n{check.name}")
    log.unlink(missing_ok=True)
    started = time.monotonic()
    child = Child(check.name, check.command, env={**env, **check.env}, cwd=check.cwd, log=log)
    code = _follow(child, log) if check.live else child.wait()
    seconds = time.monotonic() - started
    output = log.read_text(errors="replace")
    if code and not check.live:
        say(output.rstrip())
    if code and check.on_failure:
        say(check.on_failure)
    say(f"{check.name}: {'passed' if code == 0 else f'failed with exit code {code}'} in {seconds:.1f} s")
    return Outcome(check.name, code, seconds, pytest_summary(output) or vitest_summary(output))


def _follow(child: Child, log: Path) -> int:
    """Show what the child prints as it prints it; its exit code."""
    with log.open(errors="replace") as stream:
        while (code := child.exit_code) is None:
            tree.bury_orphans()
            _show(stream)
            if stop_signal.wait(POLL_SECONDS):
                stop_all([child])
                _show(stream)
                stop_signal.check()
        _show(stream)
    return code


def _show(stream: IO[str]) -> None:
    if text := stream.read():
        sys.stdout.write(text)
        sys.stdout.flush()


def pytest_summary(output: str) -> str:
    """“12 passed, 1 skipped” from pytest's closing line; nothing when the program was not pytest."""
    for line in reversed(ANSI.sub("", output).splitlines()[-5:]):
        if found := PYTEST_SUMMARY.match(line.strip()):
            return found.group(1)
    return ""


def vitest_summary(output: str) -> str:
    """“7 passed (7)” from vitest's closing lines; nothing when the program was not vitest."""
    found = VITEST_SUMMARY.search(ANSI.sub("", output))
    return found.group(1).strip() if found else ""


def table(outcomes: Sequence[Outcome]) -> str:
    """One row per check, then the sum of pytest's counts and the verdict."""
    rows = [
        f"  {'ok' if one.is_good else 'FAILED':<8}{one.name:<24}{one.seconds:>8.1f} s  {one.summary}".rstrip()
        for one in outcomes
    ]
    failed = [one.name for one in outcomes if not one.is_good]
    verdict = f"FAILED: {', '.join(failed)}" if failed else f"All {len(outcomes)} checks passed"
    seconds = sum(one.seconds for one in outcomes)
    return "\n".join([RULE, *rows, RULE, f"{verdict}; pytest: {total_counts(outcomes)} in {seconds:.0f} s"])


def total_counts(outcomes: Sequence[Outcome]) -> str:
    """What all runs of pytest came to; the user interface has its own line."""
    totals: dict[str, int] = {}
    for outcome in (one for one in outcomes if one.name.startswith("pytest")):
        for number, word in COUNT.findall(outcome.summary):
            totals[word] = totals.get(word, 0) + int(number)
    return ", ".join(f"{number} {word}" for word, number in totals.items()) or "no tests ran"
