"""Work on a share of a job; started by the head node, not by people."""

import logging
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand

from backend.apps.jobs.models import Ending
from backend.apps.jobs.worker_session import PlacementTaken, WorkerSession
from backend.config.crawl_worker import ending_of, work_on_runner
from crawler_node.errors import SpecError

log = logging.getLogger(__name__)


class Command(BaseCommand):
    help = __doc__
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--placement", type=int, required=True, help="the placement to claim")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            with WorkerSession(options["placement"]) as session:
                self._work(session)
        except PlacementTaken:
            log.info("Placement %s is taken or over; nothing to do.", options["placement"])

    def _work(self, session: WorkerSession) -> None:
        runner = session.placement.job.runner
        try:
            stop = work_on_runner(session, runner)
        except SpecError as error:
            session.work_ended(ending=Ending.EXIT, reason=str(error))
            return
        ending = ending_of(stop)
        if ending is not Ending.NONE:
            session.work_ended(ending=ending, reason=stop.sentence)
