"""A crawl that needs a browser goes to a node that has one, and to no other."""

import json
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError

from backend.apps.accounts.models import User
from backend.apps.crawlers.models import Crawler
from backend.apps.jobs.clock import database_now
from backend.apps.jobs.head_store import SqlHeadStore
from backend.apps.jobs.models import JobState, Wish
from backend.apps.jobs.services import Terms, wish_for_job
from backend.apps.nodes.models import Node
from backend.apps.nodes.services import Slots, register_node, trust_node
from backend.apps.project_files.importing import import_into_project
from backend.apps.projects.services import create_project
from backend.apps.runners.models import CrawlUrl, Runner, UrlState
from backend.apps.runners.services import retry_failed_pages, start_runner
from head_node.planning import schedule
from tests.integration.project_files.samples import SHOP_FILE

pytestmark = pytest.mark.django_db
LOGIN = {"url": "https://shop.example/login", "actions": [{"type": "click", "selector": "//a"}], "logged_out": ""}
DISMISS = [{"type": "dismiss_overlays"}]
CASES = [
    ({"lane": "http"}, [], "roomy"),
    ({"lane": "http", "login": LOGIN}, DISMISS, "roomy"),
    ({"lane": "auto"}, [], "roomy"),
    ({"lane": "auto", "login": LOGIN}, [], "shows"),
    ({"lane": "auto"}, DISMISS, "shows"),
    ({"lane": "browser"}, [], "shows"),
]


def crawler_with(options: dict[str, Any], actions: list[dict[str, Any]]) -> Crawler:
    owner, _ = User.objects.get_or_create(username="owner")
    project = create_project(owner=owner, name="Shops")
    file = {
        "version": 1,
        "name": "Shops",
        "templates": [{"name": "Product", "inspectors": [{"name": "a", "selector": "//h1"}], "actions": actions}],
        "crawlers": [{"name": "Shop", "template": "Product", "seeds": ["https://shop.example/"], **options}],
    }
    import_into_project(project=project, file=file)
    return project.crawlers.get()


def join(name: str, *, http: int, browser: int) -> None:
    token, slots = trust_node(name=name), Slots(http, browser)
    register_node(name=name, token=token, address="", version="1", slots=slots, now=database_now())


def places() -> list[str]:
    """Where the head node would send workers, written down as it does."""
    store = SqlHeadStore()
    decided = schedule(store.open_jobs(), store.nodes(), store.now())
    workers = [store.place(placement) for placement in decided.placements]
    return [worker.node for worker in workers if worker is not None]


@pytest.mark.parametrize(("options", "actions", "node"), CASES)
def test_only_a_crawl_with_something_to_do_on_pages_needs_a_node_with_a_browser(
    options: dict[str, Any], actions: list[dict[str, Any]], node: str
) -> None:
    join("roomy", http=8, browser=0)
    join("shows", http=1, browser=1)
    start_runner(crawler=crawler_with(options, actions), user=None)
    assert places() == [node]


def test_without_such_a_node_a_login_waits_and_people_are_told_what_to_do() -> None:
    join("roomy", http=8, browser=0)
    job = start_runner(crawler=crawler_with({"lane": "auto", "login": LOGIN}, []), user=None).jobs.get()
    store = SqlHeadStore()
    decided = schedule(store.open_jobs(), store.nodes(), store.now())
    assert not decided.placements
    assert decided.waiting[job.pk] == (
        "Waiting: no node that is online has a browser slot. "
        "Install chromium and chromium-driver on one and restart Gleaner there, or choose the lane “http”."
    )


def test_failed_pages_are_tried_again_where_a_browser_is() -> None:
    join("roomy", http=8, browser=0)
    join("shows", http=1, browser=1)
    runner = start_runner(crawler=crawler_with({"lane": "auto", "login": LOGIN}, []), user=None)
    fail_everything(runner)
    retry_failed_pages(runner=runner)
    assert places() == ["shows"]


def test_failed_pages_are_tried_again_on_the_terms_of_the_run() -> None:
    join("near", http=2, browser=0)
    join("roomy", http=8, browser=0)
    near = Node.objects.get(name="near")
    terms = Terms(priority=3, node=near, slots_per_worker=2, wall_time_seconds=60.0, earliest_start=database_now())
    runner = start_runner(crawler=crawler_with({"lane": "http"}, []), user=None, workers=2, terms=terms)
    fail_everything(runner)
    retry_failed_pages(runner=runner)
    again = runner.jobs.exclude(state=JobState.FINISHED).get()
    assert (again.priority, again.requested_workers, again.slots_per_worker) == (3, 2, 2)
    assert (again.requested_node, again.wall_time_seconds, again.earliest_start) == (near, 60.0, None)
    assert places() == ["near"]


def fail_everything(runner: Runner) -> None:
    """The run is over, and its pages have failed."""
    CrawlUrl.objects.filter(runner=runner).update(state=UrlState.FAILED)
    wish_for_job(job_id=runner.jobs.get().pk, wish=Wish.STOP, now=database_now())
    runner.refresh_from_db()


def test_a_crawl_from_the_command_line_is_refused_at_once_where_no_machine_has_a_browser(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", "/nonexistent")
    file = tmp_path / "shop.json"
    file.write_text(json.dumps(SHOP_FILE), encoding="utf-8")
    with pytest.raises(CommandError, match="apt-get install chromium"):
        call_command("crawl", str(file))
    assert not Runner.objects.exists()
