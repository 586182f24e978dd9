"""Set up what is missing and run Gleaner: web, head node, and the demo site, which it crawls and indexes once."""

import argparse
import errno
import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from backend.bootstrap.environment import child_environment, database_url
from backend.bootstrap.errors import ActionNeededError
from backend.bootstrap.places import Places
from backend.bootstrap.processes.roles import Site, demo_task, roles_of
from backend.bootstrap.processes.serving import has_display, serve
from backend.bootstrap.processes.supervisor import Supervisor
from backend.bootstrap.servers.ports import next_free, why_not_usable
from backend.bootstrap.setup.database import Database
from backend.bootstrap.setup.disk import check_room, check_writable
from backend.bootstrap.setup.locks import LockHeld, hold
from backend.bootstrap.setup.plan import steps_to_run
from backend.bootstrap.setup.steps import Setup

EXAMPLES = """examples:
  ./gleaner up                                  set up, run, print the address
  ./gleaner up --no-demo                        without the demo site, a website to try Gleaner on
  ./gleaner up --port 9000                      use another port
  ./gleaner up --database postgres://me:secret@db.example.org/gleaner
  GLEANER_VAR=/srv/gleaner ./gleaner up         keep database, keys and logs elsewhere

Ctrl-C stops everything; a second Ctrl-C does not wait for running work."""


def parser() -> argparse.ArgumentParser:
    options = argparse.ArgumentParser(
        prog="./gleaner up", description=__doc__, epilog=EXAMPLES, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    port = os.environ.get("GLEANER_PORT") or "8000"
    options.add_argument(
        "--port", type=port_number, default=port, help="where to listen (default: GLEANER_PORT or 8000)"
    )
    options.add_argument(
        "--no-browser-setup",
        action="store_true",
        help="do not install Chromium; crawls in the browser lane will not work",
    )
    options.add_argument(
        "--database", metavar="URL", help="postgres://user:password@host:port/name (default: SQLite under var/)"
    )
    options.add_argument(
        "--demo",
        action=argparse.BooleanOptionalAction,
        default=True,
        help="run the demo site beside it; the first time its shops are crawled and indexed (default: yes)",
    )
    return options


def port_number(text: str) -> int:
    if not text.isdecimal() or not 0 < int(text) < 65536:
        raise argparse.ArgumentTypeError(f"“{text}” is not a port; choose a number from 1 to 65535.")
    return int(text)


def run(arguments: Sequence[str], places: Places) -> int:
    options = parser().parse_args(arguments)
    check_writable(places)
    with _only_one(places, options.port):
        _check_port(options.port)
        check_room(places)
        url = database_url(places, options.database)
        env = child_environment(places, GLEANER_DATABASE_URL=url, GLEANER_PORT=str(options.port))
        database = Database(places, env)
        Setup(places).carry_out(steps_to_run(places, database, with_browser=not options.no_browser_setup))
        _check_port(options.port)  # again: set-up may have taken minutes
        return _run_site(places, env, options, welcome=database.welcome)


def _run_site(places: Places, env: Mapping[str, str], options: argparse.Namespace, *, welcome: str) -> int:
    site = Site.plan(port=options.port, with_demo=options.demo)
    env = {**env, **site.environment(env)}
    task = demo_task(places, env, site, opens_browser=has_display())
    serve(Supervisor(roles_of(places, env, site)), site, welcome=welcome, task=task)
    return 0


@contextmanager
def _only_one(places: Places, port: int) -> Iterator[None]:
    """Two Gleaners must not share a folder: they would both run the head node on one database."""
    try:
        with hold(places.var / "up.lock", port=port):
            yield
    except LockHeld as held:
        raise ActionNeededError(_already_running(places, held.holder)) from None


def _already_running(places: Places, holder: Mapping[str, Any]) -> str:
    return (
        f"Gleaner already runs from {places.var} (process {holder.get('pid', 'unknown')}, "
        f"http://127.0.0.1:{holder.get('port', '?')}). Use that one, stop it with Ctrl-C, "
        f"or give this one a folder of its own: GLEANER_VAR=/another/folder ./gleaner up --port …"
    )


def _check_port(port: int) -> None:
    reason = why_not_usable(port)
    if reason == errno.EADDRINUSE:
        raise ActionNeededError(
            f"Port {port} is taken by another program. Choose another: ./gleaner up --port {next_free(port)}"
        )
    if reason is not None:
        raise ActionNeededError(
            f"Port {port} cannot be used ({os.strerror(reason)}). "
            f"Choose one above 1023: ./gleaner up --port {next_free(8000)}"
        )
