"""An index worker put together: the session of its placement, signals, and the job it keeps an index with."""

import signal
import threading

import psutil
from django.db import close_old_connections

from backend.apps.indexers.keeping import JobEnd, Wait, keep_index
from backend.apps.indexers.models import Indexer
from backend.apps.jobs.models import Ending
from backend.apps.jobs.worker_session import WorkerSession

DONE = "The index is complete."
MOST_THREADS = 4
"""More would wait for one another: half of the work of a build is Python."""


class WorkerWait:
    """Says when the worker should end: asked to by a signal, by people, or its placement is lost."""

    def __init__(self, session: WorkerSession) -> None:
        self._session = session
        self._signalled = threading.Event()

    def install(self) -> None:
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, lambda *_: self._signalled.set())

    def stop(self) -> bool:
        return self._signalled.is_set() or self._session.should_stop.is_set() or self._session.lost.is_set()

    def pause(self, seconds: float) -> None:
        self._signalled.wait(seconds)
        close_old_connections()


def work_on_indexer(session: WorkerSession, indexer: Indexer) -> Ending:
    """Keep the index until it is complete, or until this worker should end: then the job goes on with another."""
    wait = WorkerWait(session)
    wait.install()
    threads = min(psutil.cpu_count() or 1, MOST_THREADS)
    end = keep_index(indexer.pk, Wait(wait.stop, wait.pause), threads=threads)
    return Ending.COMPLETED if end is JobEnd.DONE else Ending.NONE
