"""Run the head node: it places queued jobs on nodes, watches their workers and settles what ended."""

import logging
import signal
import threading
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand
from django.db import DatabaseError, close_old_connections

from backend.config.head import AfterTick, make_head
from backend.config.observing.ports import Pulse, serve_head
from backend.config.postgresql.options import STANDS_STILL_MS, ask_server
from crawler_node.errors import StoreError

log = logging.getLogger(__name__)
RETRY_SECONDS = 2.0
LOCK_PATIENCE_MS = 3000  # it tries again with its next tick, and must not be late for its own lease


class Command(BaseCommand):
    help = __doc__
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--stop-workers",
            action="store_true",
            help="when asked to end, also ask this machine's workers to stop; their jobs go on with the next start",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        stop = threading.Event()
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, lambda *_: stop.set())
        ask_server(lock_timeout=LOCK_PATIENCE_MS, idle_in_transaction_session_timeout=STANDS_STILL_MS)
        pulse = Pulse()
        serve_head(pulse)
        while not stop.is_set():
            try:
                head = make_head()
                head.run(stop, after_tick=AfterTick(), after_round=pulse.beat)
                if options["stop_workers"]:
                    head.stop_workers()
            except (DatabaseError, StoreError) as error:
                log.warning("The database does not answer (%s). Trying again.", error)
                close_old_connections()
                pulse.beat()
                stop.wait(RETRY_SECONDS)
