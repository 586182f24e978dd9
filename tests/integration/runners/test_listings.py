"""A document that several pages list: one of them stands for it, and it is gone only when none lists it."""

import pytest

from backend.apps.documents.models import Document, DocumentPage
from backend.apps.documents.selectors import found_by
from backend.apps.housekeeping.deleting import delete_runner
from backend.apps.housekeeping.sweeping import sweep
from backend.apps.runners.crawl_store import SqlCrawlStore
from backend.apps.runners.models import LogLine, Runner
from crawler_node.contracts import Failure, Lease, Outcome, PageRecord, PageState
from crawler_node.engine.outcomes import NOINDEX_SENTENCE
from crawler_node.frontier import FrontierOptions
from tests.contracts.crawl_store import candidate, document, done
from tests.integration.runners.test_sql_crawl_store import make_runner

pytestmark = pytest.mark.django_db
UNCHANGED = "304"
GONE = "404"
LISTS = "lists it"
LACKS = "lacks it"
MOVED = "301"
HIDES = "asks not to be indexed"


@pytest.fixture
def runs() -> "Runs":
    return Runs(make_runner())


class Runs:
    """Runs of one crawler, each told by what its pages say, in this order."""

    def __init__(self, first: Runner) -> None:
        self._first = first
        self._number = 0

    def run(self, **pages: str) -> Runner:
        self._number += 1
        number, crawler = self._number, self._first.crawler
        runner = self._first if number == 1 else Runner.objects.create(crawler=crawler, number=number)
        store = SqlCrawlStore(runner, FrontierOptions(respect_robots=False))
        store.plant([candidate(f"/{name}") for name in pages])
        leases = {lease.url[-1]: lease for lease in store.lease(worker="w", limit=len(pages)).leases}
        for name, what in pages.items():
            store.commit(worker="w", outcomes=[_outcome(leases[name], what)])
        return runner

    @property
    def lamp(self) -> tuple[str, int, bool]:
        """Which page stands for it, its version, and whether it is gone."""
        found = Document.objects.get(crawler=self._first.crawler)
        return found.url[-1], found.version_number, found.gone_at is not None


def _outcome(lease: Lease, what: str) -> Outcome:
    if what == UNCHANGED:
        return Outcome(lease, PageRecord(PageState.DONE, status=304, is_unchanged=True))
    if what == GONE:
        return Outcome(lease, PageRecord(PageState.FAILED, 404, failure=Failure.HTTP, sentence="Gone.", is_gone=True))
    if what == MOVED:
        return Outcome(lease, PageRecord(PageState.REDIRECTED, 301, target="https://site.example/", is_gone=True))
    if what == HIDES:
        return Outcome(lease, PageRecord(PageState.DONE, 200, sentence=NOINDEX_SENTENCE))
    value = "" if what == LISTS else what
    return done(lease, documents=[] if what == LACKS else [document("lamp", value=value)])


@pytest.mark.parametrize(
    ("pages", "expected"),
    [
        ({"a": LISTS, "b": LISTS}, "a"),
        ({"b": LISTS, "a": LISTS}, "a"),
        ({"b": UNCHANGED, "a": UNCHANGED}, "a"),
        ({"a": LACKS, "b": UNCHANGED}, "b"),
        ({"b": UNCHANGED, "a": LACKS}, "b"),
        ({"a": LACKS, "b": LISTS}, "b"),
        ({"b": LISTS, "a": LACKS}, "b"),
        ({"a": GONE, "b": UNCHANGED}, "b"),
        ({"a": MOVED, "b": UNCHANGED}, "b"),
        ({"a": HIDES, "b": LISTS}, "b"),
        ({"b": LACKS, "a": UNCHANGED}, "a"),
        ({"a": UNCHANGED, "b": GONE}, "a"),
        ({"a": LACKS}, "b"),
    ],
)
def test_it_stays_while_a_page_lists_it(runs: Runs, pages: dict[str, str], expected: str) -> None:
    runs.run(a=LISTS, b=LISTS)
    assert runs.lamp == ("a", 1, False)
    runs.run(**pages)
    assert runs.lamp == (expected, 1, False)
    runs.run(a=LACKS, b=LACKS)
    assert runs.lamp[1:] == (1, True)
    assert DocumentPage.objects.count() == 0


@pytest.mark.parametrize(
    "pages",
    [
        {"a": LACKS, "b": LACKS},
        {"b": LACKS, "a": LACKS},
        {"a": GONE, "b": GONE},
        {"a": MOVED, "b": MOVED},
        {"a": HIDES, "b": HIDES},
    ],
)
def test_it_is_gone_when_the_last_page_that_listed_it_does_so_no_longer(runs: Runs, pages: dict[str, str]) -> None:
    runs.run(a=LISTS, b=LISTS)
    runs.run(**pages)
    assert runs.lamp[2]
    runs.run(b=LISTS)
    assert runs.lamp == ("b", 1, False)


def test_pages_that_say_different_things_make_no_versions_in_whatever_order_they_come(runs: Runs) -> None:
    runs.run(a="red", b="blue")
    runs.run(b="blue", a="red")
    runs.run(b="blue", a=UNCHANGED)
    assert runs.lamp == ("a", 1, False)
    assert LogLine.objects.filter(message__startswith="The key").count() == 3


def test_the_page_that_stands_for_it_may_change_it(runs: Runs) -> None:
    runs.run(a="red", b="blue")
    runs.run(b="blue", a="green")
    assert runs.lamp == ("a", 2, False)


def test_another_page_stands_for_it_when_the_first_is_not_met_any_more(runs: Runs) -> None:
    runs.run(a="red", b="blue")
    runs.run(b="blue")
    assert runs.lamp == ("a", 1, False)
    runs.run(b="blue")
    assert runs.lamp == ("b", 2, False)


def test_a_page_that_was_left_long_ago_keeps_nothing_alive(runs: Runs) -> None:
    runs.run(a=LISTS)
    runs.run(b=LISTS)
    assert runs.lamp == ("b", 1, False)
    runs.run(b=LISTS)
    runs.run(b=LACKS)
    assert runs.lamp == ("b", 1, True)


def test_a_page_that_had_lost_it_is_not_on_its_list_when_it_is_back(runs: Runs) -> None:
    runs.run(a=LISTS)
    runs.run(a=LACKS)
    runs.run(b=LISTS)
    assert runs.lamp == ("b", 1, False)
    assert DocumentPage.objects.count() == 0


def test_the_log_names_the_key() -> None:
    runner = make_runner()
    runner.specification = {"template": {"inspectors": [{"name": "sku", "key": True}, {"name": "price"}]}}
    runner.save()
    Runs(runner).run(a="red", b="blue")
    assert LogLine.objects.get(runner=runner).message.startswith("The key (sku) is not unique: ")


def test_what_only_an_unchanged_page_lists_was_found_by_the_run(runs: Runs) -> None:
    runs.run(a=LISTS, b=LISTS)
    second = runs.run(b=UNCHANGED)
    assert found_by(Document.objects.all(), second).count() == 1


def test_lists_go_with_their_document(runs: Runs) -> None:
    runner = runs.run(a=LISTS, b=LISTS)
    assert DocumentPage.objects.count() == 2
    delete_runner(runner=runner)
    while sweep(seconds=60):
        pass
    assert (Document.objects.count(), DocumentPage.objects.count()) == (0, 0)
