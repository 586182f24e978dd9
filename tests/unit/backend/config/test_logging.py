"""What the log may hold."""

import logging

import pytest


@pytest.mark.parametrize("name", ["selenium.webdriver.remote.remote_connection", "urllib3.connectionpool"])
def test_what_browsers_are_given_is_not_logged_however_much_is(name: str, caplog: pytest.LogCaptureFixture) -> None:
    """At lower levels these tell every cookie and every key that is pressed."""
    caplog.set_level(logging.DEBUG)
    assert not logging.getLogger(name).isEnabledFor(logging.INFO)
    assert logging.getLogger(name).isEnabledFor(logging.WARNING)
