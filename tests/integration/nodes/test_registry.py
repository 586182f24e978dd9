"""Nodes come, show signs of life, drain, leave and get lost."""

from datetime import UTC, datetime, timedelta

import pytest
from django.conf import settings

import head_node
from backend.apps.crawlers.models import Crawler
from backend.apps.errors import Conflict, Invalid
from backend.apps.indexers.models import Indexer
from backend.apps.jobs.head_store import SqlHeadStore
from backend.apps.jobs.models import Job, JobKind, Placement, PlacementState
from backend.apps.jobs.services import Terms
from backend.apps.nodes.models import Node, NodeState
from backend.apps.nodes.reasons import DRAINS, HAS_DRAINED, reason_of
from backend.apps.nodes.selectors import judged_nodes
from backend.apps.nodes.services import (
    LOCALHOST,
    Slots,
    allow_node,
    beat_node,
    forget_node,
    head_has_left,
    head_is_there,
    invite_node,
    leave,
    register_localhost,
    register_node,
    revoke_node,
    set_draining,
    trust_node,
)
from backend.apps.runners.services import start_runner, stop_runner
from backend.config.job_commands import describe_whole_job
from tests.integration.runners.kept_pages import shop_crawler

pytestmark = pytest.mark.django_db
NOW = datetime(2026, 1, 1, tzinfo=UTC)


def joined(name: str = "n1") -> Node:
    token = trust_node(name=name)
    slots = Slots(http=2, browser=0)
    register_node(name=name, token=token, address="10.0.0.2", version="1", slots=slots, now=NOW)
    return Node.objects.get(name=name)


def state_of(name: str, *, later: timedelta = timedelta(0)) -> str:
    seen = {node.name: node for node in judged_nodes(now=NOW + later)}
    assert Node.objects.get(name=name).state == seen[name].condition
    return seen[name].condition


def test_a_node_tells_about_itself_when_it_registers() -> None:
    node = joined()
    assert (node.http_slots, node.browser_slots, node.address) == (2, 0, "10.0.0.2")
    assert node.cores >= 1
    assert state_of("n1") == NodeState.ONLINE


def test_a_node_keeps_its_labels_until_it_says_others() -> None:
    token = trust_node(name="n1")

    def labels_after(*labels: str) -> list[str]:
        register_node(name="n1", token=token, address="", version="1", slots=Slots(), now=NOW, labels=labels)
        return Node.objects.get(name="n1").labels

    assert labels_after("ssd", "berlin", "ssd") == ["berlin", "ssd"]
    assert labels_after() == ["berlin", "ssd"]
    assert labels_after("paris") == ["paris"]


def place(node: Node, **terms: object) -> None:
    """A worker of a crawl on these terms takes its slots of the node."""
    job = start_runner(crawler=Crawler.objects.first() or shop_crawler(), user=None).jobs.get()
    Job.objects.filter(pk=job.pk).update(**terms)
    Placement.objects.create(job=job, node=node, worker=1, fence=1, placed_at=NOW)


def place_index(node: Node) -> None:
    project = (Crawler.objects.first() or shop_crawler()).project
    indexer = Indexer.objects.create(project=project, name="Shops")
    job = Job.objects.create(project=project, kind=JobKind.INDEX, indexer=indexer)
    Placement.objects.create(job=job, node=node, worker=1, fence=1, placed_at=NOW)


def test_a_node_is_busy_when_its_slots_are_taken_however_few_workers_took_them() -> None:
    node = joined()
    place_index(node)
    place(node)
    assert state_of("n1") == NodeState.ONLINE
    Placement.objects.all().delete()
    place(node, slots_per_worker=2)
    assert state_of("n1") == NodeState.BUSY
    Node.objects.filter(pk=node.pk).update(browser_slots=1)
    assert state_of("n1") == NodeState.ONLINE
    place(node, needs_browser=True)
    assert state_of("n1") == NodeState.BUSY


def test_a_node_that_takes_no_crawls_is_not_busy_with_an_index() -> None:
    node = joined()
    Node.objects.filter(pk=node.pk).update(http_slots=0)
    place_index(node)
    assert state_of("n1") == NodeState.ONLINE


