"""Make the first administrator, with a printed random password, when nobody is there yet."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand

from backend.apps.accounts.services import make_first_administrator


class Command(BaseCommand):
    help = __doc__

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--username", default="admin", help="the name to sign in with (default: admin)")

    def handle(self, *args: Any, **options: Any) -> None:
        password = make_first_administrator(username=options["username"])
        if password is not None:
            self.stdout.write(f"Sign in as {options['username']} with the password {password}")
            self.stdout.write("It is shown only this once; change it under Account → Password.")
