"""Replace everything by what a backup holds."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from backend.config.backups import BackupError, restore_backup


class Command(BaseCommand):
    help = __doc__

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path, help="the backup")
        parser.add_argument("--force", action="store_true", help="replace the projects that are there")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            restored = restore_backup(options["file"], force=options["force"])
        except BackupError as error:
            raise CommandError(error.message) from error
        self.stdout.write(f"Restored {options['file']}, as of {restored.made_at}.")
        self.stdout.write("The accounts are those of the backup, too: sign in with a name and password from then.")
        for note in restored.notes:
            self.stdout.write(note)
