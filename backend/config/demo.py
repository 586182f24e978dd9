"""The demo of `./gleaner up`: the whole main job by itself, once. Two shops are crawled, indexed and searched."""

import json
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from backend.apps.accounts.models import User
from backend.apps.errors import Conflict, GleanerError
from backend.apps.indexers.models import BuildState, Indexer, IndexerStatus
from backend.apps.indexers.running import open_job, start_indexer
from backend.apps.project_files import import_project
from backend.apps.projects.models import Project
from backend.apps.runners.models import Runner, RunnerStatus
from backend.apps.runners.selectors import statistics_of
from backend.apps.runners.services import start_runner
from backend.config.index_progress import describe
from wording import say_count

FILE = Path(__file__).with_name("demo_project.json")
EXAMPLES = ("ssd 1tb", "ssd 1tb samsang", "laptop 32gb price:..1500")
SHOWN = 3
ENDED = (RunnerStatus.COMPLETED, RunnerStatus.EXIT)
LINE_SECONDS = 2.0

Say = Callable[[str], None]


def demo_file(site: str) -> dict[str, Any]:
    """The demo's project file, for a demo site at this address."""
    file: dict[str, Any] = json.loads(FILE.read_text(encoding="utf-8").replace("{site}", site.rstrip("/")))
    return file


def run_demo(*, owner: User, site: str, say: Say) -> Indexer:
    """Do what was not done before, tell about it, and return the index that answers."""
    file = demo_file(site)
    known = Project.objects.filter(owner=owner, name=file["name"]).first()
    project = known or Project.objects.get(pk=import_project(owner=owner, file=file).project)
    indexer = project.indexers.get(name=file["indexers"][0]["name"])
    if indexer.served_build:
        say("The demo was made before: two shops are crawled and indexed.")
        return indexer
    _crawl(project, site, say)
    _index(indexer, say)
    indexer.refresh_from_db()
    return indexer


def _crawl(project: Project, site: str, say: Say) -> None:
    """Every crawler once; a run that is there already is waited for."""
    allowed = [site.removeprefix("http://").rstrip("/")]
    for crawler in project.crawlers.select_related("project", "template"):
        if not crawler.runners.exists():
            start_runner(crawler=crawler, user=None, allow_networks=allowed)
    for runners in _changing(lambda: list(_runners(project)), say=say, line=_crawl_line):
        if all(runner.status in ENDED for runner in runners):
            return


def _runners(project: Project) -> Sequence[Runner]:
    return Runner.objects.filter(crawler__project=project).select_related("crawler", "crawl_state")


def _crawl_line(runners: Sequence[Runner]) -> str:
    counts = [statistics_of(runner) for runner in runners]
    pages, documents = (sum(row[name] for row in counts) for name in ("pages", "documents"))
    found = f"{say_count(pages, 'page')}, {say_count(documents, 'product')}"
    return f"Demo: crawling {say_count(len(runners), 'shop')}: {found}."


def _index(indexer: Indexer, say: Say) -> None:
    if open_job(indexer) is None:
        try:
            start_indexer(indexer=indexer)
        except Conflict as error:
            say(error.message)
    for found in _changing(lambda: Indexer.objects.get(pk=indexer.pk), say=say, line=_index_line):
        if found.served_build or found.status == IndexerStatus.EXIT:
            return


def _index_line(indexer: Indexer) -> str:
    build = indexer.builds.filter(state=BuildState.BUILDING).first()
    return f"Demo: indexing: {describe(build)}." if build is not None else "Demo: indexing."


def _changing(look: Callable[[], Any], *, say: Say, line: Callable[[Any], str]) -> Iterator[Any]:
    """Look again and again, and tell what is new every few seconds."""
    told, told_at = "", 0.0
    while True:
        found = look()
        now, text = time.monotonic(), line(found)
        if text != told and now - told_at >= LINE_SECONDS:
            say(text)
            told, told_at = text, now
        yield found
        time.sleep(0.3)


def tell_examples(indexer: Indexer, say: Say) -> None:
    """Three searches with their best results."""
    # The search engine takes a second to load, which the crawl need not wait for.
    from backend.apps.search.asking import answer_search  # noqa: PLC0415
    from backend.apps.search.served import SERVED  # noqa: PLC0415
    from backend.apps.search.wishes import wish_of_json  # noqa: PLC0415

    try:
        served = SERVED.get(indexer)
        served.index.aids.prepare(served.index.searcher.snapshot)
        served.index.aids.wait(10.0)
        for query in EXAMPLES:
            _tell_example(json.loads(answer_search(served, wish_of_json({"q": query, "page_size": SHOWN}))), say)
    except GleanerError as error:
        say(f"The demo cannot be searched: {error.message}")


def _tell_example(answer: dict[str, Any], say: Say) -> None:
    corrected = f" (searched for “{answer['corrected']}”)" if answer["corrected"] else ""
    products = say_count(answer["index"]["documents"], "product")
    found = f"{answer['total']:,} of {products} in {answer['ms']:.1f} ms"
    say(f"  {answer['query']}{corrected}: {found}")
    for result in answer["results"]:
        price = result["fields"].get("price") or {}
        money = f"{price.get('amount', 0):,.2f} {price.get('currency') or ''}"
        say(f"    {money:>14}  {result['fields'].get('name')}  ({result['crawler']})")
