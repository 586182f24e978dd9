"""Free the space of old runs: their pages, frontier and log go, documents and statistics stay."""

import re
from argparse import ArgumentParser, ArgumentTypeError
from datetime import timedelta
from typing import Any

from django.core.management.base import BaseCommand
from django.utils import timezone

from backend.apps.housekeeping.pruning import Pruned, prune
from backend.apps.housekeeping.sweeping import sweep
from backend.config.choosing import project_called
from backend.config.worker_files import remove_worker_files
from wording import say_count

UNITS = {"h": "hours", "d": "days", "w": "weeks"}


def age(text: str) -> timedelta:
    """`30d`, `12h` or `2w`."""
    found = re.fullmatch(r"(\d{1,5})([hdw])", text.strip().lower())
    if found is None:
        raise ArgumentTypeError(f"“{text}” is no age. Write it like 30d, 12h or 2w.")
    return timedelta(**{UNITS[found[2]]: int(found[1])})


class Command(BaseCommand):
    help = __doc__

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--older-than", type=age, required=True, help="age of the runs, like 30d, 12h or 2w")
        parser.add_argument("--project", help="only this project")
        parser.add_argument("--keep", type=int, default=1, help="newest runs of each crawler that stay (default: 1)")
        parser.add_argument("--dry-run", action="store_true", help="delete nothing, say what would go")

    def handle(self, *args: Any, **options: Any) -> None:
        project = project_called(options["project"]) if options["project"] else None
        before = timezone.now() - options["older_than"]
        pruned = prune(before=before, project=project, keep=max(0, options["keep"]), dry_run=options["dry_run"])
        if not options["dry_run"]:
            while sweep(seconds=1.0):  # and finish what people deleted
                pass
            remove_worker_files(before=before)
        self.stdout.write(self._tell(pruned, is_dry_run=options["dry_run"]))

    def _tell(self, pruned: Pruned, *, is_dry_run: bool) -> str:
        if not pruned.runners:
            return "No run is that old, or only the newest ones are: nothing to free."
        rows = ", ".join(say_count(rows, name) for name, rows in pruned.rows.items())
        told = f"{say_count(pruned.runners, 'run')}: {rows}; about {pruned.bytes / 1_000_000:,.1f} MB. Documents stay."
        if is_dry_run:
            return f"Would free {told}"
        return f"Freed {told} The database uses the space again for what comes next."
