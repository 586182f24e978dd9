"""A changed template on stored pages."""

from datetime import timedelta
from io import StringIO
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone

from backend.apps.crawlers.models import Crawler
from backend.apps.documents.exports import documents_of_runner
from backend.apps.documents.models import Document, DocumentVersion, Page, PageContent
from backend.apps.errors import Conflict
from backend.apps.housekeeping.pruning import prune
from backend.apps.runners.crawl_store import SqlCrawlStore
from backend.apps.runners.models import LogLine, Runner, RunnerStatus
from backend.apps.runners.reextraction import reextract_runner
from backend.apps.runners.services import start_runner
from backend.apps.templates.models import Inspector, Template
from crawler_node.contracts import Failure, Outcome, PageRecord, PageState
from crawler_node.frontier import FrontierOptions
from crawler_node.sinks import pack_links
from tests.contracts.crawl_store import candidate
from tests.integration.runners.kept_pages import SITE, crawl, shop_crawler

pytestmark = pytest.mark.django_db
PAGES = {f"/{number}": f"<h2>SSD {number}</h2><b>{number} GB</b>" for number in range(1, 46)}


def current(crawler: Crawler) -> list[dict[str, Any]]:
    chosen = Document.objects.filter(crawler=crawler, gone_at=None, duplicate_of=None)
    versions = DocumentVersion.objects.filter(document__in=chosen, is_current=True).order_by("document_id")
    return [version.fields for version in versions]


def change_selector(crawler: Crawler, selector: str) -> None:
    Inspector.objects.filter(template=crawler.template).update(selector=selector)


def test_a_changed_template_makes_new_versions_without_asking_the_site() -> None:
    crawler = shop_crawler()
    runner = crawl(crawler, PAGES)
    assert len(current(crawler)) == 45
    change_selector(crawler, "//b")
    told: list[int] = []
    done = reextract_runner(runner=runner, on_progress=lambda so_far: told.append(so_far.pages))
    assert (done.total, done.pages, done.changed_documents, done.new_documents) == (46, 46, 45, 0)
    assert [fields["name"] for fields in current(crawler)] == [f"{number} GB" for number in range(1, 46)]
    assert set(Document.objects.filter(gone_at=None).values_list("version_number", flat=True)) == {2}
    assert told == [20, 40, 46]


def test_doing_it_again_changes_nothing() -> None:
    crawler = shop_crawler()
    runner = crawl(crawler, PAGES)
    change_selector(crawler, "//b")
    reextract_runner(runner=runner)
    before = list(Document.objects.order_by("pk").values("sequence", "version_number", "gone_at"))
    done = reextract_runner(runner=runner)
    assert (done.new_documents, done.changed_documents, done.unchanged_documents) == (0, 0, 45)
    assert list(Document.objects.order_by("pk").values("sequence", "version_number", "gone_at")) == before


def test_documents_the_template_no_longer_finds_are_gone_and_others_come() -> None:
    crawler = shop_crawler(item_scope="//section")
    runner = crawl(crawler, {"/list": "<section><h2>a</h2></section><div><h2>b</h2></div>"})
    assert current(crawler) == [{"name": "a"}]
    Template.objects.filter(pk=crawler.template_id).update(item_scope="//div")
    reextract_runner(runner=runner)
    assert current(crawler) == [{"name": "b"}]
    assert DocumentVersion.objects.get(document__gone_at__isnull=False).fields == {"name": "a"}


def test_new_columns_are_those_of_the_export_and_the_log_tells_it() -> None:
    crawler = shop_crawler()
    runner = crawl(crawler, {"/1": PAGES["/1"]})
    Inspector.objects.create(template=crawler.template, position=2, name="size", selector="//b")
    done = reextract_runner(runner=runner)
    assert [row["size"] for row in documents_of_runner(runner).rows()] == ["1 GB"]
    assert LogLine.objects.filter(runner=runner, message=done.sentence).count() == 1
    assert "2 kept pages" in done.sentence


