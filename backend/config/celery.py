"""The Celery application: one queue for each node, which carries hints and nothing that would be missed.

A task says “look at placement N”. It starts the worker as a process of its own, or finds that there is nothing to do,
and returns at once: nothing long ever waits for an acknowledgement. The database holds the truth.
"""

import logging
import os
import time
from functools import cache

from celery import Celery
from kombu import Exchange, Queue
from kombu.exceptions import KombuError
from redis.exceptions import RedisError

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "backend.config.settings")
# Celery would run Django's checks, which load the whole API and its search kernels: 200 MB and seconds for nothing.
os.environ.setdefault("CELERY_SKIP_CHECKS", "1")

from django.conf import settings

from head_node import LiveWorker
from head_node.launchers import LocalLauncher

log = logging.getLogger(__name__)
SOCKET_SECONDS = 2.0

app = Celery("gleaner", broker=settings.REDIS_URL or None, set_as_current=False)
app.conf.update(
    accept_content=["json"],
    task_serializer="json",
    task_ignore_result=True,
    worker_prefetch_multiplier=1,
    worker_hijack_root_logger=False,
    worker_cancel_long_running_tasks_on_connection_loss=False,
    broker_connection_retry_on_startup=True,
    broker_connection_timeout=SOCKET_SECONDS,
    broker_transport_options={
        "visibility_timeout": 60,
        "socket_timeout": 2 * SOCKET_SECONDS,
        "socket_connect_timeout": SOCKET_SECONDS,
        "socket_keepalive": True,
        "health_check_interval": 5,
    },
    broker_pool_limit=1,
)


def queue_of(node: str) -> Queue:
    """The nameless exchange needs no bindings, so that a wiped Redis has forgotten nothing that is needed."""
    name = f"gleaner.node.{node}"
    return Queue(name, Exchange(""), routing_key=name, durable=True)


class Hints:
    """Tells nodes to look at placements. A broker that is away costs time only: the head sends them again.

    A hint has no last moment, for that would be one of this machine's clock: who comes late finds nothing to do.

    One that does not answer costs seconds for each try, so after a failure nobody tries for a while: a head that waited
    for every hint would be late for its own lease. `get_through` is false for a while after that, too, unless one does:
    as long as a placement waits for its worker, its hint is sent again.
    """

    REST_SECONDS = 3.0
    DOUBT_SECONDS = 20.0

    def __init__(self) -> None:
        self._rests_until = 0.0
        self._is_in_doubt_until = 0.0

    def get_through(self) -> bool:
        return time.monotonic() >= self._is_in_doubt_until

    def send(self, worker: LiveWorker) -> None:
        if time.monotonic() < self._rests_until:
            return
        try:
            look_at_placement.apply_async((worker.placement_id,), queue=queue_of(worker.node), retry=False)
        except (KombuError, RedisError, OSError) as error:
            self._rests_until = time.monotonic() + self.REST_SECONDS
            self._is_in_doubt_until = time.monotonic() + self.DOUBT_SECONDS
            log.warning("The node %s was not told about placement %s (%s).", worker.node, worker.placement_id, error)
        else:
            self._is_in_doubt_until = 0.0


hints = Hints()
send_hint = hints.send


@app.task(name="gleaner.look_at_placement")
def look_at_placement(placement_id: int) -> None:
    """Start the placement's worker on this machine, unless it was taken or is on its way; tell if it failed to begin.

    The agent cannot see that: a worker that has not claimed its placement is known to whoever started it alone.
    """
    from backend.apps.jobs import placements  # noqa: PLC0415 (Django is set up after this module)

    worker = placements.unclaimed_placement(placement_id=placement_id, node=settings.NODE)
    if worker is None:
        return
    if _launcher().has_failed_to_begin(worker):
        placements.report_gone(worker, last_words=_launcher().last_words(worker))
    else:
        _launcher().launch(worker)


@cache
def _launcher() -> LocalLauncher:
    """One for the process, so that it remembers what it has started."""
    from backend.config.launching import local_launcher  # noqa: PLC0415

    return local_launcher()
