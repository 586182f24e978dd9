"""Signing in, tokens, people, members and secrets."""

from datetime import timedelta
from typing import Any

import pytest
from django.conf import LazySettings
from django.utils import timezone
from rest_framework.test import APIClient

from backend.apps.accounts.models import ApiToken, User
from backend.apps.projects.models import Membership, Secret
from tests.integration.api.conftest import PASSWORD, World


def _login(client: APIClient, **changes: str) -> Any:
    return client.post("/api/v1/auth/login", {"username": "viewer", "password": PASSWORD, **changes})


def test_signing_in_and_out(world: World) -> None:
    client = APIClient()
    assert client.get("/api/v1/auth/me").json() == {"authenticated": False, "user": None, "version": "0.1.0"}
    assert _login(client).json()["user"]["username"] == "viewer"
    assert client.get("/api/v1/auth/me").json()["authenticated"] is True
    assert client.post("/api/v1/auth/logout").status_code == 204
    assert client.get("/api/v1/projects").status_code == 401


def test_signing_in_needs_the_csrf_token(world: World) -> None:
    client = APIClient(enforce_csrf_checks=True)
    assert _login(client).status_code == 403
    client.get("/api/v1/auth/me")
    token = client.cookies["csrftoken"].value
    body = {"username": "viewer", "password": PASSWORD}
    assert client.post("/api/v1/auth/login", body, HTTP_X_CSRFTOKEN=token).status_code == 200
    assert client.post("/api/v1/projects", {"name": "x"}).status_code == 403


def test_a_wrong_password_and_an_unknown_name_answer_alike(world: World) -> None:
    wrong = _login(APIClient(), password="wrong")
    unknown = _login(APIClient(), username="nobody")
    assert wrong.status_code == unknown.status_code == 400
    assert wrong.json() == unknown.json()
    assert wrong.json()["code"] == "wrong_credentials"


def test_guessing_is_throttled_for_that_name_only(world: World, settings: LazySettings) -> None:
    settings.LOGIN_TRIES_PER_MINUTE = 3
    client = APIClient()
    assert [_login(client, password="wrong").status_code for _ in range(4)] == [400, 400, 400, 429]
    refused = _login(client)
    assert refused.status_code == 429
    assert int(refused.headers["Retry-After"]) > 0
    assert _login(client, username="editor").status_code == 200


def test_a_person_changes_their_password_and_stays_signed_in(world: World) -> None:
    client = world.client("viewer")
    body = {"current_password": PASSWORD, "new_password": "correct horse battery"}
    assert client.post("/api/v1/auth/password", body).status_code == 204
    assert client.get("/api/v1/projects").status_code == 200
    assert _login(APIClient()).status_code == 400
    assert _login(APIClient(), password="correct horse battery").status_code == 200


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"current_password": "wrong", "new_password": "correct horse battery"}, "current_password"),
        ({"current_password": PASSWORD, "new_password": "short"}, "new_password"),
        ({"current_password": PASSWORD, "new_password": "password123"}, "new_password"),
    ],
)
def test_a_bad_new_password_is_refused(world: World, body: dict[str, str], field: str) -> None:
    answer = world.client("viewer").post("/api/v1/auth/password", body)
    assert answer.status_code == 400
    assert list(answer.json()["fields"]) == [field]


def test_a_token_opens_the_api_until_it_expires(world: World) -> None:
    issued = world.client("viewer").post("/api/v1/tokens", {"name": "ci", "expires_in_days": 7}).json()
    program = APIClient(HTTP_AUTHORIZATION=f"Bearer {issued['token']}")
    assert program.get("/api/v1/projects").json()["count"] == 1
    stored = ApiToken.objects.get(name="ci")
    assert issued["token"] not in str(stored.__dict__)
    assert stored.last_used_at is not None
    ApiToken.objects.filter(pk=stored.pk).update(expires_at=timezone.now() - timedelta(seconds=1))
    refused = program.get("/api/v1/projects")
    assert refused.status_code == 401
    assert "expired" in refused.json()["detail"]


def test_a_token_of_a_deactivated_person_is_dead(world: World) -> None:
    issued = world.client("viewer").post("/api/v1/tokens", {"name": "ci"}).json()
    User.objects.filter(username="viewer").update(is_active=False)
    assert APIClient(HTTP_AUTHORIZATION=f"Bearer {issued['token']}").get("/api/v1/projects").status_code == 401


def test_the_last_administrator_cannot_be_lost(world: World) -> None:
    client = world.client("administrator")
    address = f"/api/v1/users/{world.users['administrator'].pk}"
    for answer in (
        client.patch(address, {"is_admin": False}),
        client.patch(address, {"is_active": False}),
        client.delete(address),
    ):
        assert answer.status_code == 409
        assert "at least one administrator" in answer.json()["detail"]
    assert User.objects.get(username="administrator").is_superuser


def test_a_person_who_owns_a_project_is_not_deleted_with_it(world: World) -> None:
    answer = world.client("administrator").delete(f"/api/v1/users/{world.users['admin'].pk}")
    assert answer.status_code == 409
    assert "Shops" in answer.json()["detail"]


def test_a_project_keeps_an_admin(world: World) -> None:
    membership = Membership.objects.get(user__username="admin")
    address = f"/api/v1/projects/{world.project.pk}/members/{membership.pk}"
    assert world.client("admin").delete(address).status_code == 409
    assert world.client("admin").patch(address, {"role": "viewer"}).status_code == 409
    membership.refresh_from_db()
    assert membership.role == "admin"


def test_an_unknown_or_doubled_member_is_refused(world: World) -> None:
    address = f"/api/v1/projects/{world.project.pk}/members"
    for name in ("nobody", "viewer"):
        answer = world.client("admin").post(address, {"username": name, "role": "viewer"})
        assert answer.status_code == 400
        assert "username" in answer.json()["fields"]


def test_a_secret_goes_in_and_never_comes_out(world: World) -> None:
    client = world.client("editor")
    address = f"/api/v1/projects/{world.project.pk}/secrets"
    made = client.post(address, {"name": "api key", "value": "hunter3"})
    assert set(made.json()) == {"id", "name", "updated_at"}
    assert client.put(f"{address}/{made.json()['id']}", {"value": "hunter4"}).status_code == 200
    secret = Secret.objects.get(name="api key")
    assert b"hunter" not in bytes(secret.ciphertext)
    assert secret.reveal() == "hunter4"
    assert "hunter" not in str(client.get(address).json())
