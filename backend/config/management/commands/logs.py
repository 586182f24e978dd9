"""Print the log of a run, the oldest line first; -f goes on until it has ended."""

import time
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand

from backend.apps.runners.models import LogLine, Runner, RunnerStatus
from backend.config.choosing import runner_numbered
from backend.config.tables import as_json

ENDED = (RunnerStatus.COMPLETED, RunnerStatus.EXIT)
LOOK_SECONDS = 1.0


class Command(BaseCommand):
    help = __doc__
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("runner", type=int, help="the number in the address of the run's page")
        parser.add_argument("-f", "--follow", action="store_true", help="go on until the run has ended")
        parser.add_argument("-n", "--lines", type=int, default=200, help="begin with so many of the last lines (200)")
        parser.add_argument("--json", action="store_true", help="one JSON object a line, for programs")

    def handle(self, *args: Any, **options: Any) -> None:
        runner = runner_numbered(options["runner"])
        newest = list(LogLine.objects.filter(runner=runner).order_by("-pk")[: options["lines"]])
        last = self._print(newest[::-1], is_json=options["json"])
        while options["follow"]:
            is_over = Runner.objects.filter(pk=runner.pk, status__in=ENDED).exists()
            fresh = LogLine.objects.filter(runner=runner, pk__gt=last).order_by("pk")
            last = max(last, self._print(list(fresh), is_json=options["json"]))
            if is_over:
                return
            time.sleep(LOOK_SECONDS)

    def _print(self, lines: list[LogLine], *, is_json: bool) -> int:
        """The number of the last line, 0 when there was none."""
        for line in lines:
            if is_json:
                told = {"id": line.pk, "at": line.at, "level": line.level, "message": line.message, "url": line.url}
                self.stdout.write(as_json(told))
            else:
                where = f" [{line.url}]" if line.url else ""
                self.stdout.write(f"{line.at:%Y-%m-%d %H:%M:%S} {line.level:<7} {line.message}{where}")
        return lines[-1].pk if lines else 0
