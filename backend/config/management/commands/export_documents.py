"""Write the documents of a runner, a crawler or a project into a file: CSV, JSON, JSONL, XLSX or Parquet."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError

from backend.apps.documents.exports import (
    DocumentSource,
    UnknownFormat,
    documents_of_crawler,
    documents_of_project,
    documents_of_runner,
    format_of,
    write_documents,
)
from backend.config.choosing import crawler_called, project_called, runner_numbered
from backend.config.plain_command import PlainCommand
from wording import say_count


class Command(PlainCommand):
    help = __doc__

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path, help="file to write; its ending names the format")
        chosen = parser.add_mutually_exclusive_group(required=True)
        chosen.add_argument("--project", help="all documents of this project, or of its --crawler")
        chosen.add_argument("--runner", type=int, help="what this run found, by the number in its page's address")
        parser.add_argument("--crawler", help="only this crawler of the --project")
        parser.add_argument("--with-duplicates", action="store_true", help="also documents that repeat others")
        parser.add_argument("--with-gone", action="store_true", help="also documents that are no longer on the site")
        parser.add_argument("--bom", action="store_true", help="mark a CSV as UTF-8, for older spreadsheets")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            format = format_of(options["file"])
            written = write_documents(self._source(options), options["file"], format, bom=options["bom"])
        except UnknownFormat as error:
            raise CommandError(error.message) from error
        except OSError as error:
            raise CommandError(f"{options['file']} cannot be written ({error.strerror}). Check the path.") from error
        self.stderr.write(f"Wrote {say_count(written, 'document')} into {options['file']}.")

    def _source(self, options: dict[str, Any]) -> DocumentSource:
        wanted = {name: options[name] for name in ("with_duplicates", "with_gone")}
        if options["runner"] is not None:
            return documents_of_runner(runner_numbered(options["runner"]), **wanted)
        project = project_called(options["project"])
        if options["crawler"]:
            return documents_of_crawler(crawler_called(project, options["crawler"]), **wanted)
        return documents_of_project(project, **wanted)
