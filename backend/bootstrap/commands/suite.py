"""Run the whole suite, or with arguments only pytest.

Without arguments: linters, type checks, import contracts, migrations, the API's description, the production check,
the user interface's own checks and tests, pytest on SQLite, again on a private PostgreSQL for what touches the
database, and the browser tests. A private PostgreSQL and Redis run meanwhile and are gone afterwards.
"""

import argparse
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from backend.bootstrap.environment import child_environment
from backend.bootstrap.places import Places
from backend.bootstrap.processes.children import Command
from backend.bootstrap.processes.foreground import run_in_foreground
from backend.bootstrap.servers.postgres import private_postgres
from backend.bootstrap.servers.private_folder import private_folder
from backend.bootstrap.servers.redis import private_redis
from backend.bootstrap.setup.disk import check_room, check_writable
from backend.bootstrap.setup.plan import steps_to_test
from backend.bootstrap.setup.steps import Setup
from backend.bootstrap.suite.checks import PLUGIN, all_checks
from backend.bootstrap.suite.runs import run_checks

EXAMPLES = """examples:
  ./gleaner test                                     everything, with a table at the end
  ./gleaner test tests/unit/crawler_node -x          only pytest, with these arguments
  ./gleaner test -k canonical --pdb                  pytest may use the terminal
  ./gleaner test --postgres tests/contracts          on the private PostgreSQL instead of SQLite

Anything but --postgres and --help is handed to pytest."""
KEPT_SETTINGS = ("GLEANER_REAL_SITES",)


def parser() -> argparse.ArgumentParser:
    options = argparse.ArgumentParser(
        prog="./gleaner test",
        usage="./gleaner test [--postgres] [pytest arguments]",
        description=__doc__,
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    options.add_argument("--postgres", action="store_true", help="run pytest on the private PostgreSQL")
    return options


def run(arguments: Sequence[str], places: Places) -> int:
    options, pytest_arguments = parser().parse_known_args(arguments)
    check_writable(places)
    check_room(places)
    Setup(places).carry_out(steps_to_test(places))
    with _servers(places) as servers:
        if pytest_arguments or options.postgres:
            return _run_pytest(places, servers, pytest_arguments, on_postgres=options.postgres)
        return run_checks(
            all_checks(places, postgres_url=servers.postgres_url), servers.env, log_folder=places.logs / "test"
        )


@dataclass(frozen=True)
class _Servers:
    postgres_url: str
    env: Mapping[str, str]


@contextmanager
def _servers(places: Places) -> Iterator[_Servers]:
    """Private PostgreSQL and Redis, and an environment for tests in which the person's own settings play no part."""
    with private_folder("test") as folder, private_postgres() as postgres_url, private_redis() as redis_url:
        settings = {
            "GLEANER_VAR": str(folder),
            "GLEANER_TEST_DATABASE_URL": postgres_url,
            "GLEANER_TEST_REDIS_URL": redis_url,
        }
        yield _Servers(postgres_url, {**_without_settings(child_environment(places)), **settings})


def _without_settings(env: Mapping[str, str]) -> dict[str, str]:
    return {name: value for name, value in env.items() if not name.startswith("GLEANER_") or name in KEPT_SETTINGS}


def _run_pytest(places: Places, servers: _Servers, arguments: Sequence[str], *, on_postgres: bool) -> int:
    env = {**servers.env, **({"GLEANER_DATABASE_URL": servers.postgres_url} if on_postgres else {})}
    command: Command = [places.python, "-m", "pytest", *PLUGIN, *arguments]
    return run_in_foreground(command, env=env, cwd=places.root)
