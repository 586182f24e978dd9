"""Run a management command of Django or of Gleaner, in Gleaner's environment."""

from collections.abc import Sequence

from backend.bootstrap.environment import child_environment
from backend.bootstrap.places import Places
from backend.bootstrap.processes.foreground import become
from backend.bootstrap.setup.disk import check_writable
from backend.bootstrap.setup.plan import steps_to_manage
from backend.bootstrap.setup.steps import Setup


def run(arguments: Sequence[str], places: Places) -> int:
    """Set up what is missing, then become `manage.py`: signals, terminal and exit code are its own."""
    check_writable(places)
    Setup(places).carry_out(steps_to_manage(places))
    become([places.python, "manage.py", *arguments], env=child_environment(places), cwd=places.root)
