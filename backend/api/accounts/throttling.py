"""Bounds on guessing passwords: per address and per name tried, whichever is reached first."""

import hashlib

from django.conf import settings
from rest_framework.request import Request
from rest_framework.throttling import SimpleRateThrottle
from rest_framework.views import APIView


class LoginThrottle(SimpleRateThrottle):
    """One bucket for each pair of address and name, so that nobody can lock somebody else out."""

    scope = "login"

    def get_rate(self) -> str:
        return f"{settings.LOGIN_TRIES_PER_MINUTE}/min"

    def get_cache_key(self, request: Request, view: APIView) -> str:
        tried = request.data.get("username", "") if isinstance(request.data, dict) else ""
        name = request.user.get_username() if request.user.is_authenticated else str(tried)
        digest = hashlib.sha256(f"{self.get_ident(request)}\n{name.lower()}".encode()).hexdigest()
        return self.cache_format % {"scope": self.scope, "ident": digest}
