"""What roles without a web address answer on GLEANER_METRICS_PORT: `/healthz`, `/readyz` and `/metrics`."""

import json
import logging
import socket
import threading
import time
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final
from wsgiref.simple_server import WSGIRequestHandler, make_server
from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

from django.conf import settings
from django.db import connection
from prometheus_client import CollectorRegistry, make_wsgi_app
from prometheus_client.exposition import ThreadingWSGIServer

from backend.apps.runners.models import Runner
from backend.config.observing import metrics
from backend.config.observing.readiness import HEAD_CHECKS, WORKER_CHECKS, Check, readiness

log = logging.getLogger(__name__)
PORTS_TRIED: Final = 100
PATIENCE_SECONDS: Final = 30.0
UNKNOWN: Final = {"code": "not_found", "detail": "There are /healthz, /readyz and /metrics.", "fields": {}}


class Pulse:
    """When a loop last went round. A loop that stands still is not at work, even if its process lives."""

    def __init__(self) -> None:
        self.beat()

    def beat(self) -> None:
        self._last = time.monotonic()

    def check(self) -> Check:
        still = time.monotonic() - self._last
        if still <= PATIENCE_SECONDS:
            return Check(ok=True, detail="It goes round.")
        return Check(ok=False, detail=f"It has stood still for {still:.0f} seconds. Restart this process.")


def serve_head(pulse: Pulse) -> int | None:
    """Answer on GLEANER_METRICS_PORT, if it is set; the port."""
    probes = _Probes(metrics.with_state, {**HEAD_CHECKS, "loop": pulse.check})
    return _serve(probes, settings.METRICS_PORT, tries=1)


def serve_node(pulse: Pulse) -> int | None:
    """The same for a crawler node, whose numbers tell of itself only."""
    probes = _Probes(metrics.registry, {**WORKER_CHECKS, "loop": pulse.check})
    return _serve(probes, settings.METRICS_PORT, tries=1)


def serve_worker(runner: Runner | None) -> int | None:
    """Answer on the first free port above GLEANER_METRICS_PORT, if it is set; the port."""
    if settings.METRICS_PORT and runner is not None:
        metrics.registry.register(metrics.RunnerCollector(runner))
    return _serve(_Probes(metrics.registry, WORKER_CHECKS), settings.METRICS_PORT + 1, tries=PORTS_TRIED)


class _Probes:
    """The answers, as a WSGI application. `loop` among the checks is what makes a process a living one."""

    def __init__(self, numbers: CollectorRegistry, checks: Mapping[str, Callable[[], Check]]) -> None:
        self._checks = checks
        self._answers: dict[str, WSGIApplication] = {
            "/metrics": make_wsgi_app(numbers),
            "/healthz": self._health,
            "/readyz": self._ready,
        }

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        """Every question has a thread of its own, which must not leave its connection behind."""
        try:
            return self._answers.get(environ["PATH_INFO"], _not_found)(environ, start_response)
        finally:
            connection.close()

    def _health(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        loop = self._checks["loop"]() if "loop" in self._checks else Check(ok=True, detail="It answers.")
        found = {"status": "ok" if loop.ok else "stands still", "version": settings.VERSION, "detail": loop.detail}
        return _told(start_response, found, is_well=loop.ok)

    def _ready(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        found = readiness(self._checks)
        return _told(start_response, found, is_well=found["status"] == "ready")


def _not_found(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
    return _told(start_response, UNKNOWN, is_well=False, refusal="404 Not Found")


def _told(
    start_response: StartResponse, found: dict[str, Any], *, is_well: bool, refusal: str = "503 Service Unavailable"
) -> Iterable[bytes]:
    headers = [("Content-Type", "application/json"), ("Cache-Control", "no-store")]
    start_response("200 OK" if is_well else refusal, headers)
    return [json.dumps(found).encode()]


class _SilentHandler(WSGIRequestHandler):
    def log_message(self, format: str, *args: Any) -> None:
        """Probes come every few seconds: nobody wants to read of them."""


class _Server(ThreadingWSGIServer):
    address_family = socket.AF_INET


class _Server6(ThreadingWSGIServer):
    address_family = socket.AF_INET6


def _serve(probes: _Probes, first: int, *, tries: int) -> int | None:
    """Work matters more than its numbers: where no port is free, a line in the log is all that happens."""
    kind = _Server6 if ":" in settings.METRICS_HOST else _Server
    for port in range(first, first + tries) if settings.METRICS_PORT else ():
        try:
            server = make_server(settings.METRICS_HOST, port, probes, kind, _SilentHandler)
        except OSError:
            continue
        threading.Thread(target=server.serve_forever, name="probes", daemon=True).start()
        return port
    if settings.METRICS_PORT:
        log.warning("No port from %s on is free for probes and metrics; they are not served.", first)
    return None
