"""Whoever follows the documents of a project is told of every change, once, in order, on either database."""

import threading
from collections.abc import Callable

import pytest
from django.db import connection, connections

from backend.apps.crawlers.models import Crawler
from backend.apps.documents.following import DocumentChange, DocumentState, changes_after, last_sequence
from backend.apps.documents.models import Document, Tombstone
from backend.apps.documents.sequences import leave_tombstones, take_sequence
from backend.apps.housekeeping.deleting import delete_crawler, delete_project, delete_runner
from backend.apps.housekeeping.sweeping import sweep
from tests.integration.runners.kept_pages import SITE, crawl, shop_crawler

pytestmark = pytest.mark.django_db


class Follower:
    """Keeps the present documents of a project by what it is told, a few changes at a time."""

    def __init__(self, crawler: Crawler, *, limit: int = 2) -> None:
        self._project_id = crawler.project_id
        self._limit = limit
        self.mark = 0
        self.names: dict[int, str] = {}
        self.told: list[DocumentChange] = []

    def follow(self) -> dict[str, str]:
        """What is present after all changes, by name; and `told` is what this call was told."""
        self.told = []
        while changes := changes_after(self._project_id, self.mark, limit=self._limit):
            assert len(changes) <= self._limit
            assert [self.mark, *(c.sequence for c in changes)] == sorted({self.mark, *(c.sequence for c in changes)})
            for change in changes:
                self.names.pop(change.document_id, None)
                if change.state is DocumentState.PRESENT:
                    self.names[change.document_id] = change.values["name"]
            self.told += changes
            self.mark = changes[-1].sequence
        return dict.fromkeys(sorted(self.names.values()), "")


def states(follower: Follower) -> list[str]:
    return [change.state for change in follower.told]


def present(crawler: Crawler) -> list[str]:
    rows = Document.objects.filter(crawler=crawler, duplicate_of=None, gone_at=None)
    return sorted(row.versions.get(is_current=True).fields["name"] for row in rows)


def test_new_changed_unchanged_and_gone_documents() -> None:
    crawler = shop_crawler()
    follower = Follower(crawler)
    crawl(crawler, {"/1": "<h2>one</h2>", "/2": "<h2>two</h2>", "/3": "<h2>three</h2>"})
    assert list(follower.follow()) == ["one", "three", "two"]
    assert {change.url for change in follower.told} == {f"{SITE}/1", f"{SITE}/2", f"{SITE}/3"}
    assert follower.mark == last_sequence(crawler.project_id) == 3
    crawl(crawler, {"/1": "<h2>one</h2>", "/2": "<h2>zwei</h2>", "/3": "<p>sold out"})
    assert list(follower.follow()) == ["one", "zwei"]
    assert sorted(states(follower)) == ["gone", "present"]
    crawl(crawler, {"/3": "<h2>three</h2>"})
    assert list(follower.follow()) == ["one", "three", "zwei"]
    assert states(follower) == ["present"]
    assert changes_after(crawler.project_id, follower.mark) == []


def test_a_copy_is_told_as_such_and_takes_the_place_of_what_goes() -> None:
    crawler = shop_crawler()
    follower = Follower(crawler)
    crawl(crawler, {"/1": "<h2>same</h2>", "/2": "<h2>same</h2>", "/3": "<h2>same</h2>"})
    follower.follow()
    assert sorted(states(follower)) == ["duplicate", "duplicate", "present"]
    original = next(change.document_id for change in follower.told if change.state is DocumentState.PRESENT)
    address = Document.objects.get(pk=original).url.removeprefix(SITE)
    crawl(crawler, {address: "<p>sold out"})
    assert list(follower.follow()) == ["same"] == present(crawler)
    assert sorted(states(follower)) == ["gone", "present"]
    assert Document.objects.filter(duplicate_of__isnull=False, gone_at=None).count() == 1


def test_deleted_documents_leave_tombstones() -> None:
    crawler = shop_crawler()
    follower = Follower(crawler)
    first = crawl(crawler, {f"/{number}": f"<h2>SSD {number}</h2>" for number in range(5)})
    crawl(crawler, {"/1": "<h2>SSD 1</h2>"})
    follower.follow()
    delete_runner(runner=first)
    while sweep(seconds=60):
        pass
    assert list(follower.follow()) == present(crawler)
    assert states(follower) == ["deleted"] * Tombstone.objects.count()
    assert follower.told


