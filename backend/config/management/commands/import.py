"""Merge a project file into the project of its name; importing twice changes nothing, nothing is deleted."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from backend.apps.errors import Invalid
from backend.apps.project_files import ImportReport, import_into_project, import_project, read_json
from backend.config.choosing import local_owner, project_called

SAID = {"created": "Made", "updated": "Changed", "unchanged": "Already there"}


class Command(BaseCommand):
    help = __doc__

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path, help="the project file")
        parser.add_argument("--project", help="merge into this project instead of the one the file names")

    def handle(self, *args: Any, **options: Any) -> None:
        report = self._import(options["file"], options["project"])
        for outcome, said in SAID.items():
            for noun, names in getattr(report, outcome).items():
                if names:
                    self.stdout.write(f"{said}: {noun} {', '.join(names)}")
        if report.missing_secrets:
            self.stdout.write(f"Still needed: the secrets {', '.join(report.missing_secrets)} (Project → Secrets).")

    def _import(self, path: Path, project: str | None) -> ImportReport:
        try:
            file = read_json(path.read_text(encoding="utf-8"))
            if project:
                return import_into_project(project=project_called(project), file=file)
            return import_project(owner=local_owner(), file=file)
        except OSError as error:
            raise CommandError(f"{path} cannot be read ({error.strerror}). Check the path.") from error
        except UnicodeDecodeError as error:
            raise CommandError(f"{path} is not UTF-8 text. Save it as UTF-8 and try again.") from error
        except Invalid as error:
            lines = [f"  {where or 'file'}: {' '.join(told)}" for where, told in error.fields.items()]
            raise CommandError("The file was not imported:\n" + "\n".join(lines)) from error
