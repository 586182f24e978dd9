"""Run the present template again on the pages that a run kept, without asking the site."""

import sys
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import CommandError

from backend.apps.errors import Conflict
from backend.apps.runners.reextraction import Reextraction, reextract_runner
from backend.config.choosing import runner_numbered
from backend.config.plain_command import PlainCommand
from crawler_node.extract.errors import ExtractError
from wording import say_count


class Command(PlainCommand):
    help = __doc__

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("runner", type=int, help="number of the runner, as in the address of its page")

    def handle(self, *args: Any, **options: Any) -> None:
        runner = runner_numbered(options["runner"])
        try:
            done = reextract_runner(runner=runner, on_progress=self._tell if sys.stderr.isatty() else None)
        except (Conflict, ExtractError) as error:
            raise CommandError(str(error)) from error
        self.stdout.write(done.sentence)

    def _tell(self, done: Reextraction) -> None:
        looked_at = done.pages + done.newer
        last = looked_at == done.total
        self.stderr.write(f"\r{looked_at:,} of {say_count(done.total, 'page')}", ending="\n" if last else "")
        self.stderr.flush()
