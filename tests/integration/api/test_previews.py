"""A template is previewed by the code that crawls, on a page or on markup, and a hostile one costs its budget."""

from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from django.test import override_settings
from django.utils import timezone
from rest_framework.test import APIClient

from backend.apps.templates.models import Template
from backend.demo_site import DemoSite
from tests.integration.api.conftest import World

pytestmark = pytest.mark.django_db
NAME = {"name": "name", "selector": "//h1", "fallbacks": ["//h2"], "required": True}
# Each level multiplies the work by the number of elements.
EXPONENTIAL = "//*[count(//*[count(//*[count(//*[count(//*) > 0]) > 0]) > 0]) > 0]"


@pytest.fixture(scope="module")
def site() -> Iterator[DemoSite]:
    with DemoSite() as running:
        yield running


@pytest.fixture
def client(world: World) -> APIClient:
    client = APIClient()
    client.force_login(world.project.owner)
    return client


def preview(client: APIClient, world: World, **what: Any) -> Any:
    body = {"project": world.project.pk, "template": {"inspectors": [NAME]}, "url": "http://shop.example/", **what}
    return client.post("/api/v1/templates/preview", body, format="json")


def test_markup_is_read_as_a_crawl_would_read_it(client: APIClient, world: World) -> None:
    html = '<title>Shop</title><h2>SSD</h2><a href="/next">Next</a><p><a href="x" rel=nofollow>X</a>'
    found = preview(client, world, html=html).json()
    assert found["documents"] == [{"values": {"name": "SSD"}, "missing": [], "fired": {"name": 1}}]
    assert found["links"][0] == {"href": "http://shop.example/next", "anchor": "Next", "nofollow": False}
    assert (found["link_count"], found["title"], found["failure"], found["http_status"]) == (2, "Shop", "", None)
    assert set(found["milliseconds"]) == {"fetch", "parse", "extract", "links"}


def test_yesterday_is_a_day_as_in_a_crawl(client: APIClient, world: World) -> None:
    template = {"inspectors": [{"name": "day", "selector": "//time", "type": "date"}]}
    today = timezone.now().date()
    found = preview(client, world, template=template, html="<time>2 days ago</time>").json()
    wanted = {(today - timedelta(days=days)).isoformat() for days in (1, 2)}  # midnight may pass meanwhile
    assert {document["values"]["day"] for document in found["documents"]} <= wanted
    assert len(found["documents"]) == 1


def test_misses_are_told_in_sentences(client: APIClient, world: World) -> None:
    price = {"name": "price", "selector": "./b", "required": True}
    template = {"item_scope": "//li", "inspectors": [{**NAME, "selector": "./i"}, price]}
    found = preview(client, world, template=template, html="<li><i>A</i><b>1</b><li><i>B</i>").json()
    assert found["misses"] == [
        {"index": 1, "field": "price", "sentence": "Item 2 has no “price”, which is required."},
    ]
    assert found["items"] == 2


def test_links_come_from_the_scope(client: APIClient, world: World) -> None:
    html = "<nav><a href=/a>a</a></nav><main><a href=/b>b</a></main>"
    found = preview(client, world, html=html, links_scope=["//main"]).json()
    assert [link["href"] for link in found["links"]] == ["http://shop.example/b"]


def test_a_page_is_fetched_where_the_operator_allows(client: APIClient, world: World, site: DemoSite) -> None:
    url = f"{site.url}/shop/"
    refused = preview(client, world, url=url).json()
    assert (refused["documents"], refused["http_status"]) == ([], None)
    assert "address" in refused["failure"]
    with override_settings(ALLOW_NETWORKS=[url.split("/")[2]]):
        found = preview(client, world, url=url).json()
    assert (found["http_status"], found["failure"]) == (200, "")
    assert found["documents"][0]["values"]["name"]
    assert found["link_count"] > 5


@pytest.mark.parametrize(
    ("what", "field"),
    [
        ({"url": "ftp://shop.example/"}, "url"),
        ({"template": {"inspectors": [{"name": "a", "selector": "//h1["}]}}, "template.inspectors.0.selector"),
        ({"links_scope": ["//["]}, "links_scope.0"),
    ],
)
def test_what_cannot_work_is_refused_with_its_place(
    client: APIClient, world: World, what: dict[str, Any], field: str
) -> None:
    answer = preview(client, world, **what)
    assert answer.status_code == 400
    assert field in answer.json()["fields"]


def test_a_hostile_selector_costs_its_budget_in_a_preview_and_is_not_stored(client: APIClient, world: World) -> None:
    template = {"name": "Bomb", "inspectors": [{"name": "name", "selector": EXPONENTIAL}]}
    html = "<p>x</p>" * 400
    told = preview(client, world, template=template, html=html).json()
    assert "was stopped" in told["failure"]
    answer = client.post("/api/v1/templates", {**template, "project": world.project.pk}, format="json")
    assert answer.status_code == 400
    assert "ordinary page" in answer.json()["fields"]["inspectors.0.selector"][0]
    assert not Template.objects.filter(name="Bomb").exists()
    harmless = {"name": "Fine", "inspectors": [{"name": "name", "selector": "//li[count(preceding-sibling::li) = 1]"}]}
    answer = client.post("/api/v1/templates", {**harmless, "project": world.project.pk}, format="json")
    assert answer.status_code == 201
