"""What the head node does beside its jobs."""

import signal
import threading
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.db import OperationalError

from backend.apps.documents.models import Page
from backend.apps.housekeeping.deleting import delete_runner
from backend.apps.housekeeping.models import Disposal
from backend.apps.indexers.models import Indexer
from backend.apps.jobs.clock import database_now
from backend.apps.jobs.head_store import SqlHeadStore
from backend.apps.jobs.models import HeadLease, Wish
from backend.apps.jobs.services import submit_index
from backend.apps.nodes.models import Node
from backend.apps.nodes.selectors import judged_nodes
from backend.apps.nodes.services import LOCALHOST, Slots, register_localhost, register_node, trust_node
from backend.apps.runners.services import start_runner
from backend.config import head
from backend.config.head import AfterTick, Housekeeping, make_head
from backend.config.management.commands import head as head_command
from crawler_node.errors import StoreError
from head_node import HeadLoop, Placement, plan
from tests.integration.runners.kept_pages import crawl, shop_crawler

pytestmark = pytest.mark.django_db


def test_it_sweeps_what_was_deleted() -> None:
    delete_runner(runner=crawl(shop_crawler(), {"/1": "<h2>a</h2>"}))
    for _ in range(20):
        AfterTick()()
    assert (Page.objects.count(), Disposal.objects.count()) == (0, 0)


def test_it_pauses_runs_when_the_disk_is_nearly_full(settings: Any, tmp_path: Path) -> None:
    runner = start_runner(crawler=shop_crawler(), user=None)
    settings.VAR_DIR, settings.MIN_FREE_DISK_BYTES = tmp_path, 0
    Housekeeping()()
    assert runner.jobs.get().wish == Wish.RUN
    settings.MIN_FREE_DISK_BYTES = 10**18
    Housekeeping()()
    assert runner.jobs.get().wish == Wish.PAUSE


@pytest.mark.parametrize("error", [OperationalError("database is locked"), StoreError("The database did not take it.")])
def test_a_database_that_refuses_is_left_in_peace_for_a_while(
    monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    calls = []

    def refuse(*, seconds: float) -> bool:
        calls.append(seconds)
        raise error

    monkeypatch.setattr(head, "sweep", refuse)
    duty = Housekeeping()
    for _ in range(5):
        duty()
    assert len(calls) == 1


@pytest.mark.parametrize("error", [OperationalError("deadlock detected"), StoreError("The database did not take it.")])
def test_a_head_outlives_a_database_that_refuses(monkeypatch: pytest.MonkeyPatch, error: Exception) -> None:
    rounds = []

    class Head:
        def run(self, stop: threading.Event, **duties: object) -> None:
            rounds.append(duties)
            if len(rounds) == 2:
                stop.set()
                return
            raise error

    monkeypatch.setattr(head_command, "make_head", Head)
    monkeypatch.setattr(head_command, "serve_head", lambda pulse: None)
    monkeypatch.setattr(head_command, "ask_server", lambda **options: None)
    monkeypatch.setattr(head_command, "close_old_connections", lambda: None)
    monkeypatch.setattr(head_command, "RETRY_SECONDS", 0.0)
    monkeypatch.setattr(signal, "signal", lambda number, handler: None)
    call_command("head")
    assert len(rounds) == 2


def test_only_the_head_that_leads_is_localhost(monkeypatch: pytest.MonkeyPatch) -> None:
    def head_on(machine: str, slots: int) -> HeadLoop:
        monkeypatch.setattr(head.socket, "gethostname", lambda: machine)
        monkeypatch.setattr(head, "own_slots", lambda: Slots(slots, 0))
        return make_head()

    def slots() -> int:
        return Node.objects.get(name=LOCALHOST).http_slots

    leader = head_on("one", 3)
    assert leader.tick()
    standby = head_on("other", 7)
    assert not standby.tick()
    assert slots() == 3
    leader.resign()
    assert standby.tick()
    assert slots() == 7


def test_a_head_that_was_overtaken_gives_no_slot_away() -> None:
    """It stood still for longer than its lease, between its plan and what it wrote of it."""
    register_localhost(version="1", now=database_now(), slots=Slots(1, 0))
    crawler = shop_crawler()
    first, second = (start_runner(crawler=crawler, user=None).jobs.get() for _ in range(2))
    slow, quick = SqlHeadStore(), SqlHeadStore()
    assert slow.lead(head="slow")
    HeadLease.objects.update(expires_at=database_now() - timedelta(seconds=1))
    assert quick.lead(head="quick")
    assert quick.place(Placement(first.pk, 1, LOCALHOST)) is not None
    assert slow.place(Placement(second.pk, 1, LOCALHOST)) is None
    quick.resign(head="quick")
    assert slow.place(Placement(second.pk, 1, LOCALHOST)) is None
    assert slow.lead(head="slow")
    assert slow.place(Placement(second.pk, 1, LOCALHOST)) is not None


def test_an_index_job_that_came_before_any_head_waits_for_one_and_goes_nowhere_else() -> None:
    indexer = Indexer.objects.create(project=shop_crawler().project, name="All")
    token = trust_node(name="n1")
    register_node(name="n1", token=token, address="", version="1", slots=Slots(9, 0), now=database_now())
    job = submit_index(indexer=indexer, now=database_now())
    assert job.requested_node.name == LOCALHOST
    nodes = judged_nodes(now=database_now())
    assert {node.name: node.is_online for node in nodes} == {LOCALHOST: False, "n1": True}
    assert plan(SqlHeadStore().open_jobs(), nodes, database_now()) == []
