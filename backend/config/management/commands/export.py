"""Write a project's file: everything that was configured, without secrets."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from backend.apps.project_files import export_project, to_json
from backend.config.choosing import project_called
from backend.config.plain_command import PlainCommand


class Command(PlainCommand):
    help = __doc__

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("project", help="name of the project")
        parser.add_argument("--out", type=Path, help="file to write (default: the terminal)")

    def handle(self, *args: Any, **options: Any) -> None:
        text = to_json(export_project(project_called(options["project"])))
        if options["out"] is None:
            self.stdout.write(text, ending="")
        else:
            options["out"].write_text(text, encoding="utf-8")
            self.stderr.write(f"Wrote {options['out']}.")
