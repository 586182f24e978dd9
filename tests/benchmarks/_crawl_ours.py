"""Our engine: one worker, SQLite that waits for the disk at every commit, everything on but page text."""

import os
import sys
import tempfile
from pathlib import Path
from typing import Any


def main(url: str, pages: int, *, with_features: bool) -> None:
    with tempfile.TemporaryDirectory(prefix="gleaner-bench-") as folder:
        os.environ["GLEANER_VAR"] = folder
        os.environ["GLEANER_DATABASE_URL"] = f"sqlite://{folder}/bench.sqlite3"
        os.environ["GLEANER_LOG_LEVEL"] = "ERROR"
        os.environ.setdefault("DJANGO_SETTINGS_MODULE", "backend.config.settings")
        _crawl(url, pages, Path(folder), with_features=with_features)


def _crawl(url: str, pages: int, folder: Path, *, with_features: bool) -> None:
    import django

    django.setup()
    import uvloop
    from django.core.management import call_command
    from django.db.backends.signals import connection_created

    from tests.benchmarks._contest import Stopwatch, tell

    connection_created.connect(_wait_for_the_disk)
    call_command("migrate", verbosity=0)
    run = _prepare(url, pages, with_features=with_features)
    watch = Stopwatch()
    statistics = uvloop.run(run())
    tell(watch.result(pages=statistics.pages, documents=statistics.documents))


def _wait_for_the_disk(connection: Any, **_: Any) -> None:
    connection.cursor().execute("PRAGMA synchronous=FULL")


def _prepare(url: str, pages: int, *, with_features: bool) -> Any:
    """Everything that happens once, before the first page."""
    from backend.apps.runners.crawl_store import SqlCrawlStore
    from crawler_node.engine import CrawlSpec, build_worker, seed_candidates
    from crawler_node.extract.compiler import compile_template
    from crawler_node.extract.reader import TemplateReader
    from crawler_node.extract.spec import parse_template
    from crawler_node.fetch import HttpLane, parse_allow_networks
    from crawler_node.urls import parse_url
    from tests.benchmarks._contest import CONCURRENCY, FIELDS

    runner = _runner()
    spec = CrawlSpec.from_json({"seeds": [url], "max_pages": pages, "sleep_ms": 0, "threads": CONCURRENCY})
    types = {"price": "price", "rating": "number"}
    inspectors = [
        {"name": name, "selector": selector, "type": types.get(name, "text"), "key": name == "sku"}
        for name, selector in FIELDS.items()
    ]
    template = compile_template(parse_template({"name": "item", "inspectors": inspectors}))
    reader = TemplateReader(template, with_features=with_features)
    store = SqlCrawlStore(runner, spec.frontier_options())
    store.plant(seed_candidates(spec))
    found = parse_url(url)
    policy = parse_allow_networks(f"{found.host}:{found.port}" if found else "")

    async def run() -> Any:
        async with HttpLane(spec.lane_options(policy=policy, version="bench")) as lane:
            worker = build_worker(spec, name="bench", store=store, lane=lane, reader=reader)
            return (await worker.run()).statistics

    return run


def _runner() -> Any:
    from backend.apps.accounts.models import User
    from backend.apps.crawlers.models import Crawler
    from backend.apps.projects.services import create_project
    from backend.apps.runners.models import Runner
    from backend.apps.templates.models import Template

    project = create_project(owner=User.objects.create(username="bench"), name="Benchmark")
    template = Template.objects.create(project=project, name="item")
    crawler = Crawler.objects.create(project=project, name="bulk", template=template, seeds=["http://x/"])
    return Runner.objects.create(crawler=crawler, number=1)


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), with_features="--features" in sys.argv)
