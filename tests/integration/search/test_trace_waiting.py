"""A trace tells of a page that waits what it waits for."""

import pytest

from backend.apps.runners.crawl_store import SqlCrawlStore
from backend.apps.runners.models import CrawlUrl
from backend.apps.search.trace.fetching import tell_fetch
from backend.apps.search.trace.steps import Trace
from crawler_node.engine import CrawlSpec
from crawler_node.frontier import FrontierOptions
from crawler_node.frontier.suspects import SUSPECT_AFTER
from tests.contracts.crawl_store import candidate
from tests.integration.runners.test_sql_crawl_store import make_runner

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("deaths", "told"),
    [
        (0, "It waits for its turn in run 1 (new)."),
        (
            SUSPECT_AFTER,
            "Its last 2 workers broke off before an answer came. It waits until the other pages of run 1 are done,"
            " and is then tried alone.",
        ),
    ],
)
def test_what_a_page_waits_for(deaths: int, told: str) -> None:
    runner = make_runner()
    store = SqlCrawlStore(runner, FrontierOptions(respect_robots=False))
    store.plant([candidate("/a")])
    for _ in range(deaths):
        store.lease(worker="w", limit=1)
        store.release(worker="w")
    trace = Trace("https://site.example/a")
    spec = CrawlSpec.from_json({"seeds": ["https://site.example"]})
    assert tell_fetch(trace, CrawlUrl.objects.get(runner=runner), runner, spec) is None
    assert trace.steps[0]["sentence"] == told