def test_a_node_without_signs_of_life_is_lost_and_comes_back() -> None:
    node = joined()
    assert state_of("n1", later=timedelta(seconds=11)) == NodeState.LOST
    assert beat_node(node=node, now=NOW + timedelta(seconds=12), folder=settings.VAR_DIR, workers=0)
    assert state_of("n1", later=timedelta(seconds=12)) == NodeState.ONLINE


def test_a_node_that_says_goodbye_is_offline() -> None:
    leave(node=joined())
    assert state_of("n1") == NodeState.OFFLINE


def test_a_node_that_drains_gets_nothing_new_until_it_is_undrained() -> None:
    node = joined()
    set_draining(node=node, is_draining=True)
    assert state_of("n1") == NodeState.DRAINING
    assert not judged_nodes(now=NOW)[0].is_online
    set_draining(node=node, is_draining=False)
    assert state_of("n1") == NodeState.ONLINE


def test_a_node_that_drains_is_not_said_to_be_idle_while_a_worker_is_on_its_way_to_it() -> None:
    node = joined()
    set_draining(node=node, is_draining=True)
    assert reason_of(judged(node)) == HAS_DRAINED
    place(node)
    assert reason_of(judged(node)) == DRAINS
    Placement.objects.update(state=PlacementState.EXITED)
    assert reason_of(judged(node)) == HAS_DRAINED


def test_localhost_is_there_only_while_a_head_gives_signs_of_life() -> None:
    register_localhost(version="1", now=NOW)
    assert state_of(LOCALHOST) == NodeState.ONLINE
    assert state_of(LOCALHOST, later=timedelta(seconds=11)) == NodeState.LOST
    head_is_there(now=NOW + timedelta(seconds=12))
    assert state_of(LOCALHOST, later=timedelta(seconds=12)) == NodeState.ONLINE
    head_has_left()
    assert state_of(LOCALHOST, later=timedelta(seconds=12)) == NodeState.OFFLINE
    register_localhost(version="1", now=NOW + timedelta(seconds=13))
    assert state_of(LOCALHOST, later=timedelta(seconds=13)) == NodeState.ONLINE


def test_a_head_that_works_writes_a_sign_of_life_only_now_and_then() -> None:
    register_localhost(version="1", now=NOW)
    head_is_there(now=NOW + timedelta(seconds=1))
    assert Node.objects.get().heartbeat_at == NOW
    head_is_there(now=NOW + timedelta(seconds=3))
    assert Node.objects.get().heartbeat_at == NOW + timedelta(seconds=3)


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"state": "online"}, ""),
        ({"state": "online", "name": LOCALHOST, "token_hash": ""}, ""),
        ({"state": "lost", "name": LOCALHOST, "token_hash": ""}, "./gleaner up"),
        ({"state": "offline", "name": LOCALHOST, "token_hash": ""}, "./gleaner head"),
        ({"state": "lost", "name": LOCALHOST, "token_hash": "", "is_draining": True}, "No head node runs"),
        ({"state": "offline", "heartbeat_at": None}, "not joined yet"),
        ({"state": "offline", "token_hash": ""}, "./gleaner nodes invite n1"),
        ({"state": "draining", "is_draining": True, "running_workers": 1}, "finishes what it has"),
        ({"state": "draining", "is_draining": True}, "can be switched off"),
        ({"state": "lost"}, "No sign of life"),
        ({"state": "offline"}, "in good order"),
    ],
)
def test_a_state_is_told_with_what_to_do_about_it(changes: dict[str, object], sentence: str) -> None:
    node = Node.objects.create(**{"name": "n1", "token_hash": "x", "heartbeat_at": NOW, **changes})
    assert sentence in reason_of(node)
    assert bool(sentence) == bool(reason_of(node))


def test_localhost_remembers_that_it_drains() -> None:
    node = register_localhost(version="1", now=NOW)
    set_draining(node=node, is_draining=True)
    register_localhost(version="2", now=NOW)
    assert state_of(LOCALHOST) == NodeState.DRAINING
    with pytest.raises(Conflict):
        revoke_node(node=node)


