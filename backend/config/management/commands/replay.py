"""Run a template's action chain on one page and look on: a sentence and a picture for every step, JSON last."""

import json
import sys
from argparse import ArgumentParser, RawDescriptionHelpFormatter
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError

from backend.apps.crawlers.models import Crawler
from backend.apps.errors import UserFault
from backend.apps.projects.models import Project
from backend.apps.templates.models import Template
from backend.apps.templates.replaying import REPLAY_SECONDS, ReplayedTemplate, replay_template
from backend.config.ephemeral import run_ephemerally
from backend.config.file_import import choose_name, import_file
from backend.config.plain_command import PlainCommand
from crawler_node.browser.replay import ReplayedStep
from crawler_node.errors import CrawlerNodeError
from crawler_node.fetch import parse_allow_networks

EXAMPLES = """
examples:
  ./gleaner replay shops.gleaner.json --url https://example.org/list
  ./gleaner replay shops.gleaner.json --template Product --url https://example.org/list --out pictures
"""


class Command(PlainCommand):
    help = __doc__
    requires_system_checks: list[str] = []

    def create_parser(self, *args: Any, **kwargs: Any) -> Any:
        return super().create_parser(*args, formatter_class=RawDescriptionHelpFormatter, epilog=EXAMPLES, **kwargs)

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path, help="the project file; it is imported into the project it names")
        parser.add_argument("--template", help="whose chain to run (needed when the file has several)")
        parser.add_argument("--url", required=True, help="the page to run it on")
        parser.add_argument("--crawler", help="use the login, cookies, headers, proxies and user agent of this crawler")
        parser.add_argument("--out", type=Path, metavar="FOLDER", help="write the pictures there: 00-open.jpg, …")
        parser.add_argument(
            "--seconds",
            type=float,
            default=REPLAY_SECONDS,
            help=f"the longest it may take (default: {REPLAY_SECONDS:g})",
        )
        parser.add_argument(
            "--allow-network",
            action="append",
            default=[],
            metavar="CIDR",
            help="a private address or network that the page may reach, with a port if wanted; may be repeated",
        )
        parser.add_argument(
            "--ephemeral", action="store_true", help="use a temporary database and leave nothing behind"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        self._check(options)
        if options["ephemeral"]:
            sys.exit(run_ephemerally(sys.argv))
        project, file = import_file(options["file"], self.stderr.write)
        try:
            found = replay_template(
                template=self._template(project, file, options["template"]),
                url=options["url"],
                crawler=self._crawler(project, file, options["crawler"]),
                networks=options["allow_network"],
                seconds=options["seconds"],
            )
        except UserFault as error:
            raise CommandError(error.message) from error
        self._tell(found, options["out"])
        if found.replay.failure:
            sys.exit(1)

    def _check(self, options: dict[str, Any]) -> None:
        if not options["seconds"] > 0:
            raise CommandError("--seconds must be more than 0.")
        try:
            parse_allow_networks(options["allow_network"])
        except CrawlerNodeError as error:
            raise CommandError(str(error)) from error

    def _template(self, project: Project, file: dict[str, Any], name: str | None) -> Template:
        names = [row["name"] for row in file.get("templates", ())]
        chosen = choose_name(names, name, noun="template", remedy="Add one: a name and its actions are enough.")
        return Template.objects.select_related("project").get(project=project, name=chosen)

    def _crawler(self, project: Project, file: dict[str, Any], name: str | None) -> Crawler | None:
        if name is None:
            return None
        names = [row["name"] for row in file.get("crawlers", ())]
        chosen = choose_name(names, name, noun="crawler", remedy="Add one, or leave out --crawler.")
        return Crawler.objects.select_related("template").get(project=project, name=chosen)

    def _tell(self, found: ReplayedTemplate, folder: Path | None) -> None:
        replay = found.replay
        for step in replay.steps:
            seconds = f"{step.seconds:6.2f} s"
            self.stdout.write(f"{step.place:>3}  {step.outcome:<7}  {seconds}  {step.type}: {step.sentence}")
        if replay.failure:
            self.stdout.write(replay.failure)
        trial = found.preview.trial if found.preview else None
        report = {
            "steps": [self._report(step, folder) for step in replay.steps],
            "failure": replay.failure,
            "url": replay.page.url if replay.page else None,
            "http_status": replay.page.status if replay.page else None,
            "documents": len(trial.extraction.documents) if trial else 0,
            "seconds": round(replay.seconds, 3),
        }
        self.stdout.write(json.dumps(report))

    def _report(self, step: ReplayedStep, folder: Path | None) -> dict[str, Any]:
        return {
            "place": step.place,
            "type": step.type,
            "outcome": str(step.outcome),
            "sentence": step.sentence,
            "milliseconds": round(step.seconds * 1000, 3),
            "picture": self._write(step, folder),
        }

    def _write(self, step: ReplayedStep, folder: Path | None) -> str | None:
        if folder is None or not step.picture:
            return None
        path = folder / f"{step.place:02}-{step.type}.jpg"
        try:
            folder.mkdir(parents=True, exist_ok=True)
            path.write_bytes(step.picture)
        except OSError as error:
            raise CommandError(f"{path} cannot be written ({error.strerror}). Choose another folder.") from error
        return str(path)
