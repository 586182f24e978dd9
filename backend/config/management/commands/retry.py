"""Try the failed pages of ended or paused runs again."""

from backend.apps.runners.models import Runner
from backend.apps.runners.services import retry_failed_pages
from backend.config.runner_commands import RunnersCommand
from wording import say_count


class Command(RunnersCommand):
    help = __doc__
    needs_head = True

    def act(self, runner: Runner) -> str:
        count = retry_failed_pages(runner=runner)
        return f"tries {say_count(count, 'failed page')} again."
