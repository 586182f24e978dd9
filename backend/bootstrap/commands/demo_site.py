"""Run the demo site alone: a small shop, a magazine, and pages that misbehave, to try crawls on."""

from collections.abc import Sequence

from backend.bootstrap.environment import child_environment
from backend.bootstrap.places import Places
from backend.bootstrap.processes.foreground import become
from backend.bootstrap.setup.disk import check_writable
from backend.bootstrap.setup.plan import steps_to_manage
from backend.bootstrap.setup.steps import Setup


def run(arguments: Sequence[str], places: Places) -> int:
    check_writable(places)
    Setup(places).carry_out(steps_to_manage(places))
    become([places.python, "-m", "backend.demo_site", *arguments], env=child_environment(places), cwd=places.root)
