"""A run whose pages were kept, committed as the engine commits them."""

from typing import Any

from backend.apps.accounts.models import User
from backend.apps.crawlers.models import Crawler
from backend.apps.project_files import import_into_project
from backend.apps.projects.services import create_project
from backend.apps.runners.crawl_store import SqlCrawlStore
from backend.apps.runners.models import Runner
from backend.apps.runners.services import start_runner
from backend.apps.runners.specification import read_specification
from crawler_node.contracts import (
    Candidate,
    FetchedPage,
    HostFacts,
    Lease,
    Outcome,
    PageRecord,
    PageState,
    RobotsRecord,
)
from crawler_node.extract.compiler import compile_template
from crawler_node.extract.reader import TemplateReader
from crawler_node.sinks.packing import pack_page
from crawler_node.urls import Canonicalizer

SITE = "https://shop.example"


def shop_crawler(*, keys: bool = False, item_scope: str = "") -> Crawler:
    owner, _ = User.objects.get_or_create(username="owner")
    project = create_project(owner=owner, name="Shops")
    name: dict[str, Any] = {"name": "name", "selector": ".//h2", "key": keys}
    template = {"name": "Product", "item_scope": item_scope, "inspectors": [name]}
    crawler = {"name": "Shop", "template": "Product", "seeds": [f"{SITE}/"], "sleep_ms": 0, "keep_pages": True}
    import_into_project(
        project=project, file={"version": 1, "name": "Shops", "templates": [template], "crawlers": [crawler]}
    )
    return project.crawlers.get()


def crawl(crawler: Crawler, pages: dict[str, str], *, keep: bool = True, unchanged: bool = False) -> Runner:
    """A run over these pages, by path, or one that finds them all unchanged; its job is over."""
    runner = start_runner(crawler=crawler, user=None)
    specification = read_specification(runner)
    reader = TemplateReader(
        compile_template(specification.template), addresses=Canonicalizer(specification.crawl.addresses)
    )
    store = SqlCrawlStore(runner, specification.crawl.frontier_options(), clock=_Hourly())
    store.plant([_candidate(path) for path in pages])
    while leases := store.lease(worker="w", limit=100).leases:
        for lease in leases:
            if unchanged:
                store.commit(worker="w", outcomes=[_unchanged(lease)])
                continue
            body = pages.get(lease.url.removeprefix(SITE), "<p>Welcome.").encode()
            reading = reader(FetchedPage(lease.url, 200, {"content-type": "text/html; charset=utf-8"}, body))
            record = PageRecord(
                PageState.DONE,
                status=200,
                content_type="text/html; charset=utf-8",
                body_bytes=len(body),
                sha1=lease.key,
                raw=pack_page(body) if keep else b"",
            )
            facts = HostFacts(lease.host, robots=RobotsRecord(""))
            store.commit(worker="w", outcomes=[Outcome(lease, record, reading.documents, host=facts)])
    runner.jobs.update(state="finished")
    return Runner.objects.get(pk=runner.pk)


def _unchanged(lease: Lease) -> Outcome:
    record = PageRecord(PageState.DONE, status=304, is_unchanged=True)
    return Outcome(lease, record, host=HostFacts(lease.host, robots=RobotsRecord("")))


def _candidate(path: str) -> Candidate:
    found = Canonicalizer().canonicalize(f"{SITE}{path}")
    assert found is not None
    return Candidate(found.url, found.key, found.authority, 0)


class _Hourly:
    """A clock on which every host is always ready."""

    def __init__(self) -> None:
        self._now = 1_700_000_000.0

    def __call__(self, cursor: Any) -> float:
        self._now += 3600
        return self._now
