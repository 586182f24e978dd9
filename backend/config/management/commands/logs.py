"""Print the log of a run, the oldest line first; -f goes on until it has ended."""

import time
from argparse import ArgumentParser, ArgumentTypeError
from collections.abc import Sequence
from typing import Any

from backend.apps.events.tails import Tail
from backend.apps.jobs.clock import database_now
from backend.apps.runners.models import LogLine, Runner, RunnerStatus
from backend.config.choosing import runner_numbered
from backend.config.plain_command import PlainCommand
from backend.config.tables import as_json

ENDED = (RunnerStatus.COMPLETED, RunnerStatus.EXIT)
LOOK_SECONDS = 1.0
RECENT_LINES = 1_000
"""So many of the last lines are looked at before a follower begins: of those it knows which it has not seen yet."""
MOST_LINES = 10**12  # “all of them”: what a database takes for a number of rows
FIELDS = ("pk", "at", "level", "message", "url")


def line_count(text: str) -> int:
    if not text.isdecimal():
        raise ArgumentTypeError(f"“{text}” is no number of lines. Give one that is not negative, such as 50.")
    return min(int(text), MOST_LINES)


class Command(PlainCommand):
    help = __doc__
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("runner", type=int, help="the number in the address of the run's page")
        parser.add_argument("-f", "--follow", action="store_true", help="go on until the run has ended")
        parser.add_argument(
            "-n", "--lines", type=line_count, default=200, help="begin with so many of the last lines (200)"
        )
        parser.add_argument("--json", action="store_true", help="one JSON object a line, for programs")

    def handle(self, *args: Any, **options: Any) -> None:
        runner, is_json = runner_numbered(options["runner"]), options["json"]
        lines = LogLine.objects.filter(runner=runner)
        count = options["lines"]
        looked_at = max(count, RECENT_LINES)
        newest = list(lines.order_by("-pk").values_list(*FIELDS)[:looked_at])[::-1]
        tail = Tail(newest[0][0] - 1 if len(newest) == looked_at else 0)
        tail.take(newest, database_now())
        self._print(newest[len(newest) - min(count, len(newest)) :], is_json=is_json)
        if not (newest or is_json or options["follow"]):
            self.stderr.write(
                f"The log of run {runner.pk} is empty: only what does not go as expected is written there."
            )
        while options["follow"]:
            is_over = not Runner.objects.filter(pk=runner.pk).exclude(status__in=ENDED).exists()  # or was deleted
            fresh = list(lines.filter(pk__gt=tail.position).order_by("pk").values_list(*FIELDS))
            self._print(tail.take(fresh, database_now()), is_json=is_json)
            if is_over:
                return
            time.sleep(LOOK_SECONDS)

    def _print(self, lines: Sequence[tuple[Any, ...]], *, is_json: bool) -> None:
        for identity, at, level, message, url in lines:
            if is_json:
                told = {"id": identity, "at": at, "level": level, "message": message, "url": url}
                self.stdout.write(as_json(told))
            else:
                where = f" [{url}]" if url else ""
                self.stdout.write(f"{at:%Y-%m-%d %H:%M:%S} {level:<7} {message}{where}")
