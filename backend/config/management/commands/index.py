"""Build an indexer of a project file to the end: import it, show progress, print what came of it as JSON last."""

import json
import signal
import sys
import threading
import time
from argparse import ArgumentParser, RawDescriptionHelpFormatter
from dataclasses import asdict
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError

from backend.apps.errors import UserFault
from backend.apps.indexers.checking import check_served
from backend.apps.indexers.models import Indexer, IndexerStatus
from backend.config.file_import import choose_name, import_file
from backend.config.index_progress import IndexProgress, build_to_the_end, report_of
from backend.config.plain_command import PlainCommand

EXAMPLES = """
examples:
  ./gleaner index shops.gleaner.json
  ./gleaner index shops.gleaner.json --indexer Products --rebuild
  ./gleaner index shops.gleaner.json --check
"""


class Command(PlainCommand):
    help = __doc__

    def create_parser(self, *args: Any, **kwargs: Any) -> Any:
        return super().create_parser(*args, formatter_class=RawDescriptionHelpFormatter, epilog=EXAMPLES, **kwargs)

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path, help="the project file; it is imported into the project it names")
        parser.add_argument("--indexer", help="which of its indexers to build (needed when it has several)")
        parser.add_argument("--rebuild", action="store_true", help="build it anew, beside what is served")
        parser.add_argument("--check", action="store_true", help="build nothing; verify every byte of what is served")

    def handle(self, *args: Any, **options: Any) -> None:
        began = time.monotonic()
        indexer = self._import(options["file"], options["indexer"])
        if options["check"]:
            return self._check(indexer)
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
        return None

    def _check(self, indexer: Indexer) -> None:
        try:
            report = check_served(indexer)
        except UserFault as error:
            raise CommandError(str(error)) from error
        self.stdout.write(json.dumps({**asdict(report), "is_sound": report.is_sound}))
        if not report.is_sound:
            sys.exit(1)

    def _import(self, path: Path, name: str | None) -> Indexer:
        project, file = import_file(path, self.stderr.write)
        names = [row["name"] for row in file.get("indexers", ())]
        chosen = choose_name(
            names, name, noun="indexer", remedy="Add one: a name and a column with its sources are enough."
        )
        return Indexer.objects.select_related("project").get(project=project, name=chosen)
