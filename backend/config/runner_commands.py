"""What the commands about runs share."""

from argparse import ArgumentParser
from collections.abc import Callable
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from backend.apps.errors import UserFault
from backend.apps.runners.models import Runner
from backend.apps.runners.selectors import statistics_of
from backend.config.choosing import runner_numbered
from backend.config.tables import as_json


class RunnersCommand(BaseCommand):
    """A command that does one thing to one or several runs, and says so."""

    requires_system_checks: list[str] = []
    act: Callable[[Runner], str]

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("runner", type=int, nargs="+", help="the number in the address of the run's page")
        parser.add_argument("--json", action="store_true", help="for programs")

    def handle(self, *args: Any, **options: Any) -> None:
        told = {}
        for number in options["runner"]:
            runner = runner_numbered(number)
            try:
                told[number] = self.act(runner)
            except UserFault as error:
                raise CommandError(f"Run {number}: {error}") from error
        if options["json"]:
            self.stdout.write(as_json([describe_runner(runner_numbered(number)) for number in told]))
        else:
            self.stdout.write("\n".join(f"Run {number} {sentence}" for number, sentence in told.items()))


def describe_runner(runner: Runner) -> dict[str, Any]:
    counts = statistics_of(runner)
    return {"runner": runner.pk, "status": runner.status, "reason": runner.reason, "pages": counts["pages"]}
