"""Crawl a project file to the end: import it, run a crawler, show progress, print the statistics as JSON last."""

import json
import signal
import sys
import threading
from argparse import ArgumentParser, RawDescriptionHelpFormatter
from collections.abc import Callable
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError
from django.db import transaction

from backend.apps.crawlers.models import Crawler
from backend.apps.documents.exports import export_runner, format_of, try_to_write
from backend.apps.errors import UserFault
from backend.apps.jobs.selectors import cooperation_of
from backend.apps.nodes.models import Node
from backend.apps.nodes.services import LOCALHOST
from backend.apps.runners.models import Runner, RunnerStatus
from backend.apps.runners.selectors import statistics_of, warnings_of
from backend.apps.runners.services import start_runner, stop_runner
from backend.apps.runners.specification import freeze, parse_specification
from backend.config.crawl_progress import CrawlProgress
from backend.config.dry_run import Trial, dry_run
from backend.config.ephemeral import run_ephemerally
from backend.config.file_import import choose_name, import_file
from backend.config.head import Housekeeping, make_head, stop_following
from backend.config.lanes import machine_programs
from backend.config.plain_command import PlainCommand
from crawler_node.errors import BrowserMissingError, CrawlerNodeError
from crawler_node.fetch import parse_allow_networks

# A paused run goes on when somebody resumes it, in the browser or with another command.
ENDED = (RunnerStatus.COMPLETED, RunnerStatus.EXIT, RunnerStatus.PAUSED)
EXAMPLES = """
examples:
  ./gleaner crawl shops.gleaner.json
  ./gleaner crawl shops.gleaner.json --crawler Shop --out products.csv
  ./gleaner crawl shops.gleaner.json --dry-run 20
  ./gleaner crawl test.json --ephemeral --allow-network 127.0.0.1:8100 --workers 2
"""


