"""`/healthz`, `/readyz` and `/metrics`, before sessions, redirects and host names: probes know none of these."""

import hmac
import re
import time
from collections.abc import Callable
from functools import cache

from django.conf import settings
from django.http import HttpRequest, HttpResponse, JsonResponse
from prometheus_client import CONTENT_TYPE_LATEST

from backend.config.observing import metrics
from backend.config.observing.readiness import WEB_CHECKS, readiness

NO_METRICS = "Set GLEANER_METRICS_TOKEN, and send it as “Authorization: Bearer …”, to read metrics here."


class ProbesMiddleware:
    """Answers probes itself, and counts the answers to everybody else."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self._get_response = get_response
        self._probes = {"/healthz": self._health, "/readyz": self._ready, "/metrics": self._metrics}

    def __call__(self, request: HttpRequest) -> HttpResponse:
        probe = self._probes.get(request.path)
        if probe is not None and request.method in ("GET", "HEAD"):
            response = probe(request)
            response.headers["Cache-Control"] = "no-store"
            return response
        began = time.perf_counter()
        response = self._get_response(request)
        match = request.resolver_match
        route, method = readable_route(match.route if match is not None else ""), request.method or ""
        metrics.REQUEST_SECONDS.labels(method, route).observe(time.perf_counter() - began)
        metrics.REQUESTS.labels(method, route, response.status_code).inc()
        return response

    def _health(self, request: HttpRequest) -> HttpResponse:
        """The process lives."""
        return JsonResponse({"status": "ok", "version": settings.VERSION})

    def _ready(self, request: HttpRequest) -> HttpResponse:
        found = readiness(WEB_CHECKS)
        return JsonResponse(found, status=200 if found["status"] == "ready" else 503)

    def _metrics(self, request: HttpRequest) -> HttpResponse:
        scheme, _, token = request.headers.get("Authorization", "").partition(" ")
        if not settings.METRICS_TOKEN:
            return JsonResponse({"code": "not_found", "detail": NO_METRICS, "fields": {}}, status=404)
        if scheme.lower() != "bearer" or not hmac.compare_digest(token.strip().encode(), _token()):
            refused = {"code": "not_authenticated", "detail": NO_METRICS, "fields": {}}
            return JsonResponse(refused, status=401, headers={"WWW-Authenticate": "Bearer"})
        return HttpResponse(metrics.rendered(), content_type=CONTENT_TYPE_LATEST)


@cache
def readable_route(route: str) -> str:
    """Django's patterns as people write addresses: `api/v1/projects/{pk}`."""
    named = re.sub(r"\(\?P<(\w+)>[^)]*\)|<(?:\w+:)?(\w+)>", lambda found: f"{{{found[1] or found[2]}}}", route)
    return re.sub(r"\^(\(\?!.*)?|\$|\\Z", "", named)


def _token() -> bytes:
    return str(settings.METRICS_TOKEN).encode()