def test_pages_that_a_later_run_fetched_are_left_alone() -> None:
    crawler = shop_crawler()
    first = crawl(crawler, {"/1": "<h2>old</h2>", "/2": "<h2>only once</h2>"})
    crawl(crawler, {"/1": "<h2>new</h2>"})
    change_selector(crawler, "//h2/text()")
    done = reextract_runner(runner=first)
    assert (done.pages, done.newer) == (1, 2)  # the seed and /1 were fetched again
    assert sorted(fields["name"] for fields in current(crawler)) == ["new", "only once"]


@pytest.mark.parametrize(
    "page",
    [
        PageRecord(PageState.FAILED, 404, failure=Failure.HTTP, sentence="Gone.", is_gone=True),
        PageRecord(PageState.REDIRECTED, 301, target=f"{SITE}/", is_gone=True),
    ],
)
def test_documents_of_pages_that_a_later_run_found_gone_stay_gone(page: PageRecord) -> None:
    crawler = shop_crawler()
    first = crawl(crawler, {"/1": PAGES["/1"], "/2": PAGES["/2"]})
    later = SqlCrawlStore(Runner.objects.create(crawler=crawler, number=2), FrontierOptions(respect_robots=False))
    later.plant([candidate(f"{SITE}/1")])
    (lease,) = later.lease(worker="w", limit=1).leases
    later.commit(worker="w", outcomes=[Outcome(lease, page)])
    assert [fields["name"] for fields in current(crawler)] == ["SSD 2"]
    change_selector(crawler, "//b")
    done = reextract_runner(runner=first)
    assert (done.newer, done.changed_documents) == (1, 1)
    assert [fields["name"] for fields in current(crawler)] == ["2 GB"]


def test_a_document_that_a_later_run_found_elsewhere_keeps_its_values() -> None:
    crawler = shop_crawler(keys=True)
    Inspector.objects.create(template=crawler.template, position=2, name="size", selector="//b")
    first = crawl(crawler, {"/old": "<h2>SSD</h2><b>1 GB</b>"})
    crawl(crawler, {"/moved": "<h2>SSD</h2><b>2 GB</b>"})
    done = reextract_runner(runner=first)
    assert done.changed_documents == 0
    assert current(crawler) == [{"name": "SSD", "size": "2 GB"}]


def test_documents_whose_pages_a_later_run_found_unchanged_stay_and_are_extracted_anew() -> None:
    crawler = shop_crawler()
    first = crawl(crawler, {"/1": PAGES["/1"], "/2": PAGES["/2"]})
    later = crawl(crawler, {"/1": "", "/2": ""}, unchanged=True)
    done = reextract_runner(runner=first)
    assert (done.unchanged_documents, done.newer) == (2, 0)
    assert [fields["name"] for fields in current(crawler)] == ["SSD 1", "SSD 2"]
    change_selector(crawler, "//b")
    assert reextract_runner(runner=first).changed_documents == 2
    assert [fields["name"] for fields in current(crawler)] == ["1 GB", "2 GB"]
    for runner in (first, later):
        assert [row["name"] for row in documents_of_runner(runner).rows()] == ["1 GB", "2 GB"]


def test_a_page_that_asks_not_to_be_indexed_stays_hidden() -> None:
    crawler = shop_crawler()
    runner = crawl(crawler, {"/1": "<meta name=robots content=noindex><h2>secret</h2>"})
    Document.objects.all().delete()
    reextract_runner(runner=runner)
    assert current(crawler) == []


@pytest.mark.parametrize("raw", [b"\x09another format", b"\x01broken"])
def test_a_page_that_cannot_be_unpacked_is_counted_and_the_others_go_on(raw: bytes) -> None:
    crawler = shop_crawler()
    runner = crawl(crawler, {"/1": PAGES["/1"], "/2": PAGES["/2"]})
    PageContent.objects.filter(page__url__endswith="/1").update(raw=raw)
    change_selector(crawler, "//b")
    done = reextract_runner(runner=runner)
    assert (done.unreadable, done.changed_documents) == (1, 1)
    assert "; 1 page could not be read" in done.sentence


