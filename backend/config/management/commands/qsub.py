"""Submit a job: a crawler's next run, a run that ended, or a project file (PBS people know qsub)."""

from argparse import ArgumentParser, RawDescriptionHelpFormatter
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from backend.apps.crawlers.models import MAX_WORKERS, Crawler
from backend.apps.errors import Invalid, UserFault
from backend.apps.jobs.services import MAX_PRIORITY, MAX_WALL_TIME_SECONDS, Terms
from backend.apps.nodes.models import Node
from backend.apps.project_files import import_project, read_json
from backend.apps.runners.services import start_runner
from backend.config.choosing import local_owner_or_new, runner_numbered
from backend.config.job_commands import describe_job
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


class Command(BaseCommand):
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
        try:
            file = read_json(Path(what).read_text(encoding="utf-8"))
            report = import_project(owner=local_owner_or_new(self.stderr.write), file=file)
        except (OSError, UnicodeDecodeError) as error:
            raise CommandError(f"{what} is no run's number and cannot be read as a file ({error}).") from error
        except Invalid as error:
            lines = [f"  {where or 'file'}: {' '.join(told)}" for where, told in error.fields.items()]
            raise CommandError("The file was not imported:\n" + "\n".join(lines)) from error
        names = [row["name"] for row in file.get("crawlers", ())]
        if (name is None and len(names) != 1) or (name is not None and name not in names):
            raise CommandError(f"Choose one of its crawlers with --crawler: {', '.join(names) or 'it has none'}.")
        crawlers = Crawler.objects.select_related("project", "template").filter(project=report.project)
        return crawlers.get(name=name or names[0])


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
