"""A job that takes its time, on the test database, and processes that work on that same database."""

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.parse import urlsplit, urlunsplit

import psutil
import pytest
from django.conf import settings as django_settings
from django.db import connection

from backend.apps.accounts.models import User
from backend.apps.crawlers.models import Crawler
from backend.apps.jobs.models import Job
from backend.apps.projects.services import create_project
from backend.apps.runners.services import start_runner
from backend.apps.templates.models import Inspector, Template
from backend.demo_site.options import SiteOptions
from backend.demo_site.process import SiteProcess
from backend.demo_site.throughput.pages import PREFIX

ROOT = Path(__file__).resolve().parents[3]


@pytest.fixture(scope="module")
def site() -> Iterator[SiteProcess]:
    with SiteProcess(SiteOptions(pages=5_000)) as running:
        yield running


@pytest.fixture
def job(transactional_db: None, site: SiteProcess) -> Job:
    """A crawl that waits for a second between two pages, so that it does not end by itself."""
    project = create_project(owner=User.objects.create(username="cluster"), name="Cluster")
    template = Template.objects.create(project=project, name="item")
    Inspector.objects.create(template=template, position=0, name="title", selector="//h1")
    seeds = [f"{site.url}{PREFIX}0"]
    crawler = Crawler.objects.create(project=project, name="slow", template=template, seeds=seeds, sleep_ms=1_000)
    runner = start_runner(crawler=crawler, user=None, allow_networks=[site.url.removeprefix("http://")])
    return runner.jobs.get()


@pytest.fixture
def redis_url() -> str:
    """A database of Redis for each of the processes that run tests: nodes of one name must not hear each other."""
    number = int(os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw")) + 1
    return urlunsplit(urlsplit(os.environ["GLEANER_TEST_REDIS_URL"])._replace(path=f"/{number}"))


@pytest.fixture
def process_env(
    transactional_db: None, tmp_path: Path, redis_url: str, monkeypatch: pytest.MonkeyPatch
) -> dict[str, str]:
    """For processes that work on the test database, and for what they start."""
    url = urlunsplit(urlsplit(django_settings.DATABASE_URL)._replace(path=f"/{connection.settings_dict['NAME']}"))
    values = {"GLEANER_VAR": str(tmp_path), "GLEANER_DATABASE_URL": url, "GLEANER_REDIS_URL": redis_url}
    for name, value in values.items():
        monkeypatch.setenv(name, value)
    return {**os.environ, **values}


@pytest.fixture
def start(process_env: dict[str, str], tmp_path: Path) -> Iterator[Callable[..., "subprocess.Popen[bytes]"]]:
    """Starts a management command; at the end it and all its workers are ended."""
    started: list[subprocess.Popen[bytes]] = []

    def begin(*words: str) -> "subprocess.Popen[bytes]":
        log = (tmp_path / f"{words[0]}.out").open("ab")
        command = [sys.executable, "manage.py", *words]
        started.append(subprocess.Popen(command, cwd=ROOT, env=process_env, stdout=log, stderr=log))
        log.close()
        return started[-1]

    yield begin
    for process in started:
        if process.poll() is None:
            process.terminate()
    for process in started:
        process.wait()


@pytest.fixture(autouse=True)
def _no_worker_stays(tmp_path: Path) -> Iterator[None]:
    """Whatever still works on this test's folder is ended with it."""
    yield
    mark = f"GLEANER_VAR={tmp_path}"
    for process in psutil.process_iter(["cmdline"]):
        if "--placement" in (process.info["cmdline"] or []) and mark in _environment(process):
            process.kill()


def _environment(process: psutil.Process) -> set[str]:
    try:
        return {f"{name}={value}" for name, value in process.environ().items()}
    except psutil.Error:
        return set()


@pytest.fixture
def refused_claims(transactional_db: None) -> Iterator[str]:
    """Nobody can claim a placement; the sentence with which the database says so."""
    told = "No claim today."
    with connection.cursor() as cursor:
        cursor.execute(
            "CREATE FUNCTION refuse_claims() RETURNS trigger LANGUAGE plpgsql AS"
            f" $$ BEGIN RAISE EXCEPTION '{told}'; END $$"
        )
        cursor.execute(
            "CREATE TRIGGER refuse_claims BEFORE UPDATE ON jobs_placement FOR EACH ROW"
            " WHEN (NEW.state = 'running' AND OLD.state = 'placed') EXECUTE FUNCTION refuse_claims()"
        )
    yield told
    with connection.cursor() as cursor:
        cursor.execute("DROP FUNCTION refuse_claims CASCADE")
