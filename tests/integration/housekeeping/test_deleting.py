"""Deleting: gone for people at once, from the disk in batches, whatever happens in between."""

import contextlib
from typing import Any

import pytest
from django.db import OperationalError, connection, transaction
from django.db.models import Model
from rest_framework.test import APIClient

from backend.apps.crawlers.models import Crawler
from backend.apps.documents.exports import documents_of_runner
from backend.apps.documents.models import Document, DocumentVersion, Page, PageContent
from backend.apps.errors import Conflict
from backend.apps.housekeeping import batches, sweeping
from backend.apps.housekeeping.deleting import delete_crawler, delete_project, delete_runner
from backend.apps.housekeeping.models import Disposal
from backend.apps.housekeeping.sweeping import Swept, sweep, sweep_batch
from backend.apps.jobs.models import Job, JobState
from backend.apps.runners.models import CrawlHost, CrawlPattern, CrawlState, CrawlUrl, LogLine, Runner, RunnerMinute
from backend.apps.runners.services import start_runner
from tests.integration.runners.kept_pages import crawl, shop_crawler

pytestmark = pytest.mark.django_db
OF_RUNS = (Page, PageContent, CrawlUrl, CrawlHost, CrawlPattern, RunnerMinute, LogLine, CrawlState, Job)
PAGES = {f"/{number}": f"<h2>SSD {number}</h2>" for number in range(30)}


@pytest.fixture(autouse=True)
def _small_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("BATCH_ROWS", "BATCH_PAGES", "BATCH_DOCUMENTS"):
        monkeypatch.setattr(batches, name, 7)
        if hasattr(sweeping, name):
            monkeypatch.setattr(sweeping, name, 7)


def left(*models: type[Model]) -> dict[str, int]:
    counts = {model.__name__: model._default_manager.count() for model in models}
    return {name: count for name, count in counts.items() if count}


def client_of(crawler: Crawler) -> APIClient:
    client = APIClient()
    client.force_login(crawler.project.owner)
    return client


def lists(client: APIClient) -> dict[str, int]:
    nouns = ("projects", "crawlers", "runners", "pages", "documents", "jobs")
    counts = {noun: len(client.get(f"/api/v1/{noun}").json()["results"]) for noun in nouns}
    return {noun: count for noun, count in counts.items() if count}


def sweep_all() -> None:
    while sweep(seconds=60):
        pass


def test_a_deleted_run_is_gone_at_once_and_its_rows_in_batches() -> None:
    crawler = shop_crawler()
    runner = crawl(crawler, PAGES)
    LogLine.objects.create(runner=runner, at=runner.created_at, message="Started.")
    client = client_of(crawler)
    assert client.delete(f"/api/v1/runners/{runner.pk}").status_code == 204
    assert lists(client) == {"projects": 1, "crawlers": 1, "documents": 30}
    assert Page.objects.count() == 31
    batches_taken = 0
    while sweep_batch(disposal := Disposal.objects.get()) is Swept.MORE:
        batches_taken += 1
    assert disposal.pk
    assert batches_taken > 10
    assert left(*OF_RUNS, Document, DocumentVersion, Disposal) == {}
    assert Crawler.objects.filter(pk=crawler.pk).exists()


def test_a_deleted_crawler_takes_runs_and_documents_with_it_and_frees_name_and_template() -> None:
    crawler = shop_crawler()
    crawl(crawler, PAGES)
    crawl(crawler, {"/1": "<h2>new</h2>"})
    client = client_of(crawler)
    assert client.delete(f"/api/v1/crawlers/{crawler.pk}").status_code == 204
    assert lists(client) == {"projects": 1}
    assert client.delete(f"/api/v1/templates/{crawler.template_id}").status_code == 204
    sweep_all()
    assert left(*OF_RUNS, Runner, Document, DocumentVersion, Disposal) == {}


def test_a_deleted_project_takes_everything_with_it() -> None:
    crawler = shop_crawler()
    crawl(crawler, PAGES)
    client = client_of(crawler)
    assert client.delete(f"/api/v1/projects/{crawler.project_id}").status_code == 204
    assert lists(client) == {}
    sweep_all()
    assert left(*OF_RUNS, Runner, Crawler, Document, DocumentVersion, Disposal) == {}


def test_documents_that_another_run_found_stay() -> None:
    crawler = shop_crawler()
    first = crawl(crawler, {"/1": "<h2>both</h2>", "/2": "<h2>old</h2>", "/3": "<h2>first only</h2>"})
    second = crawl(crawler, {"/1": "<h2>both</h2>", "/2": "<h2>new</h2>", "/4": "<h2>second only</h2>"})
    delete_runner(runner=first)
    sweep_all()
    assert _names(crawler) == ["both", "new", "second only"]
    assert set(DocumentVersion.objects.values_list("runner", flat=True)) == {None, second.pk}
    delete_runner(runner=second)
    sweep_all()
    assert left(Document, DocumentVersion) == {}


def test_deleting_the_later_run_keeps_what_the_earlier_one_found() -> None:
    crawler = shop_crawler()
    crawl(crawler, {"/1": "<h2>both</h2>", "/2": "<h2>first only</h2>"})
    delete_runner(runner=crawl(crawler, {"/1": "<h2>both</h2>", "/4": "<h2>second only</h2>"}))
    sweep_all()
    assert _names(crawler) == ["both", "first only"]
    assert not Document.objects.filter(last_runner__isnull=False).exclude(last_runner__in=Runner.objects.all()).exists()


