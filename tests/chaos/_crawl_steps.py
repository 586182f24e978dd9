"""The steps of a crawl that is to be killed, each in a process of its own: prepare, work, report."""

import json
import os
import sys
from collections import Counter
from typing import Any
from uuid import uuid4

WORKER = "chaos"


def main(step: str, *words: str) -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "backend.config.settings")
    import django

    django.setup()
    {"prepare": prepare, "work": work, "report": report}[step](*words)


def prepare(seed: str, threads: str) -> None:
    """A runner with its seed planted; prints its id."""
    from backend.apps.accounts.models import User
    from backend.apps.crawlers.models import Crawler
    from backend.apps.projects.services import create_project
    from backend.apps.runners.models import Runner
    from backend.apps.templates.models import Template
    from crawler_node.engine import seed_candidates

    project = create_project(owner=User.objects.create(username=f"chaos-{uuid4().hex}"), name="Chaos")
    template = Template.objects.create(project=project, name="item")
    crawler = Crawler.objects.create(project=project, name="bulk", template=template, seeds=[seed])
    options = {"seeds": [seed], "sleep_ms": 0, "threads": int(threads)}
    runner = Runner.objects.create(crawler=crawler, number=1, specification={"crawler": options})
    spec, store = _open(runner)
    store.plant(seed_candidates(spec))
    tell(runner.pk)


def work(runner_id: str) -> None:
    """Release what the killed one held and print it, then crawl to the end and print why it ended."""
    import uvloop

    from backend.apps.runners.models import CrawlUrl, Runner, UrlState

    runner = Runner.objects.select_related("crawler").get(pk=int(runner_id))
    spec, store = _open(runner)
    held = CrawlUrl.objects.filter(runner=runner, state=UrlState.LEASED).values_list("url", flat=True)
    tell(list(held))
    store.release(worker=WORKER)
    tell(uvloop.run(_crawl(spec, store)))


def report(runner_id: str) -> None:
    """What is in the database when all is over."""
    from backend.apps.documents.models import Document, DocumentVersion, Page
    from backend.apps.runners.models import CrawlUrl, UrlState

    runner = int(runner_id)
    pages = Page.objects.filter(runner_id=runner)
    versions = DocumentVersion.objects.filter(runner_id=runner)
    tell(
        {
            "pages": list(pages.filter(state="done").values_list("url", flat=True)),
            "documents": [fields["sku"] for fields in versions.values_list("fields", flat=True)],
            "copies": Document.objects.exclude(duplicate_of=None).count(),
            "failed": dict(Counter(pages.filter(state="failed").values_list("failure", flat=True))),
            "open": CrawlUrl.objects.filter(runner_id=runner, state__in=[UrlState.QUEUED, UrlState.LEASED]).count(),
        }
    )


async def _crawl(spec: Any, store: Any) -> str:
    from crawler_node.engine import build_worker
    from crawler_node.extract.compiler import compile_template
    from crawler_node.extract.reader import TemplateReader
    from crawler_node.extract.spec import parse_template
    from crawler_node.fetch import HttpLane, parse_allow_networks
    from crawler_node.urls import parse_url

    inspectors = [{"name": "sku", "selector": "//dd[@class='sku']", "key": True, "required": True}]
    reader = TemplateReader(compile_template(parse_template({"name": "item", "inspectors": inspectors})))
    found = parse_url(spec.seeds[0])
    policy = parse_allow_networks(f"{found.host}:{found.port}" if found else "")
    async with HttpLane(spec.lane_options(policy=policy, version="chaos")) as lane:
        worker = build_worker(spec, name=WORKER, store=store, lane=lane, reader=reader)
        return str((await worker.run()).stop)


def _open(runner: Any) -> tuple[Any, Any]:
    from backend.apps.runners.crawl_store import SqlCrawlStore
    from crawler_node.engine import CrawlSpec

    spec = CrawlSpec.from_json(runner.specification["crawler"])
    return spec, SqlCrawlStore(runner, spec.frontier_options())


def tell(value: object) -> None:
    sys.stdout.write(json.dumps(value) + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main(*sys.argv[1:])
