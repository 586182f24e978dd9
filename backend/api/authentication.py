"""Tokens for programs: `Authorization: Bearer glnr_…`."""

from django.utils import timezone
from rest_framework.authentication import BaseAuthentication
from rest_framework.exceptions import AuthenticationFailed
from rest_framework.request import Request

from backend.apps.accounts.models import ApiToken, User
from backend.apps.accounts.services import find_token


class TokenAuthentication(BaseAuthentication):
    def authenticate(self, request: Request) -> tuple[User, ApiToken] | None:
        scheme, _, plain = request.headers.get("Authorization", "").partition(" ")
        if scheme.lower() != "bearer":
            return None
        token = find_token(plain=plain.strip(), now=timezone.now())
        if token is None:
            raise AuthenticationFailed(
                "This token is unknown or has expired. Make a new one under Account → API tokens."
            )
        return token.user, token

    def authenticate_header(self, request: Request) -> str:
        return "Bearer"
