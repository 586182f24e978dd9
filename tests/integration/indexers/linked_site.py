"""Small linked websites, crawled by the real engine over a lane that serves them from memory."""

import asyncio
from datetime import UTC, datetime
from typing import Any

from backend.apps.accounts.models import User
from backend.apps.crawlers.models import Crawler
from backend.apps.project_files import import_into_project
from backend.apps.projects.services import create_project
from backend.apps.runners.crawl_store import SqlCrawlStore
from backend.apps.runners.models import Runner
from backend.apps.runners.services import start_runner
from backend.apps.runners.specification import read_specification
from crawler_node.contracts import Failure, FetchedPage, FetchFailure, Lease, Redirect
from crawler_node.engine.gate import HostGate
from crawler_node.engine.pages import PageWork
from crawler_node.engine.seeding import seed_candidates
from crawler_node.engine.seen import SeenFilter
from crawler_node.engine.sieve import LinkSieve
from crawler_node.extract.compiler import compile_template
from crawler_node.extract.reader import TemplateReader
from crawler_node.fetch.cookies import CookieShelf
from crawler_node.robots import RobotsBook
from crawler_node.urls import Canonicalizer, LinkResolver

Site = dict[str, str | int]
"""Address → its HTML, or "→ target" for a redirect, or a status."""


def make_crawler(*seeds: str, project_name: str = "Links", **options: Any) -> Crawler:
    owner, _ = User.objects.get_or_create(username="owner")
    project = create_project(owner=owner, name=project_name)
    template = {"name": "Page", "inspectors": [{"name": "heading", "selector": "//h1"}]}
    wanted = {"name": "All", "template": "Page", "seeds": list(seeds), "sleep_ms": 0, "respect_robots": False}
    file = {"version": 1, "name": project_name, "templates": [template], "crawlers": [{**wanted, **options}]}
    import_into_project(project=project, file=file)
    return project.crawlers.get()


def crawl(crawler: Crawler, site: Site) -> Runner:
    """A whole run over the site."""
    runner = start_runner(crawler=crawler, user=None)
    specification = read_specification(runner)
    spec = specification.crawl
    lane = asyncio.run(_make_lane(site))
    robots = RobotsBook(product="gleaner", clock=lambda: 0.0)
    sieve = LinkSieve(
        resolver=LinkResolver(Canonicalizer(spec.addresses)),
        scope=spec.scope(),
        traps=spec.trap_rules(this_year=datetime.now(UTC).year),
        seen=SeenFilter(),
        rules_for=robots.rules_for,
        respect_robots=spec.respect_robots,
    )
    reader = TemplateReader(compile_template(specification.template), with_features=True)
    gate = HostGate(clock=lambda: 0.0, max_in_flight=8)
    pages = PageWork(spec=spec, lane=lane, reader=reader, sieve=sieve, robots=robots, gate=gate)  # type: ignore[arg-type]
    store = SqlCrawlStore(runner, spec.frontier_options(), clock=_Hourly())
    store.plant(seed_candidates(spec))
    while leases := store.lease(worker="w", limit=100).leases:
        outcomes = [asyncio.run(pages.work(lease)) for lease in leases]
        store.commit(worker="w", outcomes=outcomes)
    runner.jobs.update(state="finished")
    return Runner.objects.get(pk=runner.pk)


def key_of(url: str) -> bytes:
    found = Canonicalizer().canonicalize(url)
    assert found is not None
    return found.key


async def _make_lane(site: Site) -> "_Lane":
    """In a loop, which the cookie jar wants."""
    return _Lane(site)


class _Lane:
    def __init__(self, site: Site) -> None:
        self._site = site
        self.cookies = CookieShelf(is_kept=False)

    async def fetch(self, lease: Lease) -> FetchedPage | Redirect | FetchFailure:
        found = self._site.get(lease.url, 404)
        if isinstance(found, int):
            if found == 304:
                return FetchedPage(lease.url, 304, {}, b"")
            return FetchFailure(lease.url, Failure.HTTP, f"It failed ({found}).", can_retry=False, status=found)
        if found.startswith("→ "):
            return Redirect(lease.url, 301, found.removeprefix("→ "))
        headers = {"content-type": "text/html; charset=utf-8", "etag": '"v1"'}
        return FetchedPage(lease.url, 200, headers, found.encode())


class _Hourly:
    """A clock on which every host is always ready."""

    def __init__(self) -> None:
        self._now = 1_700_000_000.0

    def __call__(self, cursor: Any) -> float:
        self._now += 3600
        return self._now
