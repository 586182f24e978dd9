"""The queue and the nodes over the API: what people may do, and what comes of it."""

from datetime import timedelta

import pytest

from backend.apps.indexers.models import Indexer
from backend.apps.jobs.clock import database_now
from backend.apps.jobs.head_store import SqlHeadStore
from backend.apps.jobs.models import Job, JobState
from backend.apps.jobs.services import submit_index
from backend.apps.nodes.invitations import NEEDS_REDIS
from backend.apps.nodes.join_token import JoinToken
from backend.apps.nodes.models import Node
from backend.apps.nodes.reasons import NO_HEAD
from backend.apps.nodes.services import LOCALHOST, hash_token, register_localhost
from backend.apps.runners.crawl_store import SqlCrawlStore
from backend.apps.runners.models import RunnerStatus
from crawler_node.errors import StoreError
from tests.integration.api.conftest import World

pytestmark = pytest.mark.django_db


def tell(world: World, wish: str, job: int | None = None, *, actor: str = "editor"):  # type: ignore[no-untyped-def]
    return world.client(actor).post(f"/api/v1/jobs/{job or world.ids['jobs']}/{wish}")


def test_a_job_is_held_released_and_cancelled(world: World) -> None:
    runner = Job.objects.get(pk=world.ids["jobs"]).runner
    assert tell(world, "hold").json()["state"] == JobState.HELD
    runner.refresh_from_db()
    assert runner.status == RunnerStatus.PAUSED
    assert tell(world, "release").json()["state"] == JobState.QUEUED
    assert tell(world, "cancel").json()["state"] == JobState.FINISHED
    runner.refresh_from_db()
    assert runner.status == RunnerStatus.EXIT


