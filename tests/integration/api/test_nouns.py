"""What the API does with good and bad values of the configuration nouns."""

from typing import Any

import pytest
from rest_framework.test import APIClient

from tests.integration.api.conftest import World


@pytest.fixture
def editor(world: World) -> APIClient:
    return world.client("editor")


def _template(editor: APIClient, world: World) -> dict[str, Any]:
    return editor.get(f"/api/v1/templates/{world.ids['templates']}").json()


def test_a_template_is_made_with_its_inspectors_and_actions(editor: APIClient, world: World) -> None:
    body = {
        "project": world.project.pk,
        "name": "Article",
        "inspectors": [
            {"name": "title", "selector": "//h1"},
            {"name": "source", "type": "constant", "value": "magazine"},
        ],
        "actions": [{"type": "type", "selector": "//input", "text": "ssd", "submit": True}],
    }
    answer = editor.post("/api/v1/templates", body)
    assert answer.status_code == 201, answer.json()
    stored = answer.json()
    assert [row["name"] for row in stored["inspectors"]] == ["title", "source"]
    assert stored["inspectors"][0]["type"] == "text"
    assert stored["actions"][0]["submit"] is True
    assert stored["actions"][0]["timeout_seconds"] == 10


def test_an_inspector_with_an_id_is_renamed_not_replaced(editor: APIClient, world: World) -> None:
    template = _template(editor, world)
    first, second = template["inspectors"]
    swapped = [{**first, "name": second["name"]}, {**second, "name": first["name"]}]
    answer = editor.patch(f"/api/v1/templates/{template['id']}", {"inspectors": swapped})
    assert answer.status_code == 200, answer.json()
    assert [(row["id"], row["name"]) for row in answer.json()["inspectors"]] == [
        (first["id"], second["name"]),
        (second["id"], first["name"]),
    ]
    indexer = editor.get(f"/api/v1/indexers/{world.ids['indexers']}").json()
    assert indexer["columns"][0]["sources"] == ["Product.price"]


def test_an_inspector_that_an_index_uses_cannot_be_taken_out(editor: APIClient, world: World) -> None:
    template = _template(editor, world)
    answer = editor.patch(f"/api/v1/templates/{template['id']}", {"inspectors": template["inspectors"][:1]})
    assert answer.status_code == 409
    assert "“price” of the indexer “Products”" in answer.json()["detail"]
    assert _template(editor, world) == template


def test_inspectors_can_be_reordered(editor: APIClient, world: World) -> None:
    template = _template(editor, world)
    answer = editor.patch(f"/api/v1/templates/{template['id']}", {"inspectors": template["inspectors"][::-1]})
    assert [row["name"] for row in answer.json()["inspectors"]] == ["price", "name"]


def test_a_template_in_use_cannot_be_deleted(editor: APIClient, world: World) -> None:
    answer = editor.delete(f"/api/v1/templates/{world.ids['templates']}")
    assert answer.status_code == 409
    assert "“Shop”" in answer.json()["detail"]


def test_single_crawlers_are_chosen_for_an_index_and_then_stay(editor: APIClient, world: World) -> None:
    address, crawler = f"/api/v1/indexers/{world.ids['indexers']}", world.ids["crawlers"]
    assert editor.get(address).json()["crawlers"] == []
    answer = editor.patch(address, {"crawlers": [crawler, crawler]})
    assert (answer.status_code, answer.json()["crawlers"]) == (200, [crawler])
    refused = editor.delete(f"/api/v1/crawlers/{crawler}")
    assert (refused.status_code, refused.json()["code"]) == (409, "in_use")
    assert editor.patch(address, {"name": "Renamed"}).json()["crawlers"] == [crawler]
    assert editor.patch(address, {"crawlers": []}).json()["crawlers"] == []
    assert editor.delete(f"/api/v1/crawlers/{crawler}").status_code == 204


@pytest.mark.parametrize(
    ("crawlers", "path"),
    [([10**12], "crawlers.0"), ([2**70], "crawlers.0"), (["x"], "crawlers.0"), ([1] * 1_001, "crawlers")],
)
def test_crawlers_that_the_project_does_not_have_are_refused(
    editor: APIClient, world: World, crawlers: list[Any], path: str
) -> None:
    answer = editor.patch(f"/api/v1/indexers/{world.ids['indexers']}", {"crawlers": crawlers})
    assert answer.status_code == 400
    assert path in answer.json()["fields"]


