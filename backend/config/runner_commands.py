"""What the commands about runs share."""

from typing import Any

from backend.apps.runners.models import Runner
from backend.apps.runners.selectors import statistics_of
from backend.config.choosing import runner_numbered
from backend.config.several import SeveralCommand


class RunnersCommand(SeveralCommand):
    """A command that does one thing to one or several runs, and says so."""

    key, word = "runner", "Run"
    numbers_help = "the number in the address of the run's page"

    def find(self, number: int) -> Runner:
        return runner_numbered(number)

    def describe(self, number: int) -> dict[str, Any]:
        return describe_runner(runner_numbered(number))


def describe_runner(runner: Runner) -> dict[str, Any]:
    counts = statistics_of(runner)
    return {"runner": runner.pk, "status": runner.status, "reason": runner.reason, "pages": counts["pages"]}
