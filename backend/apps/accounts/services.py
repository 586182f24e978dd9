"""Writes about people and tokens."""

import secrets
from datetime import datetime, timedelta

from django.db import transaction

from backend.apps.accounts.models import ApiToken, User, digest_of

TOKEN_MARK = "glnr_"  # noqa: S105 (a mark by which leaked tokens are found, not a password)
LAST_USED_PRECISION = timedelta(minutes=1)


def issue_token(*, user: User, name: str, days: int, now: datetime) -> tuple[ApiToken, str]:
    """A new token and its plain text, which is shown once and never stored."""
    plain = TOKEN_MARK + secrets.token_urlsafe(32)
    token = ApiToken.objects.create(
        user=user, name=name, prefix=plain[:12], digest=digest_of(plain), expires_at=now + timedelta(days=days)
    )
    return token, plain


def find_token(*, plain: str, now: datetime) -> ApiToken | None:
    """The live token of an active person, its use noted at most once a minute."""
    token = ApiToken.objects.select_related("user").filter(digest=digest_of(plain)).first()
    if token is None or token.is_expired(now) or not token.user.is_active:
        return None
    if token.last_used_at is None or now - token.last_used_at > LAST_USED_PRECISION:
        ApiToken.objects.filter(pk=token.pk).update(last_used_at=now)
    return token


@transaction.atomic
def make_first_administrator(*, username: str) -> str | None:
    """Make an administrator with a random password when there is nobody yet; None when there is somebody."""
    if User.objects.exists():
        return None
    password = secrets.token_urlsafe(12)
    User.objects.create_superuser(username=username, password=password)
    return password
