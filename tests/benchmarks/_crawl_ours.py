"""Our engine: one worker, SQLite that waits for the disk at every commit, everything on but page text.

`--features` adds page text. `--fill=FOLDER --waiting=N` crawls nothing: it leaves a database there with N more
addresses in the queue. `--from=FOLDER` begins with a copy of such a database.
"""

import os
import shutil
import sys
import tempfile
from dataclasses import replace
from pathlib import Path
from typing import Any

DATABASE = "bench.sqlite3"


def main(url: str, pages: int, *, with_features: bool, beginning: Path | None) -> None:
    with tempfile.TemporaryDirectory(prefix="gleaner-bench-") as folder:
        if beginning is not None:
            shutil.copy(beginning / DATABASE, folder)
        use_database(Path(folder))
        _crawl(url, pages, with_features=with_features, is_new=beginning is None)


def fill(folder: Path, url: str, pages: int, waiting: int) -> None:
    """A database that waits in this folder: the crawl planted, and so many addresses more."""
    from django.db import connections

    use_database(folder)
    _fill(_plant(url, pages), url, waiting)
    connections.close_all()


def use_database(folder: Path) -> None:
    """Django on an SQLite file in this folder, that waits for the disk at every commit."""
    os.environ["GLEANER_VAR"] = str(folder)
    os.environ["GLEANER_DATABASE_URL"] = f"sqlite://{folder}/{DATABASE}"
    os.environ["GLEANER_LOG_LEVEL"] = "ERROR"
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "backend.config.settings")
    import django

    django.setup()
    from django.core.management import call_command
    from django.db.backends.signals import connection_created

    connection_created.connect(_wait_for_the_disk)
    call_command("migrate", verbosity=0)


def _crawl(url: str, pages: int, *, with_features: bool, is_new: bool) -> None:
    import uvloop

    from crawler_node.memory import settle
    from tests.benchmarks._contest import MemoryWatch, Stopwatch, tell

    run = _prepare(url, pages, with_features=with_features, is_new=is_new)
    settle()
    with MemoryWatch() as memory:
        watch = Stopwatch()
        statistics = uvloop.run(run())
        result = watch.result(pages=statistics.pages, documents=statistics.documents)
    tell(replace(result, memory_mb=tuple(memory.samples_mb)))


def _wait_for_the_disk(connection: Any, **_: Any) -> None:
    connection.cursor().execute("PRAGMA synchronous=FULL")


def make_spec(url: str, pages: int, **more: Any) -> Any:
    from crawler_node.engine import CrawlSpec
    from tests.benchmarks._contest import CONCURRENCY

    return CrawlSpec.from_json({"seeds": [url], "max_pages": pages, "sleep_ms": 0, "threads": CONCURRENCY, **more})


def make_reader(*, with_features: bool) -> Any:
    from crawler_node.extract.compiler import compile_template
    from crawler_node.extract.reader import TemplateReader
    from crawler_node.extract.spec import parse_template
    from tests.benchmarks._contest import FIELDS

    types = {"price": "price", "rating": "number"}
    inspectors = [
        {"name": name, "selector": selector, "type": types.get(name, "text"), "key": name == "sku"}
        for name, selector in FIELDS.items()
    ]
    template = compile_template(parse_template({"name": "item", "inspectors": inspectors}))
    return TemplateReader(template, with_features=with_features)


def _prepare(url: str, pages: int, *, with_features: bool, is_new: bool) -> Any:
    """Everything that happens once, before the first page."""
    from crawler_node.engine import build_worker
    from crawler_node.fetch import HttpLane, parse_allow_networks
    from crawler_node.urls import parse_url

    store = _plant(url, pages) if is_new else _planted(url, pages)
    spec = make_spec(url, pages)
    reader = make_reader(with_features=with_features)
    found = parse_url(url)
    policy = parse_allow_networks(f"{found.host}:{found.port}" if found else "")

    async def run() -> Any:
        async with HttpLane(spec.lane_options(policy=policy, version="bench")) as lane:
            worker = build_worker(spec, name="bench", store=store, lane=lane, reader=reader)
            return (await worker.run()).statistics

    return run


def _plant(url: str, pages: int) -> Any:
    """The store of a new crawl, its seed in the queue."""
    from crawler_node.engine import seed_candidates

    make_runner()
    store = _planted(url, pages)
    store.plant(seed_candidates(make_spec(url, pages)))
    return store


def _planted(url: str, pages: int) -> Any:
    """The store of the crawl in the database."""
    from backend.apps.runners.crawl_store import SqlCrawlStore
    from backend.apps.runners.models import Runner

    return SqlCrawlStore(Runner.objects.get(), make_spec(url, pages).frontier_options())


def _fill(store: Any, url: str, waiting: int) -> None:
    """So many addresses of the same host in the queue, all of them to be fetched after the site's own pages."""
    from crawler_node.contracts import Candidate
    from crawler_node.urls import Canonicalizer

    canonicalizer = Canonicalizer()
    for start in range(0, waiting, 5_000):
        found = [canonicalizer.canonicalize(f"/waiting/{number}", url) for number in range(start, start + 5_000)]
        store.plant([Candidate(each.url, each.key, each.authority, depth=9) for each in found if each is not None])


def make_runner() -> Any:
    from backend.apps.accounts.models import User
    from backend.apps.crawlers.models import Crawler
    from backend.apps.projects.services import create_project
    from backend.apps.runners.models import Runner
    from backend.apps.templates.models import Template

    project = create_project(owner=User.objects.create(username="bench"), name="Benchmark")
    template = Template.objects.create(project=project, name="item")
    crawler = Crawler.objects.create(project=project, name="bulk", template=template, seeds=["http://x/"])
    return Runner.objects.create(crawler=crawler, number=1)


def _given(option: str) -> str | None:
    """What follows `--option=`."""
    found = [word.partition("=")[2] for word in sys.argv if word.startswith(f"{option}=")]
    return found[0] if found else None


if __name__ == "__main__":
    target, count, beginning = sys.argv[1], int(sys.argv[2]), _given("--from")
    if place := _given("--fill"):
        fill(Path(place), target, count, int(_given("--waiting") or 0))
    else:
        main(target, count, with_features="--features" in sys.argv, beginning=Path(beginning) if beginning else None)
