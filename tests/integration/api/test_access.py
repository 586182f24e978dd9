"""Every operation of the API, called by everybody: each may do what the OpenAPI file says (`x-access`), no more."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import yaml
from django.apps import apps
from django.db import transaction
from django.urls import URLPattern, URLResolver, get_resolver

from tests.integration.api.conftest import ACTORS, PASSWORD, World
from tests.integration.project_files.samples import SHOP_FILE

ROOT = Path(__file__).resolve().parents[3]
OPENAPI = yaml.safe_load((ROOT / "docs" / "openapi.yaml").read_text(encoding="utf-8"))
RANK = {"stranger": 0, "viewer": 1, "editor": 2, "admin": 3, "administrator": 3}
PUBLIC = {"/api/v1/auth/me", "/api/v1/auth/login"}
OUTSIDE_THE_SCHEMA = {"/api/v1/schema", "/api/v1/docs", "/api/v1/{rest}"}
STREAMS = {"/api/v1/events"}
UNSAFE = {"post", "put", "patch", "delete"}


class Operation(NamedTuple):
    method: str
    path: str
    access: str

    def __str__(self) -> str:
        return f"{self.method} {self.path}"


OPERATIONS = [
    Operation(method, path, operation["x-access"])
    for path, methods in OPENAPI["paths"].items()
    for method, operation in methods.items()
]

# What a good request sends; a new writing operation must say here what that is.
BODIES: dict[str, Any] = {
    "post /api/v1/templates/preview": {
        "project": "PROJECT",
        "template": {"inspectors": [{"name": "name", "selector": "//h1"}]},
        "url": "http://shop.example/1",
        "html": "<h1>SSD</h1>",
    },
    "post /api/v1/auth/login": {"username": "viewer", "password": PASSWORD},
    "post /api/v1/auth/logout": {},
    "post /api/v1/auth/password": {"current_password": PASSWORD, "new_password": "another long password"},
    "post /api/v1/users": {"username": "new", "password": PASSWORD},
    "patch /api/v1/users/{id}": {"email": "a@example.org"},
    "post /api/v1/tokens": {"name": "new"},
    "post /api/v1/projects": {"name": "New"},
    "put /api/v1/projects/{id}": {"name": "Other"},
    "patch /api/v1/projects/{id}": {"name": "Other"},
    "post /api/v1/projects/import": {**SHOP_FILE, "name": "Imported"},
    "post /api/v1/projects/{id}/import": {**SHOP_FILE, "templates": [{"name": "Another"}]},
    "post /api/v1/projects/{project_pk}/members": {"username": "stranger", "role": "viewer"},
    "patch /api/v1/projects/{project_pk}/members/{id}": {"role": "editor"},
    "post /api/v1/projects/{project_pk}/secrets": {"name": "new", "value": "secret"},
    "put /api/v1/projects/{project_pk}/secrets/{id}": {"value": "secret"},
    "post /api/v1/templates": {"project": "PROJECT", "name": "New"},
    "put /api/v1/templates/{id}": {"project": "PROJECT", "name": "Other"},
    "patch /api/v1/templates/{id}": {"name": "Other"},
    # A secret that nobody keeps: refused before a browser starts.
    "post /api/v1/templates/{id}/replay": {
        "url": "http://shop.example/1",
        "actions": [{"type": "type", "selector": "//input", "text": "${nobody}"}],
    },
    "post /api/v1/crawlers": {
        "project": "PROJECT",
        "name": "New",
        "template": "TEMPLATE",
        "seeds": ["http://a.example"],
    },
    "put /api/v1/crawlers/{id}": {
        "project": "PROJECT",
        "name": "Other",
        "template": "TEMPLATE",
        "seeds": ["http://a.example"],
    },
    "patch /api/v1/crawlers/{id}": {"name": "Other"},
    "post /api/v1/indexers": {"project": "PROJECT", "name": "New"},
    "put /api/v1/indexers/{id}": {"project": "PROJECT", "name": "Other"},
    "patch /api/v1/indexers/{id}": {"name": "Other"},
    "post /api/v1/indexers/{id}/search": {"q": "tea"},
    "post /api/v1/indexers/{id}/start": {"rebuild": True},
    "get /api/v1/crawlers/{id}/trace": {"url": "http://shop.example/1"},
    "post /api/v1/indexers/{id}/judge": {"query": "tea", "key": "1", "grade": 3},
    "post /api/v1/indexers/{id}/evaluate": {"settings": {"k": 1}},
    "post /api/v1/indexers/{id}/compare": {"first": {}, "second": {"k": 1}},
    "post /api/v1/judged-queries": {"indexer": "INDEXER", "text": "new"},
    "put /api/v1/judged-queries/{id}": {"indexer": "INDEXER", "text": "other"},
    "patch /api/v1/judged-queries/{id}": {"text": "other"},
    "post /api/v1/tunings": {"indexer": "INDEXER"},
    "post /api/v1/runners": {"crawler": "CRAWLER"},
    "post /api/v1/nodes/invite": {"name": "crawler-2"},
    "post /api/v1/dictionaries": {"project": "PROJECT", "name": "New"},
    "put /api/v1/dictionaries/{id}": {"project": "PROJECT", "name": "Other"},
    "patch /api/v1/dictionaries/{id}": {"name": "Other"},
}
WISHES = "duplicate|pause|resume|stop|retry|accept|discard|hold|release|cancel|drain|undrain|revoke"
WITHOUT_BODY = re.compile(rf"^(get|delete|post .*/({WISHES})$)")


@pytest.mark.parametrize("actor", ACTORS)
@pytest.mark.parametrize("operation", OPERATIONS, ids=str)
def test_each_actor_may_do_what_the_schema_says_and_nothing_else(
    shared_world: World, operation: Operation, actor: str
) -> None:
    before = _fingerprint()
    with transaction.atomic():
        answer = _call(shared_world, operation, actor)
        after = _fingerprint()
        transaction.set_rollback(True)
    expected = _expected(operation, actor)
    assert answer.status_code in expected, (answer.status_code, getattr(answer, "data", answer.content[:500]))
    if answer.status_code >= 400:
        assert set(answer.json()) == {"code", "detail", "fields"}
        assert after == before, "a denial must change nothing"


@pytest.mark.parametrize(
    "operation", [row for row in OPERATIONS if row.method == "get" and "{" not in row.path], ids=str
)
def test_a_stranger_sees_nothing_of_the_project_in_lists(world: World, operation: Operation) -> None:
    if operation.path in STREAMS:  # tests/integration/events
        return
    if operation.access in ("public", "administrator") or operation.path == "/api/v1/nodes":
        assert operation.path in {*PUBLIC, "/api/v1/users", "/api/v1/nodes"}
        return
    answer = world.client("stranger").get(operation.path)
    assert answer.json()["results"] == []
    if operation.path != "/api/v1/tokens":
        assert world.client("viewer").get(operation.path).json()["results"] != []


def test_only_known_operations_are_public() -> None:
    assert {row.path for row in OPERATIONS if row.access == "public"} == PUBLIC


@pytest.mark.parametrize("operation", [row for row in OPERATIONS if row.access == "viewer"], ids=str)
def test_viewers_only_read(operation: Operation) -> None:
    assert operation.method not in UNSAFE


def test_every_address_is_described_or_known_to_be_outside() -> None:
    described = {re.sub(r"\{[^}]*\}", "{}", path) for path in (*OPENAPI["paths"], *OUTSIDE_THE_SCHEMA)}
    found = {re.sub(r"\{[^}]*\}", "{}", path) for path in _addresses(get_resolver())}
    assert found == described


def _addresses(resolver: URLResolver, prefix: str = "/") -> Iterator[str]:
    for entry in resolver.url_patterns:
        path = prefix + _readable(str(entry.pattern))
        if isinstance(entry, URLPattern) and path.startswith("/api/"):
            yield path
        elif isinstance(entry, URLResolver):
            yield from _addresses(entry, path)


def _readable(pattern: str) -> str:
    pattern = re.sub(r"\(\?P<(\w+)>[^)]*\)|<(?:\w+:)?(\w+)>", lambda found: f"{{{found[1] or found[2]}}}", pattern)
    return pattern.strip("^$").replace(r"\Z", "")


def _call(world: World, operation: Operation, actor: str) -> Any:
    if not WITHOUT_BODY.match(str(operation)):
        assert str(operation) in BODIES, f"say in BODIES what a good request of “{operation}” sends"
    body = BODIES.get(str(operation))
    if isinstance(body, dict):
        names = {"PROJECT": world.project.pk, "TEMPLATE": world.ids["templates"], "CRAWLER": world.ids["crawlers"]}
        names["INDEXER"] = world.ids["indexers"]
        body = {key: names.get(value, value) if isinstance(value, str) else value for key, value in body.items()}
    client = world.client(actor)
    return getattr(client, operation.method)(_address(world, operation.path), body, format="json")


def _address(world: World, path: str) -> str:
    parts = path.split("/")
    for place, part in enumerate(parts):
        if part.startswith("{"):
            noun = parts[place - 1]
            assert noun in world.ids, f"the world of this test has no “{noun}” yet: add one"
            parts[place] = str(world.ids[noun])
    return "/".join(parts)


def _expected(operation: Operation, actor: str) -> set[int]:
    fine = {200, 201, 204}
    if operation.access == "public":
        return fine
    if actor == "anonymous":
        return {401}
    if operation.access == "administrator":
        # The head's own machine cannot be revoked or forgotten, and without a cluster nobody can be invited.
        clashes = operation.path.endswith(("/revoke", "/invite")) or str(operation) == "delete /api/v1/nodes/{id}"
        return ({409} if clashes else fine) if actor == "administrator" else {403}
    if operation.access == "signed in":
        return {404} if operation.path == "/api/v1/tokens/{id}" and actor != "viewer" else fine
    if actor == "stranger":
        return {200} if "{" not in operation.path and operation.method == "get" else {404}
    if operation.access == "published":
        return {409}  # the indexer of this world is not built
    if RANK[actor] < RANK[operation.access]:
        return {403}
    # True wishes may still clash with what is there: a template that a crawler uses cannot be deleted.
    clashing = ("/retry", "/indexers/{id}/stop", "/accept", "/discard", "/evaluate", "/compare", "/tunings", "/replay")
    may_clash = operation.method == "delete" or operation.path.endswith(clashing)
    return {*fine, 409} if may_clash else fine


def _fingerprint() -> dict[str, list[Any]]:
    """Everything the database holds of ours, but for when a token was last used and sessions."""
    labels = (
        "accounts",
        "projects",
        "templates",
        "crawlers",
        "indexers",
        "search",
        "runners",
        "documents",
        "jobs",
        "nodes",
        "housekeeping",
        "events",
    )
    return {
        model._meta.label: sorted(map(repr, model._default_manager.values_list(*_columns(model))))
        for label in labels
        for model in apps.get_app_config(label).get_models()
    }


def _columns(model: Any) -> list[str]:
    skipped = {"last_login", "last_used_at"}
    return [field.attname for field in model._meta.concrete_fields if field.attname not in skipped]
