"""Build an indexer of a project file to the end: import it, show progress, print what came of it as JSON last."""

import json
import signal
import sys
import threading
import time
from argparse import ArgumentParser, RawDescriptionHelpFormatter
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from backend.apps.errors import Invalid
from backend.apps.indexers.models import Indexer, IndexerStatus
from backend.apps.project_files import import_project, read_json
from backend.config.choosing import local_owner_or_new
from backend.config.index_progress import IndexProgress, build_to_the_end, report_of

EXAMPLES = """
examples:
  ./gleaner index shops.gleaner.json
  ./gleaner index shops.gleaner.json --indexer Products --rebuild
"""


class Command(BaseCommand):
    help = __doc__

    def create_parser(self, *args: Any, **kwargs: Any) -> Any:
        return super().create_parser(*args, formatter_class=RawDescriptionHelpFormatter, epilog=EXAMPLES, **kwargs)

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path, help="the project file; it is imported into the project it names")
        parser.add_argument("--indexer", help="which of its indexers to build (needed when it has several)")
        parser.add_argument("--rebuild", action="store_true", help="build it anew, beside what is served")

    def handle(self, *args: Any, **options: Any) -> None:
        began = time.monotonic()
        indexer = self._import(options["file"], options["indexer"])
        stop = threading.Event()
        before = signal.signal(signal.SIGINT, lambda *_: stop.set())
        try:
            progress = IndexProgress(self.stderr)
            indexer = build_to_the_end(indexer, rebuild=options["rebuild"], progress=progress, stop=stop)
        finally:
            signal.signal(signal.SIGINT, before)
        report = report_of(indexer, seconds=time.monotonic() - began)
        self.stdout.write(json.dumps(report))
        if report["status"] != IndexerStatus.COMPLETED or report["is_held_back"]:
            sys.exit(1)

    def _import(self, path: Path, name: str | None) -> Indexer:
        try:
            file = read_json(path.read_text(encoding="utf-8"))
            report = import_project(owner=local_owner_or_new(self.stderr.write), file=file)
        except (OSError, UnicodeDecodeError) as error:
            raise CommandError(f"{path} cannot be read ({error}). Check the path.") from error
        except Invalid as error:
            lines = [f"  {where or 'file'}: {' '.join(told)}" for where, told in error.fields.items()]
            raise CommandError("The file was not imported:\n" + "\n".join(lines)) from error
        names = [row["name"] for row in file.get("indexers", ())]
        return Indexer.objects.select_related("project").get(project=report.project, name=self._choose(names, name))

    def _choose(self, names: list[str], name: str | None) -> str:
        known = ", ".join(f"“{known}”" for known in names)
        if not names:
            raise CommandError("The file has no indexer. Add one: a name and a column with its sources are enough.")
        if name is not None and name not in names:
            raise CommandError(f"The file has no indexer “{name}”. It has: {known}.")
        if name is None and len(names) > 1:
            raise CommandError(f"The file has several indexers. Choose one with --indexer: {known}.")
        return name or names[0]
