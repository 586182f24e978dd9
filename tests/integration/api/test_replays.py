"""A template's chain replayed over the API: steps with pictures, one at a time, refusals in sentences."""

from collections.abc import Iterator
from typing import Any

import pytest
from django.test import override_settings

from backend.apps.templates.replaying import TURN
from backend.demo_site import DemoSite
from backend.demo_site.truth import KINDS
from tests.integration.api.conftest import World

pytestmark = pytest.mark.django_db
KIND = KINDS["dynamic cookies"]


@pytest.fixture(scope="module")
def site() -> Iterator[DemoSite]:
    with DemoSite() as running:
        yield running


def replay(world: World, actor: str = "editor", **body: Any) -> Any:
    address = f"/api/v1/templates/{world.ids['templates']}/replay"
    return world.client(actor).post(address, {"url": "http://shop.example/", **body}, format="json")


@pytest.mark.browser
def test_steps_come_with_pictures_and_the_template_reads_the_page_after_them(world: World, site: DemoSite) -> None:
    template = world.project.templates.get()
    template.item_scope = KIND.item_scope
    template.save()
    with override_settings(ALLOW_NETWORKS=[site.url.removeprefix("http://")]):
        found = replay(world, url=f"{site.url}/dynamic/cookies", actions=list(KIND.actions)).json()
    told = [(step["place"], step["type"], step["outcome"], step["optional"]) for step in found["steps"]]
    assert told == [(0, "open", "ok", False), (1, "dismiss_overlays", "ok", False), (2, "wait_for", "ok", False)]
    assert found["steps"][1]["sentence"] == "Closed 2 overlays."
    assert all(step["picture"].startswith("data:image/jpeg;base64,/9j/") for step in found["steps"])
    assert (found["failure"], found["preview"]["http_status"]) == ("", 200)
    assert found["preview"]["items"] == len(KIND.documents())


def test_one_replay_at_a_time(world: World) -> None:
    with TURN:
        answer = replay(world)
    assert (answer.status_code, answer.json()["code"], answer.headers["Retry-After"]) == (429, "busy", "15")
    assert answer.json()["detail"].startswith("Another replay is under way here")


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"url": "file:///etc/passwd"}, "url"),
        ({"actions": [{"type": "click", "selector": "//["}]}, "actions.0.selector"),
        ({"actions": [{"type": "wait", "seconds": 9_999}]}, "actions.0.seconds"),
        ({"crawler": 999_999}, "crawler"),
        ({"pictures": True}, "pictures"),
    ],
)
def test_what_cannot_work_is_told_by_field(world: World, body: dict[str, Any], field: str) -> None:
    answer = replay(world, **body)
    assert answer.status_code == 400
    assert list(answer.json()["fields"]) == [field]


def test_a_missing_secret_is_named(world: World) -> None:
    answer = replay(world, actions=[{"type": "type", "selector": "//input", "text": "${door code}"}])
    assert (answer.status_code, answer.json()["code"]) == (409, "conflict")
    assert "“door code”" in answer.json()["detail"]