@pytest.mark.parametrize(
    ("noun", "body", "path", "told"),
    [
        ("templates", {"item_scope": "//li["}, "item_scope", "at character"),
        ("templates", {"inspectors": [{"name": "a", "selector": "//h1)"}]}, "inspectors.0.selector", "at character"),
        ("templates", {"inspectors": [{"name": "a"}]}, "inspectors.0.selector", "XPath"),
        ("templates", {"inspectors": [{"name": "a.b", "selector": "//a"}]}, "inspectors.0.name", "“.”"),
        (
            "templates",
            {"inspectors": [{"name": "a", "selector": "//a", "cleanup": [{"pattern": "(a", "replacement": ""}]}]},
            "inspectors.0.cleanup.0.pattern",
            "",
        ),
        (
            "templates",
            {"inspectors": [{"name": "a", "selector": "//a", "variable": "log"}]},
            "inspectors.0.variable",
            "not a variable name",
        ),
        ("templates", {"actions": [{"type": "wait", "seconds": -1}]}, "actions.0.seconds", "seconds to wait"),
        ("templates", {"actions": [{"type": "wait", "selector": "//a"}]}, "actions.0.selector", "has no parameter"),
        ("templates", {"selectors": []}, "selectors", "no field “selectors”"),
        ("crawlers", {"seeds": []}, "seeds", "at least one"),
        ("crawlers", {"seeds": ["shop.example"]}, "seeds.0", "https://shop.example"),
        ("crawlers", {"seeds": ["javascript:alert(1)"]}, "seeds.0", "http"),
        ("crawlers", {"max_pages": 0}, "max_pages", "1"),
        ("crawlers", {"max_page": 5}, "max_page", "Did you mean “max_pages”?"),
        ("crawlers", {"exclude": ["(["]}, "exclude.0", "address pattern"),
        ("crawlers", {"proxies": ["p.example:80"]}, "proxies.0", "http://user:password@"),
        ("crawlers", {"headers": {"Host": "x"}}, "headers.Host", "Gleaner itself"),
        ("crawlers", {"addresses": {"drop_color": True}}, "addresses.drop_color", "drop_color"),
        ("crawlers", {"addresses": {"ignored_parameters": [""]}}, "addresses.ignored_parameters.0", "blank"),
        ("crawlers", {"limits": {"pages_per_day": 3}}, "limits.pages_per_day", "pages_per_day"),
        ("crawlers", {"limits": {"error_rate": 2}}, "limits.error_rate", "1"),
        ("crawlers", {"prefer": ["(["]}, "prefer.0", "pattern"),
        ("crawlers", {"canonical_links": "guess"}, "canonical_links", "guess"),
        ("crawlers", {"headers": {"X-A": "a\r\nb"}}, "headers.X-A", "one line"),
        ("crawlers", {"robots_url": "file:///etc/passwd"}, "robots_url", "http"),
        ("crawlers", {"links_scope": ["//a["]}, "links_scope.0", "at character"),
        ("indexers", {"formula": "log("}, "formula", "at character"),
        ("indexers", {"formula": "votes / 10"}, "formula", "votes"),
        ("indexers", {"b": 2}, "b", "1"),
        ("indexers", {"columns": [{"name": "x", "sources": ["Product.nope"]}]}, "columns.0.sources.0", "no inspector"),
        ("indexers", {"columns": [{"name": "x", "sources": []}]}, "columns.0.sources", "at least one"),
        ("indexers", {"word_weights": {"a\x00b": 1}}, "word_weights.a\x00b", "invisible"),
        ("indexers", {"word_weights": {"new york": 5}}, "word_weights.new york", "one word"),
        ("indexers", {"word_weights": {"york": 1_000_001}}, "word_weights.york", "1,000,000"),
        ("indexers", {"synonyms": [["ssd"]]}, "synonyms.0", "two different words"),
        ("dictionaries", {"entries": "Acme, much"}, "entries", "Line 1"),
    ],
)
def test_a_bad_value_is_refused_at_its_field_with_the_remedy(
    editor: APIClient, world: World, noun: str, body: dict[str, Any], path: str, told: str
) -> None:
    whole = {"project": world.project.pk, "name": "New", **body}
    if noun == "crawlers":
        whole = {"template": world.ids["templates"], "seeds": ["http://a.example"], **whole}
    answer = editor.post(f"/api/v1/{noun}", whole)
    assert answer.status_code == 400
    assert answer.json()["code"] == "invalid"
    assert told in " ".join(answer.json()["fields"][path]), answer.json()


