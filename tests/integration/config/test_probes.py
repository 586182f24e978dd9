"""Probes: does it live, is it ready, its numbers."""

import json
import urllib.error
import urllib.request
from datetime import timedelta

import pytest
from django.db import connection
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder
from django.test import Client
from django.utils import timezone

from backend.apps.jobs.models import HeadLease
from backend.apps.runners.models import CrawlState, Runner
from backend.apps.runners.services import start_runner
from backend.bootstrap.servers.ports import private_free
from backend.config.observing import ports, readiness
from backend.config.observing.probes import readable_route
from tests.integration.runners.kept_pages import shop_crawler

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _built_ui(settings, tmp_path, monkeypatch: pytest.MonkeyPatch) -> None:
    settings.UI_DIR = tmp_path
    (tmp_path / "index.html").write_text("<!doctype html>")
    monkeypatch.setattr(readiness, "_is_migrated", False)


def ready(client: Client) -> tuple[int, dict]:
    answer = client.get("/readyz")
    return answer.status_code, {name: check["ok"] for name, check in answer.json()["checks"].items()}


def test_it_lives_under_any_host_name_and_without_a_redirect(client: Client, settings) -> None:
    settings.SECURE_SSL_REDIRECT = True
    answer = client.get("/healthz", headers={"host": "10.0.0.7:8000"})
    assert (answer.status_code, answer.json()["status"]) == (200, "ok")


def test_it_is_ready_when_everything_needed_is_there(client: Client) -> None:
    assert ready(client) == (200, {"database": True, "migrations": True, "user_interface": True, "head_node": False})
    HeadLease.objects.create(pk=1, head="h", expires_at=timezone.now() + timedelta(minutes=10))
    assert ready(client)[1]["head_node"]


def test_a_missing_migration_makes_it_unready_until_it_is_applied(client: Client) -> None:
    recorder = MigrationRecorder(connection)
    newest = MigrationLoader(connection).graph.leaf_nodes("events")[0]
    recorder.record_unapplied(*newest)
    status, checks = ready(client)
    assert (status, checks["migrations"]) == (503, False)
    recorder.record_applied(*newest)
    assert ready(client)[0] == 200


def test_an_unbuilt_ui_makes_it_unready(client: Client, settings, tmp_path) -> None:
    (tmp_path / "index.html").unlink()
    status, checks = ready(client)
    assert (status, checks["user_interface"]) == (503, False)


def test_metrics_answer_only_to_the_token(client: Client, settings) -> None:
    assert client.get("/metrics").status_code == 404
    settings.METRICS_TOKEN = "numbers"
    assert client.get("/metrics").status_code == 401
    assert client.get("/metrics", headers={"Authorization": "Bearer guess"}).status_code == 401
    assert client.get("/metrics", headers={"Authorization": "Bearer numbers"}).status_code == 200


def test_metrics_tell_jobs_runs_and_answers(client: Client, settings) -> None:
    settings.METRICS_TOKEN = "numbers"
    runner = start_runner(crawler=shop_crawler(), user=None)
    Runner.objects.filter(pk=runner.pk).update(status="running")
    CrawlState.objects.filter(runner=runner).update(statistics='{"pages": 12, "documents": 3}')
    client.get("/api/v1/projects")
    text = client.get("/metrics", headers={"Authorization": "Bearer numbers"}).content.decode()
    for line in (
        'gleaner_jobs{kind="runner",state="queued"} 1.0',
        f'gleaner_runner_pages{{runner="{runner.pk}"}} 12.0',
        f'gleaner_runner_documents{{runner="{runner.pk}"}} 3.0',
        "gleaner_database_up 1.0",
        "process_resident_memory_bytes",
        'gleaner_requests_total{method="GET",route="api/v1/projects",status="401"}',
    ):
        assert line in text, line


def asked(port: int | None, path: str) -> tuple[int, str]:
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}{path}") as answer:
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as refusal:
        return refusal.code, refusal.read().decode()


def test_the_ports_of_head_and_workers_do_not_collide(settings) -> None:
    assert ports.serve_head(ports.Pulse()) is None
    settings.METRICS_PORT = private_free()
    head, worker, another = ports.serve_head(ports.Pulse()), ports.serve_worker(None), ports.serve_worker(None)
    assert head == settings.METRICS_PORT < worker < another
    assert "gleaner_head_ticks_total" in asked(another, "/metrics")[1]


@pytest.mark.parametrize("serve", [ports.serve_head, ports.serve_node])
def test_a_role_whose_loop_stands_still_neither_lives_nor_is_ready(serve, settings, monkeypatch) -> None:
    settings.METRICS_PORT, pulse = private_free(), ports.Pulse()
    port = serve(pulse)
    assert (asked(port, "/healthz")[0], asked(port, "/metrics")[0]) == (200, 200)
    monkeypatch.setattr(ports, "PATIENCE_SECONDS", -1.0)
    status, told = asked(port, "/healthz")
    assert (status, json.loads(told)["status"]) == (503, "stands still")
    status, told = asked(port, "/readyz")
    assert (status, json.loads(told)["checks"]["loop"]["ok"]) == (503, False)


def test_roles_are_ready_while_they_can_work(settings) -> None:
    settings.METRICS_PORT = private_free()
    for port in (ports.serve_head(ports.Pulse()), ports.serve_worker(None)):
        status, told = asked(port, "/readyz")
        assert (status, json.loads(told)["status"]) == (200, "ready"), told
    assert asked(port, "/elsewhere") == (404, json.dumps(ports.UNKNOWN))


@pytest.mark.parametrize(
    ("route", "readable"),
    [
        (r"api/v1/^projects/(?P<pk>[^/.]+)/duplicate\Z", "api/v1/projects/{pk}/duplicate"),
        ("api/v1/runners/<int:parent_pk>/log", "api/v1/runners/{parent_pk}/log"),
        (r"^(?!api/|static/).*$", ""),
    ],
)
def test_routes_are_told_as_people_write_them(route: str, readable: str) -> None:
    assert readable_route(route) == readable