@pytest.mark.parametrize("doomed", [(0, 2), (2, 0), (0, 1), (1, 2)])
def test_documents_stay_while_any_run_that_found_them_is_left(doomed: tuple[int, int]) -> None:
    crawler = shop_crawler()
    runs = [crawl(crawler, {"/1": "<h2>always</h2>"}) for _ in range(3)]
    for place in doomed:
        delete_runner(runner=Runner.objects.get(pk=runs[place].pk))
        sweep_all()
    [left_over] = Runner.objects.all()
    assert _names(crawler) == ["always"]
    assert [row["name"] for row in documents_of_runner(left_over).rows()] == ["always"]
    delete_runner(runner=left_over)
    sweep_all()
    assert left(Document, DocumentVersion) == {}


def test_the_oldest_duplicate_takes_the_place_of_a_document_that_goes() -> None:
    crawler = shop_crawler()
    first = crawl(crawler, {"/original": "<h2>same</h2>"})
    crawl(crawler, {"/copy-1": "<h2>same</h2>", "/copy-2": "<h2>same</h2>"})
    assert Document.objects.filter(duplicate_of__isnull=False).count() == 2
    newest = max(Document.objects.values_list("sequence", flat=True))
    delete_runner(runner=first)
    sweep_all()
    heir, other = Document.objects.order_by("pk")
    assert (heir.duplicate_of_id, other.duplicate_of_id) == (None, heir.pk)
    assert heir.sequence > newest, "whoever follows the documents must be told"


@pytest.mark.parametrize("noun", ["runner", "crawler"])
def test_a_crash_at_any_statement_leaves_a_sweep_that_goes_on_later(noun: str) -> None:
    crawler = shop_crawler()
    runner = crawl(crawler, PAGES)
    delete_runner(runner=runner) if noun == "runner" else delete_crawler(crawler=crawler)
    crashes = 0
    for statement in range(1, 40):
        with contextlib.suppress(OperationalError), connection.execute_wrapper(_CrashAt(statement)):
            with transaction.atomic():
                sweep_batch(Disposal.objects.first() or Disposal(kind="crawler", crawler=0))
            continue
        crashes += 1
    assert crashes > 3
    sweep_all()
    assert left(*OF_RUNS, Document, DocumentVersion, Disposal) == {}


class _CrashAt:
    """Breaks the connection at the nth statement."""

    def __init__(self, number: int) -> None:
        self._left = number

    def __call__(self, execute: Any, *arguments: Any) -> Any:
        self._left -= 1
        if self._left == 0:
            raise OperationalError("the connection broke")
        return execute(*arguments)


def test_documents_wait_until_no_run_of_the_crawler_writes_them() -> None:
    crawler = shop_crawler()
    delete_runner(runner=crawl(crawler, PAGES))
    running = start_runner(crawler=crawler, user=None)
    sweep_all()
    assert not Page.objects.filter(runner__isnull=False).exclude(runner=running).exists()
    assert (Document.objects.count(), Disposal.objects.count()) == (30, 1)
    running.jobs.update(state=JobState.FINISHED)
    sweep_all()
    assert (Document.objects.count(), Disposal.objects.count()) == (0, 0)


@pytest.mark.parametrize("state", [JobState.RUNNING, JobState.EXITING])
def test_what_works_is_not_deleted(state: str) -> None:
    crawler = shop_crawler()
    runner = crawl(crawler, {"/1": "<h2>a</h2>"})
    runner.jobs.update(state=state)
    before = left(*OF_RUNS, Runner, Document)
    for refused in (
        lambda: delete_runner(runner=runner),
        lambda: delete_crawler(crawler=crawler),
        lambda: delete_project(project=crawler.project),
    ):
        with pytest.raises(Conflict, match="working"):
            refused()
    answer = client_of(crawler).delete(f"/api/v1/runners/{runner.pk}")
    assert (answer.status_code, answer.json()["code"]) == (409, "conflict")
    assert left(*OF_RUNS, Runner, Document, Disposal) == before


def test_a_run_that_only_waits_may_be_deleted() -> None:
    crawler = shop_crawler()
    delete_runner(runner=start_runner(crawler=crawler, user=None))
    sweep_all()
    assert left(*OF_RUNS, Runner, Disposal) == {}


def test_a_worker_that_comes_late_cannot_write_for_a_deleted_run() -> None:
    from backend.apps.runners.crawl_store import SqlCrawlStore
    from crawler_node.errors import StoreError
    from crawler_node.frontier import FrontierOptions

    crawler = shop_crawler()
    runner = start_runner(crawler=crawler, user=None)
    store = SqlCrawlStore(runner, FrontierOptions())
    delete_runner(runner=Runner.objects.get(pk=runner.pk))
    with pytest.raises(StoreError, match="deleted"):
        store.commit(worker="w", outcomes=[])


def test_other_runs_keep_all_their_rows() -> None:
    crawler = shop_crawler()
    doomed, kept = crawl(crawler, PAGES), crawl(crawler, PAGES)
    before = {model: model._default_manager.filter(runner=kept).count() for model in (Page, CrawlUrl, CrawlHost)}
    delete_runner(runner=doomed)
    sweep_all()
    assert {model: model._default_manager.filter(runner=kept).count() for model in before} == before
    assert all(before.values())
    assert PageContent.objects.count() == before[Page]


def _names(crawler: Crawler) -> list[Any]:
    versions = DocumentVersion.objects.filter(document__crawler=crawler, is_current=True)
    return sorted(version.fields["name"] for version in versions)