@pytest.mark.parametrize("noun", ["templates", "crawlers", "indexers", "dictionaries"])
def test_a_name_is_taken_only_once(editor: APIClient, world: World, noun: str) -> None:
    address = f"/api/v1/{noun}/{world.ids[noun]}"
    taken = editor.get(address).json()["name"]
    copy = editor.post(f"{address}/duplicate").json()
    assert copy["name"] == f"{taken} (copy)"
    answer = editor.patch(f"/api/v1/{noun}/{copy['id']}", {"name": taken})
    assert answer.status_code == 400
    assert "already" in answer.json()["fields"]["name"][0]


@pytest.mark.parametrize("noun", ["templates", "crawlers", "indexers", "dictionaries"])
def test_a_copy_holds_what_the_original_holds(editor: APIClient, world: World, noun: str) -> None:
    address = f"/api/v1/{noun}/{world.ids[noun]}"
    assert _comparable(editor.post(f"{address}/duplicate").json()) == _comparable(editor.get(address).json())


def _comparable(noun: Any) -> Any:
    if isinstance(noun, list):
        return [_comparable(item) for item in noun]
    if not isinstance(noun, dict):
        return noun
    own = {"id", "created_at", "updated_at", "runner_count"} | ({"name"} if "project" in noun else set())
    return {key: _comparable(value) for key, value in noun.items() if key not in own}


def test_a_template_of_another_project_is_refused(editor: APIClient, world: World) -> None:
    other = editor.post("/api/v1/projects", {"name": "Other"}).json()
    body = {"project": other["id"], "name": "C", "template": world.ids["templates"], "seeds": ["http://a.example"]}
    answer = editor.post("/api/v1/crawlers", body)
    assert answer.status_code == 400
    assert "template" in answer.json()["fields"]


def test_the_project_of_a_noun_cannot_be_changed(editor: APIClient, world: World) -> None:
    other = editor.post("/api/v1/projects", {"name": "Other"}).json()
    answer = editor.patch(f"/api/v1/templates/{world.ids['templates']}", {"project": other["id"]})
    assert answer.json()["project"] == world.project.pk


def test_a_formula_is_checked_against_the_stored_columns(editor: APIClient, world: World) -> None:
    address = f"/api/v1/indexers/{world.ids['indexers']}"
    assert editor.patch(address, {"formula": "price * 2"}).status_code == 200
    assert "price" in editor.patch(address, {"formula": "prise * 2"}).json()["fields"]["formula"][0]
    without = {"columns": [{"name": "name", "sources": ["Product.name"]}]}
    assert "price" in editor.patch(address, without).json()["fields"]["formula"][0]


def test_a_proxy_password_becomes_a_secret(editor: APIClient, world: World) -> None:
    address = f"/api/v1/crawlers/{world.ids['crawlers']}"
    stored = editor.patch(address, {"proxies": ["http://me:hunter2@p.example:8080"]}).json()
    assert stored["proxies"] == ["http://me:${proxy me p.example 8080}@p.example:8080"]
    secrets = editor.get(f"/api/v1/projects/{world.project.pk}/secrets").json()["results"]
    assert "proxy me p.example 8080" in [secret["name"] for secret in secrets]
    assert "hunter2" not in str(secrets)


