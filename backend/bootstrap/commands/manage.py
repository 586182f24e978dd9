"""Run a management command of Django or of Gleaner, in Gleaner's environment."""

from collections.abc import Sequence
from typing import NoReturn

from backend.bootstrap.console import report
from backend.bootstrap.environment import child_environment, database_url
from backend.bootstrap.places import Places
from backend.bootstrap.processes.foreground import become
from backend.bootstrap.setup.database import Database
from backend.bootstrap.setup.disk import check_writable
from backend.bootstrap.setup.plan import steps_to_manage, steps_to_work
from backend.bootstrap.setup.steps import Setup

NEEDS_NO_TABLES = {"-h", "--help", "--ephemeral"}
HAS_TABLES_ELSEWHERE = {"node"}  # a crawler node works on its cluster's database, and may not change its tables


def run(arguments: Sequence[str], places: Places) -> NoReturn:
    """`./gleaner manage …`: the database is left as it is, for `migrate` itself may be what is wanted."""
    check_writable(places)
    Setup(places).carry_out(steps_to_manage(places))
    _become_manage(arguments, places)


def run_own(arguments: Sequence[str], places: Places) -> NoReturn:
    """`./gleaner crawl …` and its like: also on a machine where `up` has never run."""
    if NEEDS_NO_TABLES.intersection(arguments) or arguments[0] in HAS_TABLES_ELSEWHERE:
        run(arguments, places)
    check_writable(places)
    database = Database(places, child_environment(places, GLEANER_DATABASE_URL=database_url(places)))
    Setup(places).carry_out(steps_to_work(places, database))
    if database.welcome:
        report(f"\n{database.welcome}\n")
    _become_manage(arguments, places)


def _become_manage(arguments: Sequence[str], places: Places) -> NoReturn:
    """Signals, terminal and exit code are from now on those of `manage.py`."""
    become([places.python, places.root / "manage.py", *arguments], env=child_environment(places))
