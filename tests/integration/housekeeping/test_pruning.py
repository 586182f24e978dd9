"""Old runs lose what is heavy and keep what counts."""

from datetime import timedelta
from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone

from backend.apps.crawlers.models import Crawler
from backend.apps.documents.models import Document, DocumentVersion, Page, PageContent
from backend.apps.housekeeping import batches, pruning
from backend.apps.housekeeping.batches import delete_pages_of_runner
from backend.apps.housekeeping.deleting import delete_runner
from backend.apps.runners.models import CrawlHost, CrawlUrl, LogLine, Runner, RunnerStatus
from backend.apps.runners.selectors import statistics_of
from tests.integration.runners.kept_pages import crawl, shop_crawler

pytestmark = pytest.mark.django_db


def ended(crawler: Crawler, *, days_ago: int) -> Runner:
    runner = crawl(crawler, {f"/{number}": f"<h2>SSD {number}</h2>" for number in range(5)})
    runner.status, runner.finished_at = RunnerStatus.COMPLETED, timezone.now() - timedelta(days=days_ago)
    runner.save()
    return runner


def prune(*arguments: str) -> str:
    out = StringIO()
    call_command("prune", *arguments, stdout=out)
    return out.getvalue()


def test_old_runs_lose_pages_frontier_and_log_but_keep_documents_and_statistics() -> None:
    crawler = shop_crawler()
    old, newest = ended(crawler, days_ago=40), ended(crawler, days_ago=35)
    documents = list(Document.objects.order_by("pk").values())
    told = prune("--older-than", "30d")
    assert "Freed 1 run: 6 pages, 6 frontier rows, 0 log lines; about 0.0 MB. Documents stay." in told
    for model in (Page, CrawlUrl, CrawlHost):
        assert not model._default_manager.filter(runner=old).exists()
        assert model._default_manager.filter(runner=newest).exists()
    assert PageContent.objects.count() == 6
    assert list(Document.objects.order_by("pk").values()) == documents
    assert DocumentVersion.objects.filter(runner=old).count() == 5
    assert statistics_of(Runner.objects.get(pk=old.pk))["pages"] == 6
    assert "to free space" in LogLine.objects.get(runner=old).message


def test_a_second_time_finds_nothing() -> None:
    crawler = shop_crawler()
    ended(crawler, days_ago=40), ended(crawler, days_ago=35)
    prune("--older-than", "30d")
    assert "nothing to free" in prune("--older-than", "30d")


def test_a_dry_run_deletes_nothing_and_says_what_would_go() -> None:
    crawler = shop_crawler()
    ended(crawler, days_ago=40), ended(crawler, days_ago=35)
    assert "Would free 1 run: 6 pages" in prune("--older-than", "30d", "--dry-run")
    assert Page.objects.count() == 12
    assert not Runner.objects.filter(pruned_at__isnull=False).exists()


def test_young_running_and_newest_runs_are_left_alone() -> None:
    crawler = shop_crawler()
    runners = [ended(crawler, days_ago=days) for days in (40, 40, 10, 1)]
    runners[0].jobs.update(state="queued")
    prune("--older-than", "30d", "--keep", "2")
    assert list(Runner.objects.filter(pruned_at__isnull=False)) == [runners[1]]


@pytest.mark.parametrize("place", [0, 1])
def test_a_run_that_is_tried_again_meanwhile_keeps_its_frontier(place: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its worker could not go on without it."""
    crawler = shop_crawler()
    runners = [ended(crawler, days_ago=days) for days in (42, 41, 40)]

    def delete_meanwhile(runner_id: int) -> int:
        runners[place].jobs.update(state="queued")
        return delete_pages_of_runner(runner_id)

    monkeypatch.setattr(batches, "BATCH_PAGES", 2)
    monkeypatch.setattr(pruning, "delete_pages_of_runner", delete_meanwhile)
    prune("--older-than", "30d")
    assert list(Runner.objects.filter(pruned_at__isnull=False)) == [runners[1 - place]]
    assert CrawlUrl.objects.filter(runner=runners[place]).count() == 6
    assert Page.objects.filter(runner=runners[place]).count() == (4 if place == 0 else 6)


def test_only_the_project_that_was_named() -> None:
    crawler = shop_crawler()
    ended(crawler, days_ago=40), ended(crawler, days_ago=35)
    with pytest.raises(CommandError, match="There is no project “Other”"):
        prune("--older-than", "30d", "--project", "Other")
    assert "Freed 1 run:" in prune("--older-than", "30d", "--project", "Shops")


def test_it_finishes_what_people_deleted() -> None:
    crawler = shop_crawler()
    delete_runner(runner=ended(crawler, days_ago=1))
    prune("--older-than", "30d")
    assert (Page.objects.count(), Document.objects.count()) == (0, 0)


@pytest.mark.parametrize("age", ["30", "d", "30 days", "-1d", "1y"])
def test_an_odd_age_gets_a_sentence(age: str) -> None:
    with pytest.raises(CommandError, match=r"Write it like 30d, 12h or 2w|expected one argument"):
        prune("--older-than", age)
