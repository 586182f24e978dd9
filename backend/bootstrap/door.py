"""The door: reads the first word and hands the rest to the command of that name."""

import errno
import io
import shutil
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from backend.bootstrap import catalog, console
from backend.bootstrap.commands import demo_site, manage, scripts, suite, up
from backend.bootstrap.errors import ActionNeededError, BootstrapError
from backend.bootstrap.places import Places
from backend.bootstrap.processes import children, tree
from backend.bootstrap.processes.stop_signal import stop_signal

USAGE_EXIT_CODE = 2


@dataclass(frozen=True)
class Command:
    summary: str
    run: Callable[[Sequence[str], Places], int]


COMMANDS: Mapping[str, Command] = {
    "up": Command("set up what is missing and run Gleaner; the one command to start with", up.run),
    "test": Command("set up, start private PostgreSQL and Redis, and run the whole suite", suite.run),
    "manage": Command("run a management command of Django, such as `migrate` or `shell`", manage.run),
    "demo-site": Command("run the demo site alone, a website to try crawls on", demo_site.run),
    "bench": Command("run a benchmark of tests/benchmarks/, or list them", scripts.run_benchmark),
    "chaos": Command("run a chaos test of tests/chaos/, or list them", scripts.run_chaos),
}
EXAMPLES = """Examples:
  ./gleaner up                    then open the address it prints
  ./gleaner up --no-demo          without the demo, a website that is crawled and indexed at the first start
  ./gleaner test                  everything
  ./gleaner test tests/unit -x    only pytest, with these arguments
  ./gleaner manage shell
  ./gleaner COMMAND --help        more about one command (docs/commands.md has it all)"""


def main(arguments: Sequence[str]) -> int:
    """The exit code; whatever goes wrong is one sentence, and nothing that was started is left behind."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")  # a terminal that cannot show “ or … still gets the sentence
    stop_signal.install()
    tree.become_subreaper()
    try:
        return dispatch(arguments, Places.of_this_clone())
    except BootstrapError as error:
        console.complain(error)
        return error.exit_code
    except OSError as error:
        console.complain(_explain(error))
        return 1
    finally:
        children.stop_strays()


def dispatch(arguments: Sequence[str], places: Places) -> int:
    name, rest = (arguments[0], arguments[1:]) if arguments else ("--help", [])
    if name in ("--help", "-h", "help"):
        console.say(help_text(places))
        return 0
    if name in COMMANDS:
        return COMMANDS[name].run(rest, places)
    if catalog.has_management_command(places, name):
        return manage.run_own(arguments, places)
    console.report(_unknown(name, places))
    return USAGE_EXIT_CODE


def help_text(places: Places) -> str:
    passed_through = catalog.management_commands(places)
    lines = ["Usage: ./gleaner COMMAND [options]", "", "Commands:"]
    lines += [_row(name, command.summary) for name, command in COMMANDS.items()]
    if passed_through:
        lines += ["", "Gleaner's own management commands:", *(_row(one.name, one.summary) for one in passed_through)]
    return "\n".join([*lines, "", EXAMPLES])


def _row(name: str, summary: str) -> str:
    return f"  {name:<20} {summary}"


def _unknown(name: str, places: Places) -> str:
    known = [*COMMANDS, *(script.name for script in catalog.management_commands(places))]
    meant = catalog.nearest(name, known)
    hint = f"Did you mean ./gleaner {meant}?" if meant else "./gleaner --help lists the commands."
    return f"There is no command “{name}”. {hint}"


def _explain(error: OSError) -> BootstrapError:
    """A sentence for what the operating system refused."""
    where = f" ({error.filename})" if error.filename else ""
    if error.errno == errno.ENOSPC:
        free_gb = shutil.disk_usage(".").free / 2**30
        return ActionNeededError(f"The disk is full{where}: {free_gb:.1f} GB free. Free some space and start again.")
    if error.errno in (errno.EACCES, errno.EPERM, errno.EROFS):
        return ActionNeededError(
            f"Gleaner may not write here{where}. Make the folder writable for you and start again."
        )
    return ActionNeededError(f"The system refused what Gleaner needs{where}: {error.strerror}.")
