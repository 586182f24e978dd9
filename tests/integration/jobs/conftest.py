"""A runner's job on this machine, as the head node finds it."""

import pytest
from django.utils import timezone

from backend.apps.jobs.models import Job
from backend.apps.jobs.services import submit_runner
from backend.apps.nodes.services import register_localhost
from backend.apps.runners.crawl_store import SqlCrawlStore
from crawler_node.frontier import FrontierOptions
from tests.contracts.crawl_store import candidate
from tests.integration.runners.test_sql_crawl_store import make_runner


@pytest.fixture
def job(db: None) -> Job:
    runner = make_runner()
    SqlCrawlStore(runner, FrontierOptions()).plant([candidate("/a"), candidate("/b")])
    register_localhost(version="1", now=timezone.now())
    return submit_runner(runner=runner, workers=1, needs_browser=False, now=timezone.now())