def test_documents_of_a_deleted_crawler_are_told_as_deleted_before_and_after_the_sweep() -> None:
    crawler = shop_crawler()
    crawl(crawler, {"/1": "<h2>one</h2>", "/2": "<h2>two</h2>"})
    project_id, late, early = crawler.project_id, Follower(crawler), Follower(crawler)
    early.follow()
    delete_crawler(crawler=crawler)
    late.follow()
    assert states(late) == ["deleted", "deleted"]
    while sweep(seconds=60):
        pass
    assert early.follow() == {}
    assert states(early) == ["deleted", "deleted"]
    assert last_sequence(project_id) == 4


def test_a_deleted_project_takes_its_sequence_with_it() -> None:
    crawler = shop_crawler()
    crawl(crawler, {"/1": "<h2>one</h2>"})
    project_id = crawler.project_id
    leave_tombstones(list(Document.objects.values_list("pk", flat=True)))
    delete_project(project=crawler.project)
    while sweep(seconds=60):
        pass
    assert (Document.objects.count(), Tombstone.objects.count()) == (0, 0)
    assert changes_after(project_id, 0) == []


def test_what_is_committed_between_the_reads_is_told_later_without_a_hole(monkeypatch: pytest.MonkeyPatch) -> None:
    """A document and a deletion come between reading documents and reading deletions."""
    crawler = shop_crawler()
    crawl(crawler, {"/1": "<h2>one</h2>", "/2": "<h2>two</h2>"})
    victim = Document.objects.order_by("sequence").first()
    assert victim is not None
    follower = Follower(crawler, limit=10)
    _between_reads(monkeypatch, lambda: (crawl(crawler, {"/3": "<h2>three</h2>"}), leave_tombstones([victim.pk])))
    assert set(follower.follow()) == {"one", "two", "three"} - {victim.versions.get().fields["name"]}
    assert [change.sequence for change in follower.told] == [1, 2, 3, 4]


def _between_reads(monkeypatch: pytest.MonkeyPatch, happens: Callable[[], object]) -> None:
    from backend.apps.documents import following

    read = following._documents

    def read_then(*arguments: int) -> list[DocumentChange]:
        found = read(*arguments)
        monkeypatch.setattr(following, "_documents", read)
        happens()
        return found

    monkeypatch.setattr(following, "_documents", read_then)


@pytest.mark.django_db(transaction=True)
def test_a_number_is_visible_only_when_all_below_it_are() -> None:
    """While a commit that took numbers is open, the next one waits: nobody sees a later number first."""
    if connection.vendor != "postgresql":
        pytest.skip("SQLite has one writer at a time, so the question does not arise.")
    crawler = shop_crawler()
    taken, may_end, later = threading.Event(), threading.Event(), []
    slow = threading.Thread(target=_take_and_wait, args=(crawler.project_id, taken, may_end))
    fast = threading.Thread(target=lambda: later.append(_take(crawler.project_id)))
    slow.start()
    assert taken.wait(10)
    fast.start()
    fast.join(0.3)
    assert (later, last_sequence(crawler.project_id)) == ([], 0)
    may_end.set()
    slow.join(30)
    fast.join(30)
    assert (later, last_sequence(crawler.project_id)) == ([3], 4)


def _take(project_id: int) -> int:
    from backend.apps.runners.crawl_store.sql import one_transaction

    try:
        with one_transaction() as cursor:
            return take_sequence(cursor, project_id, 1)
    finally:
        connections.close_all()


def _take_and_wait(project_id: int, taken: threading.Event, may_end: threading.Event) -> None:
    from backend.apps.runners.crawl_store.sql import one_transaction

    with one_transaction() as cursor:
        take_sequence(cursor, project_id, 3)
        taken.set()
        may_end.wait(10)
    connections.close_all()


def test_the_index_on_project_and_sequence_is_used() -> None:
    crawler = shop_crawler()
    crawl(crawler, {f"/{number}": f"<h2>SSD {number}</h2>" for number in range(20)})
    asked = Document.objects.filter(project=crawler.project_id, sequence__gt=5, sequence__lte=9).order_by("sequence")
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SET LOCAL enable_seqscan = off")
    plan = asked.values("pk").explain()
    assert "document_by_sequence" in plan
    assert "sort" not in plan.lower()
    assert "temp b-tree" not in plan.lower()
