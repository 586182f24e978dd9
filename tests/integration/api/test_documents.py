"""Lists of documents and pages: what a run holds, and what became of its addresses."""

from itertools import count
from typing import Any

import pytest
from django.utils import timezone

from backend.apps.documents.models import Document, DocumentVersion, Page
from backend.apps.runners.models import Runner
from tests.integration.api.conftest import World
from tests.integration.documents.conftest import Shop


@pytest.fixture
def shop(world: World) -> Shop:
    return Shop(world.users["editor"], world.project, world.project.crawlers.get())


def names(world: World, query: str) -> list[Any]:
    answer = world.client("viewer").get(f"/api/v1/documents?{query}")
    assert answer.status_code == 200, answer.content
    return [row["values"]["name"] for row in answer.json()["results"]]


def test_a_run_lists_what_it_extracted_and_what_it_found_unchanged(world: World, shop: Shop) -> None:
    one, two = shop.run(), shop.run()
    unchanged, changed = shop.document(one, "unchanged"), shop.document(one, "old")
    shop.document(one, "missed")
    Document.objects.filter(pk=unchanged.pk).update(last_runner=two)
    shop.version(changed, two, "new")
    shop.document(two, "added")
    assert names(world, f"runner={two.pk}") == ["added", "new", "unchanged"]
    assert names(world, f"runner={one.pk}") == ["missed", "new", "unchanged"]
    assert names(world, f"runner={shop.run().pk}") == []


def test_a_run_of_another_project_lists_nothing(world: World, shop: Shop) -> None:
    run = shop.run()
    shop.document(run, "SSD")
    answer = world.client("stranger").get(f"/api/v1/documents?runner={run.pk}")
    assert answer.json()["results"] == []


def test_duplicates_are_listed_only_when_asked_for_and_found_by_their_id(world: World, shop: Shop) -> None:
    run = shop.run()
    first = shop.document(run, "first")
    again = shop.document(run, "again", duplicate_of=first)
    for query in (f"runner={run.pk}", f"runner={run.pk}&with_duplicates=0"):
        assert names(world, query) == ["first"]
    assert names(world, f"runner={run.pk}&with_duplicates=1") == ["again", "first"]
    assert "again" not in names(world, f"crawler={shop.crawler.pk}")
    found = world.client("viewer").get(f"/api/v1/documents/{again.pk}").json()
    assert (found["values"]["name"], found["duplicate_of"]) == ("again", first.pk)


def test_values_come_in_the_order_of_the_template(world: World, shop: Shop) -> None:
    document = shop.document(shop.run(), "SSD", price={"amount": 9.5, "currency": "EUR"})
    DocumentVersion.objects.update(fields={"gone": 1, "name": "SSD", "price": None, "was": "x"})
    inspectors = shop.crawler.template.inspectors
    inspectors.filter(name="price").update(position=0, former_names=["was"])
    inspectors.filter(name="name").update(position=1)
    client = world.client("viewer")
    row = client.get(f"/api/v1/documents?crawler={shop.crawler.pk}").json()["results"][0]
    assert list(row["values"]) == ["price", "was", "name", "gone"]
    [version] = client.get(f"/api/v1/documents/{document.pk}/versions").json()["results"]
    assert list(version["values"]) == list(row["values"])


def test_a_list_of_documents_costs_the_same_number_of_questions_however_long(
    world: World,
    shop: Shop,
    django_assert_max_num_queries,  # type: ignore[no-untyped-def]
) -> None:
    run = shop.run()
    for number in range(5):
        shop.document(run, str(number))
    client = world.client("viewer")
    with django_assert_max_num_queries(8):
        assert len(client.get(f"/api/v1/documents?crawler={shop.crawler.pk}").json()["results"]) >= 5


@pytest.fixture
def fetched(shop: Shop) -> Runner:
    """A run with a page of every state."""
    runner, numbers = shop.run(), count(1)

    def add(state: str, **columns: Any) -> None:
        key = next(numbers).to_bytes(16)
        url = f"http://shop.example/{state}"
        Page.objects.create(runner=runner, key=key, url=url, state=state, fetched_at=timezone.now(), **columns)

    add("done", http_status=200, document_count=3)
    add("redirected", http_status=301, target="http://shop.example/done")
    add("failed", http_status=404, failure="The website has no such page.")
    add("skipped", refusal="robots", failure="The website's robots.txt asks crawlers not to visit it.")
    add("queued", failure="The website did not answer in time.")
    return runner


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("", ["queued", "skipped", "failed", "redirected", "done"]),
        ("state=failed", ["failed"]),
        ("state=done&state=redirected", ["redirected", "done"]),
        ("state=failed&http_status=500", []),
        ("refusal=robots", ["skipped"]),
    ],
)
def test_pages_are_found_by_what_became_of_them(world: World, fetched: Runner, query: str, expected: list[str]) -> None:
    answer = world.client("viewer").get(f"/api/v1/pages?runner={fetched.pk}&{query}")
    assert [page["state"] for page in answer.json()["results"]] == expected


def test_a_page_tells_why_it_failed_and_how_many_documents_it_had(world: World, fetched: Runner) -> None:
    pages = world.client("viewer").get(f"/api/v1/pages?runner={fetched.pk}").json()["results"]
    told = {page["state"]: (page["document_count"], page["refusal"], page["failure"]) for page in pages}
    assert told["done"] == (3, "", "")
    assert told["failed"] == (0, "", "The website has no such page.")
    assert told["skipped"] == (0, "robots", "The website's robots.txt asks crawlers not to visit it.")


def test_a_state_that_there_is_not_is_refused_with_a_sentence(world: World, fetched: Runner) -> None:
    answer = world.client("viewer").get(f"/api/v1/pages?runner={fetched.pk}&state=lost")
    assert answer.status_code == 400
    assert answer.json()["fields"].keys() == {"state"}
