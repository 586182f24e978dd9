"""Every error of the API as `{code, detail, fields}`: the one place where error classes become HTTP answers."""

import logging
from collections.abc import Iterator
from typing import Any

from django.core.exceptions import PermissionDenied
from django.db import IntegrityError, InterfaceError, OperationalError
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from rest_framework import exceptions, status
from rest_framework.response import Response

from backend.apps.errors import Busy, Conflict, FieldErrors, GleanerError, InUse, Invalid, UserFault, first_sentence
from crawler_node.errors import StoreError
from wording import say_count

log = logging.getLogger(__name__)

NOT_FOUND = "There is nothing here. It was deleted, or you are not a member of its project."
NOT_SIGNED_IN = "Please sign in, or send a valid token as “Authorization: Bearer …”."
TAKEN = "Something with the same name or number is already there. Choose another and try again."
DATABASE_AWAY = "database_away"
AWAY = "The database does not answer right now. Nothing was changed that you were not told of; try again in a moment."
BROKEN = "Something went wrong on our side. It was logged; please try again, and tell the operator if it stays."


def handle_exception(error: Exception, context: dict[str, Any]) -> Response | None:
    """None lets Django answer 500 through `server_error`."""
    match error:
        case Invalid():
            return _answer(status.HTTP_400_BAD_REQUEST, error.code, error.message, error.fields)
        case Conflict() | InUse():
            return _answer(status.HTTP_409_CONFLICT, error.code, error.message)
        case Busy():
            wait = {"Retry-After": str(error.retry_after_seconds)}
            return _answer(status.HTTP_429_TOO_MANY_REQUESTS, error.code, error.message, headers=wait)
        case UserFault():
            return _answer(status.HTTP_400_BAD_REQUEST, error.code, error.message)
        case GleanerError():
            log.error("%s", error.message, exc_info=error)
            return _answer(status.HTTP_500_INTERNAL_SERVER_ERROR, error.code, error.message)
        case OperationalError() | InterfaceError() | StoreError():
            log.warning("The database did not answer.", exc_info=error)
            return _answer(status.HTTP_503_SERVICE_UNAVAILABLE, DATABASE_AWAY, AWAY, headers={"Retry-After": "3"})
        case IntegrityError():
            log.warning("A constraint refused a write.", exc_info=error)
            return _answer(status.HTTP_409_CONFLICT, "conflict", TAKEN)
        case Http404() | exceptions.NotFound():
            return _answer(status.HTTP_404_NOT_FOUND, "not_found", NOT_FOUND)
        case exceptions.ValidationError():
            fields = flatten(error.detail)
            return _answer(error.status_code, "invalid", first_sentence(fields), fields)
        case PermissionDenied():
            return _answer(status.HTTP_403_FORBIDDEN, "permission_denied", str(error) or "You may not do this.")
        case exceptions.APIException():
            return _framework_error(error)
    return None


def _framework_error(error: exceptions.APIException) -> Response:
    detail = str(error.detail)
    headers: dict[str, str] = {}
    if isinstance(error, exceptions.NotAuthenticated | exceptions.AuthenticationFailed):
        headers["WWW-Authenticate"] = "Bearer"
        detail = NOT_SIGNED_IN if isinstance(error, exceptions.NotAuthenticated) else detail
    if isinstance(error, exceptions.Throttled) and error.wait is not None:
        headers["Retry-After"] = str(int(error.wait) + 1)
        detail = getattr(
            error, "sentence", f"Too many tries. Wait {say_count(int(error.wait) + 1, 'second')} and try again."
        )
    return _answer(error.status_code, error.default_code, detail, headers=headers)


def _answer(
    code: int, name: str, detail: str, fields: FieldErrors | None = None, *, headers: dict[str, str] | None = None
) -> Response:
    return Response({"code": name, "detail": detail, "fields": fields or {}}, status=code, headers=headers)


def flatten(detail: Any) -> FieldErrors:
    """Nested errors of serializers as dotted paths: `inspectors.0.selector`."""
    fields: FieldErrors = {}
    for path, sentence in _leaves(detail, ""):
        fields.setdefault(path or "non_field_errors", []).append(sentence)
    return fields


def _leaves(detail: Any, path: str) -> Iterator[tuple[str, str]]:
    if isinstance(detail, dict):
        for key, value in detail.items():
            name = "" if key == "non_field_errors" else str(key)
            yield from _leaves(value, ".".join(part for part in (path, name) if part))
    elif isinstance(detail, list) and any(isinstance(item, dict | list) for item in detail):
        for place, value in enumerate(detail):
            yield from _leaves(value, f"{path}.{place}" if path else str(place))
    elif isinstance(detail, list):
        yield from ((path, str(sentence)) for sentence in detail)
    else:
        yield path, str(detail)


def server_error(request: HttpRequest) -> HttpResponse:
    return JsonResponse({"code": "server_error", "detail": BROKEN, "fields": {}}, status=500)
