"""A replay tells every step with a picture, and costs no more time and memory than it may."""

from typing import Any

import psutil
import pytest

from backend.demo_site import DemoSite
from backend.demo_site.truth import KINDS, LOGIN_ACTIONS
from crawler_node.browser.replay import Replay, ReplayOrder, run_replay
from crawler_node.contracts import Refusal

pytestmark = pytest.mark.browser


def replay(site: DemoSite, path: str, *actions: Any, **options: Any) -> Replay:
    networks = (site.url.removeprefix("http://"),)
    return run_replay(ReplayOrder(url=site.url + path, actions=actions, networks=networks, **options))


def outcomes(found: Replay) -> list[str]:
    return [str(step.outcome) for step in found.steps]


def test_every_step_is_told_with_a_picture_and_the_page_comes_last(site: DemoSite) -> None:
    found = replay(site, "/dynamic/list", *KINDS["dynamic list"].actions)
    assert (outcomes(found), found.failure) == (["ok", "ok"], "")
    assert [step.sentence for step in found.steps] == [
        f"Opened {site.url}/dynamic/list.",
        "//li[@class='item'] came.",
    ]
    assert all(step.picture.startswith(b"\xff\xd8\xff") for step in found.steps)
    assert found.page is not None
    assert (found.page.url, found.page.status) == (f"{site.url}/dynamic/list", 200)
    assert found.page.body.count(b'<li class="item">') == 60


def test_a_login_is_done_first_and_not_shown(site: DemoSite) -> None:
    login = {"url": f"{site.url}/dynamic/login", "actions": LOGIN_ACTIONS, "logged_out": "//button[@id='sign-in']"}
    found = replay(site, "/dynamic/account", login=login)
    assert [step.type for step in found.steps] == ["open"]
    assert found.page is not None
    assert b"signed-in" in found.page.body


def test_after_a_step_that_failed_the_others_are_skipped(site: DemoSite) -> None:
    nothing = {"type": "click", "selector": "//b[@id='none']", "timeout_seconds": 0.2}
    found = replay(site, "/shop/", {**nothing, "optional": True}, nothing, {"type": "wait", "seconds": 1})
    assert outcomes(found) == ["ok", "failed", "failed", "skipped"]
    assert found.failure.startswith("Step 2 of the action chain (click) failed.")
    assert (found.page, found.steps[3].picture) == (None, b"")


def test_a_page_that_cannot_be_opened_says_why() -> None:
    found = run_replay(ReplayOrder(url="http://127.0.0.1:8099/", actions=[{"type": "wait", "seconds": 1}]))
    assert outcomes(found) == ["failed", "skipped"]
    assert found.steps[0].sentence == "http://127.0.0.1:8099/ could not be opened."
    assert found.failure == Refusal.FORBIDDEN_ADDRESS.sentence


def test_what_was_done_is_told_when_the_time_is_over_and_nothing_stays(site: DemoSite) -> None:
    before = set(psutil.Process().children(recursive=True))
    wait = {"type": "wait", "seconds": 200}
    for seconds in (6, 20, 60, 150):  # a busy machine may need longer to open the page that is then waited on
        found = replay(site, "/dynamic/list", wait, {"type": "scroll"}, seconds=seconds)
        if outcomes(found)[0] == "ok":
            break
    assert outcomes(found) == ["ok", "failed", "skipped"]
    assert found.failure == f"It was not over after {seconds} s, so the browser was ended."
    assert found.steps[1].sentence == found.failure
    left = [process.name() for process in psutil.Process().children(recursive=True) if process not in before]
    assert left == []


def test_a_page_that_takes_too_much_memory_ends_its_browser(site: DemoSite) -> None:
    found = replay(site, "/dynamic/list", {"type": "wait", "seconds": 60}, memory_bytes=20_000_000)
    assert found.failure == "The page took more than 20 MB of memory."
    assert outcomes(found)[-1] in ("failed", "skipped")
    assert found.page is None
