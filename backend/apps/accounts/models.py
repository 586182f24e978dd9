"""A person who signs in, and the tokens with which their programs do."""

import hashlib
from datetime import datetime

from django.contrib.auth.models import AbstractUser
from django.db import models


class User(AbstractUser):
    """Administrators (`is_superuser`) manage people and nodes and may enter every project."""

    @property
    def is_admin(self) -> bool:
        return self.is_superuser


def digest_of(token: str) -> str:
    """Tokens are 256 random bits, so a plain hash is enough to store them safely."""
    return hashlib.sha256(token.encode()).hexdigest()


class ApiToken(models.Model):
    """A program's key. Only its hash is kept; it ends by itself."""

    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="api_tokens")
    name = models.CharField(max_length=100)
    prefix = models.CharField(max_length=12, help_text="The first characters, by which a person recognises it.")
    digest = models.CharField(max_length=64, unique=True)
    created_at = models.DateTimeField(auto_now_add=True)
    expires_at = models.DateTimeField()
    last_used_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["user", "name"], name="token_name_unique_for_user")]

    def __str__(self) -> str:
        return f"{self.name} ({self.prefix}…)"

    def is_expired(self, now: datetime) -> bool:
        return now >= self.expires_at
