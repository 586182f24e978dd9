"""The database goes away under a request: a real PostgreSQL, whose connection is cut."""

from typing import Any

import psycopg
import pytest
from django.conf import settings
from django.db import connection
from django.test import Client

from backend.apps.accounts.models import User
from backend.apps.projects.models import Project
from backend.apps.projects.services import create_project

pytestmark = [pytest.mark.postgres, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def client() -> Client:
    user = User.objects.create(username="ann")
    create_project(owner=user, name="Shops")
    client = Client(raise_request_exception=False)
    client.force_login(user)
    return client


def cut_connection() -> None:
    """As a restart of the server does it: the next statement fails."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid()")
        number = cursor.fetchone()[0]
    with psycopg.connect(settings.DATABASE_URL, autocommit=True) as other:
        other.execute("SELECT pg_terminate_backend(%s)", [number])


def test_who_only_reads_is_served_all_the_same(client: Client) -> None:
    cut_connection()
    answer = client.get("/api/v1/projects")
    assert answer.status_code == 200
    assert [row["name"] for row in answer.json()["results"]] == ["Shops"]


def test_who_writes_is_told_to_try_again_and_nothing_happened(client: Client) -> None:
    cut_connection()
    answer: Any = client.post("/api/v1/projects", {"name": "Other"}, content_type="application/json")
    assert answer.status_code == 503
    assert answer.json()["code"] == "database_away"
    assert answer.headers["Retry-After"] == "3"
    connection.close()
    assert not Project.objects.filter(name="Other").exists()
    again: Any = client.post("/api/v1/projects", {"name": "Other"}, content_type="application/json")
    assert again.status_code == 201