def test_who_has_no_valid_token_is_refused() -> None:
    joined()
    with pytest.raises(Conflict, match="not valid any more"):
        register_node(name="n1", token="wrong", address="", version="1", slots=Slots(), now=NOW)
    Node.objects.filter(name="n1").update(token_hash="")
    with pytest.raises(Conflict):
        register_node(name="n1", token="", address="", version="1", slots=Slots(), now=NOW)


def test_a_revoked_nodes_signs_of_life_are_not_taken() -> None:
    node = joined()
    Node.objects.filter(pk=node.pk).update(token_hash="")
    assert not beat_node(node=node, now=NOW, folder=settings.VAR_DIR, workers=0)


def test_a_name_that_was_given_to_another_machine_has_one_voice() -> None:
    older, newer = joined(), joined()
    Node.objects.filter(pk=newer.pk).update(running_workers=3)
    assert not beat_node(node=older, now=NOW, folder=settings.VAR_DIR, workers=0)
    leave(node=older)
    assert state_of("n1") == NodeState.ONLINE
    assert Node.objects.get().running_workers == 3
    assert beat_node(node=newer, now=NOW, folder=settings.VAR_DIR, workers=1)
    leave(node=newer)
    assert state_of("n1") == NodeState.OFFLINE


@pytest.mark.parametrize("name", ["", "Up", "a b", "-a", "x" * 64, LOCALHOST, "a'; DROP ROLE x"])
def test_odd_names_are_refused(name: str) -> None:
    with pytest.raises(Invalid):
        invite_node(name=name)
    assert not Node.objects.exists()


def revoke(node: Node) -> None:
    """As on PostgreSQL, without the login that a trusted node does not have."""
    Node.objects.filter(pk=node.pk).update(token_hash="", has_left=True)


def test_a_revoked_node_stays_away_however_often_it_starts_until_it_is_allowed_again() -> None:
    node = joined()
    revoke(node)
    with pytest.raises(Conflict, match="nodes allow n1"):
        trust_node(name="n1")
    assert Node.objects.get(name="n1").token_hash == ""
    assert "./gleaner nodes allow n1" in reason_of(Node.objects.get(name="n1"))
    allow_node(node=Node.objects.get(name="n1"))
    assert joined().pk == node.pk
    assert state_of("n1") == NodeState.ONLINE


def test_a_node_that_is_away_is_forgotten_and_what_its_workers_did_stays() -> None:
    node = joined()
    place(node)
    with pytest.raises(Conflict, match="is online"):
        forget_node(node=judged(node))
    leave(node=node)
    with pytest.raises(Conflict, match="still counts on workers"):
        forget_node(node=judged(node))
    Placement.objects.update(state="exited", ended_at=NOW)
    forget_node(node=judged(node))
    assert not Node.objects.filter(name="n1").exists()
    placement = Placement.objects.get()
    assert placement.node is None
    assert describe_whole_job(placement.job)["placements"][0]["node"] == ""
    assert SqlHeadStore().place(head_node.Placement(placement.job_id, 1, "n1")) is None
    assert joined().pk != node.pk


def test_a_node_that_a_job_was_submitted_for_alone_is_not_forgotten_before_the_job_has_finished() -> None:
    node = joined()
    runner = start_runner(crawler=shop_crawler(), user=None, terms=Terms(node=node))
    leave(node=node)
    job = runner.jobs.get()
    with pytest.raises(Conflict, match=f"qdel {job.pk}"):
        forget_node(node=judged(node))
    assert Job.objects.get().requested_node == node
    stop_runner(runner=runner)
    forget_node(node=judged(node))
    assert not Node.objects.filter(name="n1").exists()


def judged(node: Node) -> Node:
    judged_nodes(now=NOW)
    return Node.objects.get(pk=node.pk)


def test_the_heads_own_machine_is_never_forgotten() -> None:
    node = register_localhost(version="1", now=NOW)
    head_has_left()
    with pytest.raises(Conflict, match="own machine"):
        forget_node(node=judged(node))
