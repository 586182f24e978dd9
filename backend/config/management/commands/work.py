"""Work on a share of a job; started by the head node, not by people."""

import logging
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand

from backend.apps.jobs.models import Ending, Job, JobKind
from backend.apps.jobs.worker_session import PlacementTaken, WorkerSession
from backend.apps.runners.models import Runner
from backend.apps.runners.selectors import statistics_of
from backend.apps.runners.services import pause_because, pause_for_person
from backend.config.crawl_worker import ending_of, work_on_runner
from backend.config.observing.ports import serve_worker
from backend.config.postgresql.options import STANDS_STILL_MS, ask_server
from crawler_node.contracts import StopReason
from crawler_node.errors import SpecError

log = logging.getLogger(__name__)


class Command(BaseCommand):
    help = __doc__
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--placement", type=int, required=True, help="the placement to claim")

    def handle(self, *args: Any, **options: Any) -> None:
        ask_server(idle_in_transaction_session_timeout=STANDS_STILL_MS)
        try:
            with WorkerSession(options["placement"]) as session:
                serve_worker(session.placement.job.runner)
                self._work(session)
        except PlacementTaken:
            log.info("Placement %s is taken or over; nothing to do.", options["placement"])

    def _work(self, session: WorkerSession) -> None:
        job = session.placement.job
        if job.kind == JobKind.INDEX:
            self._index(session, job)
        else:
            self._crawl(session, job.runner)

    def _index(self, session: WorkerSession, job: Job) -> None:
        # Searching and its kernels take a second to load, which a crawl need not wait for.
        from backend.config.index_worker import DONE, work_on_indexer  # noqa: PLC0415

        ending = work_on_indexer(session, job.indexer)
        if ending is not Ending.NONE:
            session.work_ended(ending=ending, reason=DONE)

    def _crawl(self, session: WorkerSession, runner: Runner) -> None:
        try:
            report = work_on_runner(session, runner)
        except SpecError as error:
            session.work_ended(ending=Ending.EXIT, reason=str(error))
            return
        if report.stop is StopReason.PERSON:
            pause_for_person(runner=runner, sentence=report.sentence)
        if report.stop is StopReason.ASKED_TO_WAIT:
            pause_because(runner=runner, reason=report.sentence, seconds=report.wait_seconds)
        counts = statistics_of(Runner.objects.select_related("crawl_state").get(pk=runner.pk))  # also of other workers
        ending, reason = ending_of(report.stop, counts)
        if ending is not Ending.NONE:
            session.work_ended(ending=ending, reason=reason)
