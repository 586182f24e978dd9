"""When the database is restarted under a request: who only reads is served a moment later, others are told to wait."""

import time
from collections.abc import Callable
from inspect import iscoroutinefunction
from typing import Any

from django.db import InterfaceError, OperationalError, connection
from django.http import HttpRequest, HttpResponse

from backend.api.errors import DATABASE_AWAY

SAFE = ("GET", "HEAD", "OPTIONS")
PATIENCE_SECONDS = 6.0
FIRST_WAIT_SECONDS = 0.2


class DatabasePatienceMiddleware:
    """The last middleware: it calls the view itself, and again while the database is away.

    Only for requests that change nothing: of a write nobody knows whether it was done before the answer was lost.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_view(
        self, request: HttpRequest, view: Callable[..., HttpResponse], args: list[Any], kwargs: dict[str, Any]
    ) -> HttpResponse | None:
        if request.method not in SAFE or iscoroutinefunction(view) or connection.in_atomic_block:
            return None
        deadline, wait = time.monotonic() + PATIENCE_SECONDS, FIRST_WAIT_SECONDS
        while True:
            is_last = time.monotonic() + wait > deadline
            response = _try(view, request, args, kwargs, is_last=is_last)
            if response is not None:
                return response
            connection.close()
            time.sleep(wait)
            wait *= 2


def _try(
    view: Callable[..., HttpResponse], request: HttpRequest, args: list[Any], kwargs: dict[str, Any], *, is_last: bool
) -> HttpResponse | None:
    """None when the database was away and another try is left."""
    try:
        response = view(request, *args, **kwargs)
    except (OperationalError, InterfaceError):
        if is_last:
            raise
        return None
    told = getattr(response, "data", None)
    is_away = isinstance(told, dict) and told.get("code") == DATABASE_AWAY
    return None if is_away and not is_last else response