def test_lists_are_filtered_searched_and_ordered(editor: APIClient, world: World) -> None:
    for name in ("Alpha", "Beta"):
        editor.post("/api/v1/dictionaries", {"project": world.project.pk, "name": name})
    address = f"/api/v1/dictionaries?project={world.project.pk}"
    names = [row["name"] for row in editor.get(f"{address}&ordering=-name").json()["results"]]
    assert names == ["Brands", "Beta", "Alpha"]
    assert editor.get(f"{address}&search=alp").json()["count"] == 1
    assert editor.get(f"{address}&page_size=2").json()["next"] is not None
    assert editor.get("/api/v1/dictionaries?project=999999").json().get("results", []) == []


def test_documents_come_in_keysets_without_a_count(editor: APIClient, world: World) -> None:
    answer = editor.get(f"/api/v1/documents?crawler={world.ids['crawlers']}").json()
    assert set(answer) == {"next", "previous", "results"}
    assert answer["results"][0]["values"] == {"name": "SSD"}
    assert editor.get("/api/v1/documents?runner=0").json()["results"] == []


@pytest.mark.parametrize(
    "body", [b"{", b"[1", b'{"a": NaN}', b"[" * 50_000, b'"\xff"', b"[]", b'"text"', b"7", b"null", b"\x00"]
)
def test_a_body_that_is_no_request_gets_a_sentence(editor: APIClient, world: World, body: bytes) -> None:
    for address in ("/api/v1/templates", "/api/v1/projects", "/api/v1/projects/import", "/api/v1/auth/login"):
        answer = editor.post(address, body, content_type="application/json")
        assert answer.status_code in (400, 404), (address, answer.content)
        assert answer.json()["detail"]


@pytest.mark.parametrize("ident", ["0", "-1", "abc", "99999999999999999999999", "1%00"])
def test_an_odd_id_is_nothing(editor: APIClient, ident: str) -> None:
    for noun in ("templates", "projects", "runners", "documents"):
        answer = editor.get(f"/api/v1/{noun}/{ident}")
        assert answer.status_code == 404, (noun, ident)
        assert answer.json()["code"] == "not_found"


def test_an_address_that_is_not_there_answers_in_json(editor: APIClient) -> None:
    answer = editor.get("/api/v1/nothing/here")
    assert answer.status_code == 404
    assert answer.json()["code"] == "not_found"


def test_a_project_is_deleted_with_everything_in_it(world: World) -> None:
    admin = world.client("admin")
    assert admin.delete(f"/api/v1/projects/{world.project.pk}").status_code == 204
    assert admin.get(f"/api/v1/projects/{world.project.pk}").status_code == 404
    assert admin.get("/api/v1/templates").json()["results"] == []


def test_a_large_dictionary_is_listed_without_its_entries_shown_in_part_and_downloaded_whole(
    editor: APIClient, world: World
) -> None:
    lines = [f"Name {number}, {number}" for number in range(50)]
    body = {"project": world.project.pk, "name": "Large", "entries": "\n\n".join(lines)}
    made = editor.post("/api/v1/dictionaries?max_entries=3", body).json()
    assert (made["entry_count"], made["entries"].splitlines()) == (50, lines[:3])
    listed = editor.get(f"/api/v1/dictionaries?project={world.project.pk}").json()["results"]
    assert {"Large": 50}.items() <= {row["name"]: row["entry_count"] for row in listed}.items()
    assert not any("entries" in row for row in listed)
    address = f"/api/v1/dictionaries/{made['id']}"
    renamed = editor.patch(f"{address}?max_entries=3", {"name": "Larger"}).json()
    assert (renamed["name"], renamed["entry_count"], len(renamed["entries"].splitlines())) == ("Larger", 50, 3)
    assert editor.get(f"{address}?max_entries=50").json()["entries"] == body["entries"]
    assert editor.get(address).json()["entries"] == body["entries"]
    assert editor.get(f"{address}?max_entries=none").status_code == 400
    file = editor.get(f"{address}/entries")
    assert (file["Content-Type"], file.content.decode()) == ("text/plain; charset=utf-8", body["entries"])
    assert "attachment" in file["Content-Disposition"]


def test_entries_may_be_as_long_as_a_request(settings: Any) -> None:
    from backend.api.indexers.serializers import DictionarySerializer

    assert DictionarySerializer().fields["entries"].max_length == settings.DATA_UPLOAD_MAX_MEMORY_SIZE
