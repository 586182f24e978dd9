"""A short `./gleaner chaos browser`: browsers and drivers are killed, every page comes, and no process stays."""

import pytest

from tests.chaos.browser import break_browsers

pytestmark = pytest.mark.browser


def test_every_page_comes_although_browsers_are_killed() -> None:
    report = break_browsers(pages=40, every=6, seed=3)
    assert (report.done, report.processes_left) == (40, 0)
    assert report.kills >= 3
