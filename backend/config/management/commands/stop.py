"""Stop runs for good: pages in work are finished, everything found is kept."""

from backend.apps.runners.models import Runner
from backend.apps.runners.services import stop_runner
from backend.config.runner_commands import RunnersCommand


class Command(RunnersCommand):
    help = __doc__

    def act(self, runner: Runner) -> str:
        stop_runner(runner=runner)
        return "is stopped."
