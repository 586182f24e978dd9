"""What every test shares."""

import pytest
from hypothesis import settings as hypothesis_settings

# How slow a machine may be is no test's business.
hypothesis_settings.register_profile("gleaner", deadline=None)
hypothesis_settings.load_profile("gleaner")


@pytest.fixture(autouse=True, scope="session")
def _cheap_passwords() -> None:
    """Hashing a password slowly is right for people and wasted on tests."""
    from django.conf import settings

    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
