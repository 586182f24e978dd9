"""Run what lives as a script under tests/: benchmarks and chaos runs."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from backend.bootstrap.catalog import Script, nearest, scripts_in
from backend.bootstrap.console import say
from backend.bootstrap.errors import ActionNeededError
from backend.bootstrap.places import Places
from backend.bootstrap.processes.foreground import become_module
from backend.bootstrap.setup.disk import check_room, check_writable
from backend.bootstrap.setup.plan import steps_to_script
from backend.bootstrap.setup.python_env import peers_python
from backend.bootstrap.setup.steps import Setup


@dataclass(frozen=True)
class Kind:
    """A folder of scripts, and the command that runs them."""

    command: str
    folder: str
    noun: str
    explanation: str

    def scripts(self, places: Places) -> list[Script]:
        return scripts_in([places.root / self.folder])


BENCHMARKS = Kind(
    "bench",
    "tests/benchmarks",
    "benchmark",
    "Each prints ratios against a peer, measured in the same run. Peers live in an environment of their own.",
)
CHAOS = Kind(
    "chaos", "tests/chaos", "chaos run", "Each breaks something while Gleaner works, and checks that nothing is lost."
)


def run_benchmark(arguments: Sequence[str], places: Places) -> int:
    return run(BENCHMARKS, arguments, places)


def run_chaos(arguments: Sequence[str], places: Places) -> int:
    return run(CHAOS, arguments, places)


def run(kind: Kind, arguments: Sequence[str], places: Places) -> int:
    """Without a name, list what there is; with one, set up and become that script."""
    if not arguments or arguments[0] in ("--help", "-h"):
        say(listing(kind, places))
        return 0
    script = _find(kind, arguments[0], places)
    check_writable(places)
    check_room(places)
    with_peers = kind is BENCHMARKS
    Setup(places).carry_out(steps_to_script(places, with_peers=with_peers))
    python = peers_python(places) if with_peers and peers_python(places).exists() else places.python
    module = f"{kind.folder.replace('/', '.')}.{script.name}"
    become_module(module, arguments[1:], python=python, places=places)


def listing(kind: Kind, places: Places) -> str:
    scripts = kind.scripts(places)
    rows = [f"  {script.name:<24}{script.summary}" for script in scripts] or [f"  (there is no {kind.noun} yet)"]
    usage = f"Usage: ./gleaner {kind.command} NAME [its options]"
    more = f"./gleaner {kind.command} NAME --help shows the options of one."
    return "\n".join([usage, kind.explanation, "", *rows, "", more])


def _find(kind: Kind, name: str, places: Places) -> Script:
    by_name = {script.name: script for script in kind.scripts(places)}
    wanted = Path(name).stem.replace("-", "_")
    if wanted in by_name:
        return by_name[wanted]
    meant = nearest(wanted, by_name)
    hint = f"Did you mean {meant}?" if meant else f"./gleaner {kind.command} lists them."
    raise ActionNeededError(f"There is no {kind.noun} “{name}”. {hint}")
