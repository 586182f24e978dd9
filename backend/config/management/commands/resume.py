"""Let paused runs go on."""

from backend.apps.runners.models import Runner
from backend.apps.runners.services import resume_runner
from backend.config.runner_commands import RunnersCommand


class Command(RunnersCommand):
    help = __doc__
    needs_head = True

    def act(self, runner: Runner) -> str:
        resume_runner(runner=runner)
        return "goes on."
