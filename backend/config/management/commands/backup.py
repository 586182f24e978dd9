"""Write everything Gleaner knows into one file, while it goes on working."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from backend.config.backups import BackupError, write_backup

WITHOUT_KEYS = (
    "The keys are not in it: keep a copy of var/encryption.key (or GLEANER_ENCRYPTION_KEY) in another place; without "
    "it the projects' secrets cannot be read. Everything else can be read by whoever has the file."
)
WITH_KEYS = "The keys are in it: whoever has the file can read the projects' secrets. Keep it like a password."


class Command(BaseCommand):
    help = __doc__

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path, help="file to write, for example gleaner.backup")
        parser.add_argument("--with-keys", action="store_true", help="take the keys along: the file is then a secret")
        parser.add_argument("--force", action="store_true", help="replace a file that is there already")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            size = write_backup(options["file"], with_keys=options["with_keys"], force=options["force"])
        except BackupError as error:
            raise CommandError(error.message) from error
        self.stdout.write(f"Wrote {options['file']} ({size / 1_000_000:,.1f} MB).")
        self.stdout.write(WITH_KEYS if options["with_keys"] else WITHOUT_KEYS)
