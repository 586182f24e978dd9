"""Programs that set-up runs: their words go to var/log/setup.log, and the end of them is shown when they fail."""

import subprocess
import time
from collections.abc import Mapping
from pathlib import Path

from backend.bootstrap.errors import CommandFailedError
from backend.bootstrap.processes.children import Child, Command

SILENT_TIMEOUT_SECONDS = 60


def run_logged(
    command: Command,
    *,
    log: Path,
    cwd: Path | None = None,
    env: Mapping[str, str] | None = None,
    on_failure: str = "",
) -> None:
    """Run to the end, or raise CommandFailedError with `on_failure` (what to do next) and the end of its output."""
    log.parent.mkdir(parents=True, exist_ok=True)
    line = " ".join(str(part) for part in command)
    with log.open("a") as stream:
        stream.write(f"\n[{time.strftime('%Y-%m-%d %H:%M:%S')}] $ {line}\n")
    child = Child(line, command, log=log, cwd=cwd, env=env)
    if code := child.wait():
        advice = on_failure or f"The whole output is in {log}."
        raise CommandFailedError(f"“{line}” failed with exit code {code}. {advice}", detail=child.tail())


def answer_of(command: Command) -> str | None:
    """What a quick program prints, or None when it is missing, fails or hangs."""
    try:
        result = subprocess.run(
            [str(part) for part in command],
            capture_output=True,
            text=True,
            check=False,
            stdin=subprocess.DEVNULL,
            timeout=SILENT_TIMEOUT_SECONDS,
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    return result.stdout.strip() if result.returncode == 0 else None