def test_page_rows_tell_how_many_documents_they_hold_now() -> None:
    crawler = shop_crawler()
    runner = crawl(crawler, {"/1": "<i>SSD</i>"})
    assert Page.objects.get(url__endswith="/1").document_count == 0
    change_selector(crawler, "//i")
    reextract_runner(runner=runner)
    assert Page.objects.get(url__endswith="/1").document_count == 1


@pytest.mark.parametrize("is_changed", [True, False])
def test_the_next_run_fetches_whole_what_the_present_template_has_not_read(*, is_changed: bool) -> None:
    """Pages that were not kept (their room was used up, or an even earlier run has them) and unreadable ones."""
    crawler = shop_crawler()
    runner = crawl(crawler, {path: PAGES[path] for path in ("/1", "/2", "/3")})
    Page.objects.filter(runner=runner).update(etag='"v1"', last_modified="yesterday")
    PageContent.objects.update(links=pack_links([]))
    for path, raw in (("/2", None), ("/3", b"\x01broken")):
        PageContent.objects.filter(page__url__endswith=path).update(raw=raw)
    if is_changed:
        change_selector(crawler, "//b")
    reextract_runner(runner=runner)
    later = SqlCrawlStore(start_runner(crawler=crawler, user=None), FrontierOptions(respect_robots=False))
    later.plant([candidate(f"{SITE}{path}") for path in ("/1", "/2", "/3")])
    asked = {lease.url: (lease.etag, lease.last_modified) for lease in later.lease(worker="w", limit=9).leases}
    known = ('"v1"', "yesterday")
    other = ("", "") if is_changed else known
    assert asked == {f"{SITE}/": known, f"{SITE}/1": known, f"{SITE}/2": other, f"{SITE}/3": other}


def test_without_kept_pages_it_says_how_to_keep_them() -> None:
    runner = crawl(shop_crawler(), {"/1": PAGES["/1"]}, keep=False)
    with pytest.raises(CommandError, match=r"kept no pages.*Switch on “keep pages”"):
        call_command("reextract", str(runner.pk))


def test_kept_pages_that_were_pruned_are_not_said_never_to_have_been_kept() -> None:
    runner = crawl(shop_crawler(), {"/1": PAGES["/1"]})
    Runner.objects.filter(pk=runner.pk).update(status=RunnerStatus.COMPLETED, finished_at=timezone.now())
    prune(before=timezone.now() + timedelta(hours=1), project=None, keep=0, dry_run=False)
    with pytest.raises(CommandError, match=r"were deleted to free space .* its crawler again"):
        call_command("reextract", str(runner.pk))


def test_a_run_that_is_not_over_is_refused() -> None:
    runner = crawl(shop_crawler(), {"/1": PAGES["/1"]})
    runner.jobs.update(state="running")
    with pytest.raises(Conflict, match="not over yet"):
        reextract_runner(runner=runner)


def test_the_command_says_what_it_did_and_which_runners_there_are() -> None:
    runner = crawl(shop_crawler(), {"/1": PAGES["/1"]})
    out = StringIO()
    call_command("reextract", str(runner.pk), stdout=out)
    assert "2 kept pages" in out.getvalue()
    with pytest.raises(CommandError, match=rf"There is no runner 999\. The newest are: {runner.pk} \(Shop #1\)"):
        call_command("reextract", "999")


def test_a_page_that_takes_too_long_fails_and_the_others_go_on(monkeypatch: pytest.MonkeyPatch) -> None:
    from backend.apps.runners import reextraction

    monkeypatch.setattr(reextraction, "PAGE_SECONDS", 1.0)
    crawler = shop_crawler()
    runner = crawl(crawler, {"/1": "<h2>a</h2>", "/2": "<h2>b</h2>" + "<i>x</i>" * 500, "/3": "<h2>c</h2>"})
    change_selector(crawler, "//h2[count(//*[count(//*[count(//*[count(//*) > 0]) > 0]) > 0]) > 0]")
    done = reextract_runner(runner=runner)
    assert (done.pages, done.unreadable, done.unchanged_documents) == (4, 1, 2)
    assert sorted(fields["name"] for fields in current(crawler)) == ["a", "b", "c"]
