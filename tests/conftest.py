"""What every test shares."""

import pytest


@pytest.fixture(autouse=True, scope="session")
def _cheap_passwords() -> None:
    """Hashing a password slowly is right for people and wasted on tests."""
    from django.conf import settings

    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
