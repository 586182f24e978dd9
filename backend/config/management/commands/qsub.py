"""Submit a job: a crawler's next run, a run that ended, or a project file (PBS people know qsub)."""

import os
from argparse import ArgumentParser, RawDescriptionHelpFormatter
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError

from backend.apps.crawlers.models import MAX_WORKERS, Crawler
from backend.apps.errors import UserFault
from backend.apps.jobs.services import MAX_PRIORITY, MAX_WALL_TIME_SECONDS, Terms
from backend.apps.nodes.models import Node
from backend.apps.runners.services import start_runner
from backend.config.choosing import runner_numbered
from backend.config.file_import import choose_name, import_file
from backend.config.job_commands import describe_job
from backend.config.plain_command import PlainCommand
from backend.config.several import tell_missing_head
from backend.config.tables import as_json
from crawler_node.errors import CrawlerNodeError
from crawler_node.fetch import parse_allow_networks

EXAMPLES = """
examples:
  ./gleaner qsub 12                            run the crawler of run 12 again
  ./gleaner qsub shops.gleaner.json --crawler Shop --workers 6
  ./gleaner qsub 12 --walltime 02:00:00 --priority 5 --node crawler-2 --start 2026-05-01T03:00
  ./gleaner qsub 12 --hold                     it waits for ./gleaner qrls
"""


class Command(PlainCommand):
    help = __doc__
    requires_system_checks: list[str] = []

    def create_parser(self, *args: Any, **kwargs: Any) -> Any:
        return super().create_parser(*args, formatter_class=RawDescriptionHelpFormatter, epilog=EXAMPLES, **kwargs)

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("what", help="the number of a run whose crawler shall run again, or a project file")
        parser.add_argument("--crawler", help="which crawler of the file (needed when it has several)")
        parser.add_argument("--workers", type=int, help="processes to crawl with (default: as the crawler says)")
        parser.add_argument("--priority", type=int, default=0, help="higher goes first (0)")
        parser.add_argument("--node", help="only on this node")
        parser.add_argument("--slots", type=int, default=1, help="slots of a node that each worker takes (1)")
        parser.add_argument("--walltime", metavar="HH:MM:SS", help="how long it may run, pauses not counted")
        parser.add_argument("--start", metavar="TIME", help="not before this moment, UTC: 2026-05-01T03:00")
        parser.add_argument("--hold", action="store_true", help="keep it until ./gleaner qrls")
        parser.add_argument("--allow-network", action="append", default=[], metavar="CIDR", help="as for crawl")
        parser.add_argument("--json", action="store_true", help="for programs")

    def handle(self, *args: Any, **options: Any) -> None:
        terms = self._terms(options)
        try:
            parse_allow_networks(options["allow_network"])
            crawler = self._crawler(options["what"], options["crawler"])
            runner = start_runner(
                crawler=crawler,
                user=None,
                workers=options["workers"],
                allow_networks=options["allow_network"],
                terms=terms,
            )
        except (UserFault, CrawlerNodeError) as error:
            raise CommandError(str(error)) from error
        job = runner.jobs.get()
        if options["json"]:
            self.stdout.write(as_json({**describe_job(job), "runner": runner.pk}))
        else:
            self.stdout.write(
                f"Job {job.pk}: run {runner.pk} ({runner}). ./gleaner qstat {job.pk} shows how it gets on."
            )
            tell_missing_head(self.stderr.write)

    def _terms(self, options: dict[str, Any]) -> Terms:
        for name in ("workers", "slots"):
            if options[name] is not None and not 1 <= options[name] <= MAX_WORKERS:
                raise CommandError(f"--{name} must be at least 1 and at most {MAX_WORKERS}.")
        if abs(options["priority"]) > MAX_PRIORITY:
            raise CommandError(f"--priority is a number from -{MAX_PRIORITY} to {MAX_PRIORITY}.")
        node = Node.objects.filter(name=options["node"]).first() if options["node"] else None
        if options["node"] and node is None:
            raise CommandError(f"There is no node “{options['node']}”. ./gleaner nodes lists them.")
        return Terms(
            priority=options["priority"],
            node=node,
            slots_per_worker=options["slots"],
            wall_time_seconds=read_length(options["walltime"]) if options["walltime"] else None,
            earliest_start=read_moment(options["start"]) if options["start"] else None,
            is_held=options["hold"],
        )

    def _crawler(self, what: str, name: str | None) -> Crawler:
        if what.isdecimal():
            return runner_numbered(int(what)).crawler
        if not os.path.exists(what):  # Path.exists fails where the name is too long for any file
            raise CommandError(f"{what} is neither a file that is there nor the number of a run.")
        project, file = import_file(Path(what), self.stderr.write)
        names = [row["name"] for row in file.get("crawlers", ())]
        chosen = choose_name(names, name, noun="crawler", remedy="Add one: a name, a template and a seed are enough.")
        return Crawler.objects.select_related("project", "template").get(project=project, name=chosen)


def read_length(text: str) -> float:
    """Seconds of `HH:MM:SS`, `MM:SS` or `SS`."""
    parts = text.split(":")
    if len(parts) > 3 or not all(part.isdecimal() for part in parts):
        raise CommandError(f"“{text}” is no length of time. Write it as 02:30:00.")
    seconds = 0
    for part in parts:
        seconds = seconds * 60 + int(part)
    if not seconds:
        raise CommandError("A wall time of nothing leaves no time to run. Write it as 02:30:00.")
    if seconds > MAX_WALL_TIME_SECONDS:
        raise CommandError("A wall time is at most ten years. Without one a job may run as long as it likes.")
    return float(seconds)


def read_moment(text: str) -> datetime:
    try:
        moment = datetime.fromisoformat(text)
        return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).astimezone(UTC)
    except (ValueError, OverflowError):  # the latter: in UTC it is before the year 1 or after 9999
        raise CommandError(f"“{text}” is no moment. Write it as 2026-05-01T03:00.") from None