def test_a_crawl_store_that_refuses_is_a_database_that_does_not_answer(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise StoreError("The database did not take it: deadlock detected")

    monkeypatch.setattr(SqlCrawlStore, "wish", refuse)
    for wish in ("hold", "release", "cancel"):
        answer = tell(world, wish)
        assert (answer.status_code, answer.json()["code"]) == (503, "database_away")
        assert answer.headers["Retry-After"] == "3"


def test_a_finished_job_says_so(world: World) -> None:
    tell(world, "cancel")
    answer = tell(world, "hold")
    assert answer.status_code == 409
    assert answer.json()["detail"].endswith(".")


def test_the_job_of_an_index_is_cancelled_and_says_so_afterwards(world: World) -> None:
    indexer = Indexer.objects.get(pk=world.ids["indexers"])
    job = submit_index(indexer=indexer, now=database_now())
    answer = tell(world, "cancel", job.pk)
    assert (answer.json()["state"], answer.json()["subject"]) == (JobState.FINISHED, indexer.name)
    assert "finished" in tell(world, "release", job.pk).json()["detail"]


def test_a_job_tells_what_it_is_about(world: World) -> None:
    told = world.client("viewer").get(f"/api/v1/jobs/{world.ids['jobs']}").json()
    runner = Job.objects.get(pk=world.ids["jobs"]).runner
    assert told["subject"] == f"{runner.crawler.name} #{runner.number}"
    assert (told["project_name"], told["requested_node_name"], told["slots_per_worker"]) == ("Shops", "", 1)


def test_a_run_is_started_on_terms_and_belongs_to_whoever_started_it(world: World) -> None:
    editor, node = world.client("editor"), world.ids["nodes"]
    terms = {"priority": 5, "node": node, "slots_per_worker": 2, "wall_time_seconds": 5400, "hold": True}
    body = {"crawler": world.ids["crawlers"], **terms, "earliest_start": "2026-05-01T03:00:00Z"}
    runner = editor.post("/api/v1/runners", body, format="json").json()
    [told] = editor.get(f"/api/v1/jobs?runner={runner['id']}").json()["results"]
    assert (told["priority"], told["slots_per_worker"], told["wall_time_seconds"]) == (5, 2, 5400.0)
    assert (told["requested_node"], told["earliest_start"]) == (node, "2026-05-01T03:00:00Z")
    assert (told["state"], told["owner"]) == (JobState.HELD, world.users["editor"].username)


@pytest.mark.parametrize(
    "term",
    [
        {"priority": 1001},
        {"node": 0},
        {"slots_per_worker": 0},
        {"wall_time_seconds": 10**12},
        {"earliest_start": "soon"},
    ],
)
def test_odd_terms_are_refused_and_nothing_is_started(world: World, term: dict[str, object]) -> None:
    before = Job.objects.count()
    answer = world.client("editor").post("/api/v1/runners", {"crawler": world.ids["crawlers"], **term}, format="json")
    assert (answer.status_code, list(answer.json()["fields"])) == (400, list(term))
    assert Job.objects.count() == before


def test_a_list_of_jobs_costs_the_same_number_of_questions_however_long(
    world: World,
    django_assert_max_num_queries,  # type: ignore[no-untyped-def]
) -> None:
    for indexer in Indexer.objects.all():
        submit_index(indexer=indexer, now=database_now())
    client = world.client("viewer")
    with django_assert_max_num_queries(9):
        assert client.get("/api/v1/jobs").json()["count"] >= 2


def test_an_administrator_drains_and_undrains_a_node(world: World) -> None:
    client, node = world.client("administrator"), Node.objects.get(pk=world.ids["nodes"])
    assert client.post(f"/api/v1/nodes/{node.pk}/drain").json()["is_draining"] is True
    node.refresh_from_db()
    assert node.is_draining
    assert client.post(f"/api/v1/nodes/{node.pk}/undrain").json()["is_draining"] is False


def test_localhost_is_shown_as_it_is_also_while_no_head_runs(world: World) -> None:
    client, now = world.client("viewer"), database_now()
    register_localhost(version="1", now=now)

    def told(query: str = "") -> list[tuple[str, str]]:
        rows = client.get(f"/api/v1/nodes{query}").json()["results"]
        return [(row["state"], row["reason"]) for row in rows if row["name"] == LOCALHOST]

    assert told() == [("online", "")]
    Node.objects.filter(name=LOCALHOST).update(heartbeat_at=now - timedelta(seconds=11))
    assert told("?state=online") == []
    assert told("?state=lost") == [("lost", NO_HEAD)]
    assert client.get(f"/api/v1/nodes/{world.ids['nodes']}").json()["state"] == "lost"
    register_localhost(version="1", now=database_now())
    SqlHeadStore().lead(head="one")
    SqlHeadStore().resign(head="other")
    assert told() == [("online", "")]
    SqlHeadStore().resign(head="one")
    assert Node.objects.get(name=LOCALHOST).state == "offline"
    assert told() == [("offline", NO_HEAD)]


def test_a_node_that_is_away_is_forgotten(world: World) -> None:
    node = Node.objects.create(name="n7", state="offline")
    client = world.client("administrator")
    assert client.delete(f"/api/v1/nodes/{node.pk}").status_code == 204
    assert client.get(f"/api/v1/nodes/{node.pk}").status_code == 404


def test_the_heads_own_machine_cannot_be_revoked(world: World) -> None:
    answer = world.client("administrator").post(f"/api/v1/nodes/{world.ids['nodes']}/revoke")
    assert (answer.status_code, answer.json()["detail"]) == (
        409,
        "The head node's own machine cannot be revoked. Drain it instead.",
    )


def test_without_redis_nobody_is_invited(world: World, settings) -> None:  # type: ignore[no-untyped-def]
    settings.REDIS_URL = ""
    answer = world.client("administrator").post("/api/v1/nodes/invite", {"name": "n2"}, format="json")
    assert (answer.status_code, answer.json()["detail"]) == (409, NEEDS_REDIS)
    assert not Node.objects.filter(name="n2").exists()


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"name": "n2", "host": "10.0.0.1/x"}, "host"),
        ({"name": "n2", "host": "me@10.0.0.1"}, "host"),
        ({"name": "Not A Name"}, "name"),
        ({"name": "localhost"}, "name"),
        ({}, "name"),
    ],
)
def test_an_invitation_needs_a_name_and_an_address_that_can_be(
    world: World,
    settings,  # type: ignore[no-untyped-def]
    body: dict[str, str],
    field: str,
) -> None:
    settings.REDIS_URL = "redis://127.0.0.1:6379/0"
    answer = world.client("administrator").post("/api/v1/nodes/invite", body, format="json")
    assert (answer.status_code, list(answer.json()["fields"])) == (400, [field])


@pytest.mark.postgres
def test_an_invitation_is_one_command_that_is_told_once(world: World, settings) -> None:  # type: ignore[no-untyped-def]
    settings.REDIS_URL = "redis://:secret@127.0.0.1:6379/0"
    client = world.client("administrator")
    answer = client.post("/api/v1/nodes/invite", {"name": "n2", "host": "10.0.0.1"}, format="json")
    assert answer.status_code == 201, answer.json()
    command = answer.json()["command"]
    assert command.startswith("./gleaner node --join ")
    assert answer.json()["is_local_only"] is False
    token = JoinToken.decode(command.rsplit(" ", 1)[1])
    node = Node.objects.get(name="n2")
    assert (token.name, hash_token(token.token)) == ("n2", node.token_hash)
    assert "@10.0.0.1" in token.redis_url
    told = client.get(f"/api/v1/nodes/{node.pk}").json()
    assert told["is_invited"] is True
    assert token.token not in str(told)
    assert client.post(f"/api/v1/nodes/{node.pk}/revoke").json()["is_invited"] is False