class Command(PlainCommand):
    help = __doc__
    requires_system_checks: list[str] = []

    def create_parser(self, *args: Any, **kwargs: Any) -> Any:
        return super().create_parser(*args, formatter_class=RawDescriptionHelpFormatter, epilog=EXAMPLES, **kwargs)

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path, help="the project file; it is imported into the project it names")
        parser.add_argument("--crawler", help="which of its crawlers to run (needed when it has several)")
        parser.add_argument("--out", type=Path, help="write the documents there: .csv .json .jsonl .xlsx .parquet")
        parser.add_argument("--with-duplicates", action="store_true", help="write repeated documents too")
        parser.add_argument("--workers", type=int, help="processes to crawl with (default: as the crawler says)")
        parser.add_argument(
            "--allow-network",
            action="append",
            default=[],
            metavar="CIDR",
            help="a private address or network this crawl may reach, with a port if wanted; may be repeated",
        )
        parser.add_argument(
            "--ephemeral", action="store_true", help="use a temporary database and leave nothing behind"
        )
        parser.add_argument(
            "--dry-run", type=int, metavar="N", help="fetch N pages, save nothing, tell what would happen"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        self._check(options)
        if options["ephemeral"]:
            sys.exit(run_ephemerally(sys.argv))
        if options["dry_run"] is not None:
            trial = self._try(options["file"], options["crawler"])
            networks = options["allow_network"]
            if not dry_run(trial, pages=options["dry_run"], allow_networks=networks, out=self.stdout):
                sys.exit(1)
            return
        crawler = self._import(options["file"], options["crawler"], tell=self.stderr.write)
        self._check_browser(crawler, is_dry=False)
        runner = start_runner(
            crawler=crawler, user=None, workers=options["workers"], allow_networks=options["allow_network"]
        )
        runner = self._run(runner)
        is_written = not options["out"] or self._write(runner, options["out"], options["with_duplicates"])
        self._report(runner)
        if runner.status != RunnerStatus.COMPLETED or not is_written:
            sys.exit(1)

    def _write(self, runner: Runner, out: Path, with_duplicates: bool) -> bool:
        """Whether the documents are in the file; a file that cannot be written takes nothing from the report."""
        try:
            export_runner(runner, out, with_duplicates=with_duplicates)
        except OSError as error:
            self.stderr.write(
                f"{out} could not be written ({error.strerror}). What was collected stays: write it elsewhere with "
                f"./gleaner export_documents FILE --runner {runner.pk}"
            )
            return False
        self.stderr.write(f"Wrote {out}.")
        return True

    def _report(self, runner: Runner) -> None:
        counts = statistics_of(runner)
        report = {"runner": runner.pk, "status": runner.status, "reason": runner.reason, **counts}
        report["cooperation"] = cooperation_of(runner, counts)
        report["warnings"] = warnings_of(runner)
        for sentence in report["warnings"]:
            self.stderr.write(sentence)
        self.stdout.write(json.dumps(report))

    def _check(self, options: dict[str, Any]) -> None:
        """Refuse at once what would only fail at the end."""
        if options["workers"] is not None and options["workers"] < 1:
            raise CommandError("--workers must be at least 1.")
        if options["dry_run"] is not None and options["dry_run"] < 1:
            raise CommandError("--dry-run must be at least 1: the number of pages to fetch.")
        try:
            parse_allow_networks(options["allow_network"])
            if options["out"]:
                format_of(options["out"])
                try_to_write(options["out"])
        except (CrawlerNodeError, UserFault) as error:
            raise CommandError(str(error)) from error
        except OSError as error:
            told = f"{options['out']} cannot be written ({error.strerror}). Choose a folder that is there and is yours."
            raise CommandError(told) from error

    def _check_browser(self, crawler: Crawler, *, is_dry: bool) -> None:
        """Refuse at once what would wait for ever: a crawl that needs a browser where no machine has one."""
        others = Node.objects.exclude(name=LOCALHOST).filter(browser_slots__gt=0)
        if not parse_specification(freeze(crawler)).needs_browser or (others.exists() and not is_dry):
            return
        try:
            machine_programs()
        except BrowserMissingError as error:
            raise CommandError(str(error)) from error

    def _try(self, path: Path, name: str | None) -> Trial:
        """What the file says to do; the database is afterwards as it was."""
        with transaction.atomic():
            try:
                crawler = self._import(path, name, tell=lambda _: None)
                self._check_browser(crawler, is_dry=True)
                trial = Trial.of(crawler)
            except CrawlerNodeError as error:
                raise CommandError(str(error)) from error
            transaction.set_rollback(True)
        return trial

    def _import(self, path: Path, name: str | None, *, tell: Callable[[str], object]) -> Crawler:
        project, file = import_file(path, tell)
        names = [row["name"] for row in file.get("crawlers", ())]
        chosen = choose_name(names, name, noun="crawler", remedy="Add one: a name, a template and a seed are enough.")
        return Crawler.objects.select_related("project", "template").get(project=project, name=chosen)

    def _run(self, runner: Runner) -> Runner:
        """Until it has ended. If another head node leads (`./gleaner up`), it does the work and we watch."""
        interrupted = threading.Event()
        ends = (signal.SIGINT, signal.SIGTERM)
        before = {number: signal.signal(number, lambda *_: interrupted.set()) for number in ends}
        head, progress, keep_house = make_head(), CrawlProgress(self.stderr), Housekeeping()
        try:
            is_leading = False
            while runner.status not in ENDED:
                is_leading = head.tick()
                keep_house()
                interrupted.wait(0.3)
                if interrupted.is_set():
                    self._interrupt(runner, interrupted)
                runner = Runner.objects.select_related("crawl_state", "crawler__project").get(pk=runner.pk)
                progress.show(runner)
            if is_leading:
                stop_following(head)
        finally:
            head.resign()
            progress.close()
            for number, handler in before.items():
                signal.signal(number, handler)
        return runner

    def _interrupt(self, runner: Runner, interrupted: threading.Event) -> None:
        self.stderr.write("\nStopping: pages in work are finished first. What was collected stays.")
        interrupted.clear()
        try:
            stop_runner(runner=runner)
        except UserFault:
            return
