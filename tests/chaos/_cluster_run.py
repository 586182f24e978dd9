"""One cluster, and crawls on it that are disturbed."""

import os
import random
import secrets
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from cryptography.fernet import Fernet

from backend.bootstrap.servers.ports import private_free
from backend.demo_site.throughput.pages import PREFIX, item_fields
from tests.chaos._cluster_faults import Deck, Faults, kinds_on
from tests.chaos._cluster_hosts import NODES, Hosts
from tests.chaos._cluster_processes import ROOT, Processes
from tests.chaos._cluster_servers import Postgres, Redis

HEADS = ("head-1", "head-2")
PATIENCE_SECONDS = 400.0
RUN_SECONDS = 1_200.0
HONEST_AFTER_SECONDS = 15.0


@dataclass
class Report:
    runs: int = 0
    faults: int = 0
    lost: int = 0
    doubled: int = 0
    lies: int = 0
    processes_left: int = 0
    hosts: str = ""
    seconds: list[int] = field(default_factory=list)
    told: list[str] = field(default_factory=list)
    by_kind: dict[str, int] = field(default_factory=dict)


class Cluster:
    """A context: inside it the cluster stands, with three nodes that joined by invitation."""

    def __init__(
        self, hosts: Hosts, folder: Path, *, pages: int, seed: int, sleep_ms: int = 0, first: Sequence[str] = ()
    ) -> None:
        self._hosts, self._pages, self._sleep_ms = hosts, pages, sleep_ms
        self._chance = random.Random(seed)
        self._deck = Deck(kinds_on(hosts), self._chance, first=first)
        self._postgres, self._redis = Postgres(hosts, folder), Redis(hosts)
        self._site = f"{hosts.addresses['site']}:{private_free()}"
        self._web = f"{hosts.addresses['db']}:{private_free()}"
        os.environ |= {
            "GLEANER_VAR": str(folder / "head"),
            "GLEANER_DATABASE_URL": self._postgres.url,
            "GLEANER_REDIS_URL": self._redis.url,
            "GLEANER_SECRET_KEY": secrets.token_urlsafe(40),
            "GLEANER_ENCRYPTION_KEY": Fernet.generate_key().decode(),
            "GLEANER_ALLOW_NETWORKS": self._site,
            "GLEANER_HTTP_SLOTS": "0",
            "GLEANER_LOG_LEVEL": "WARNING",
        }
        self._processes = Processes(hosts, folder, dict(os.environ))

    def __enter__(self) -> Self:
        with ExitStack() as standing:
            self._postgres.start()
            standing.callback(self._postgres.stop)
            self._redis.start()
            standing.callback(self._redis.stop)
            standing.callback(self._processes.stop_all)
            self._set_up()
            self._standing = standing.pop_all()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        from django.db import connection

        connection.close()
        self._standing.close()

    def _set_up(self) -> None:
        import django

        subprocess.run([sys.executable, "manage.py", "migrate", "-v0"], cwd=ROOT, check=True)
        django.setup()
        self._invite()
        self._processes.start_site(pages=self._pages, port=int(self._site.rpartition(":")[2]))
        self._processes.start_web(port=int(self._web.rpartition(":")[2]))
        for head in HEADS:
            self._processes.start_head(head)
        for node in NODES:
            self._processes.start_agent(node)
        self._wait(self._eyes().are_nodes_up, "that the nodes join")
        self._wait(self._eyes().is_web_ready, "that the web is ready")

    def run(self, report: Report, *, workers: int, faults: int, patience_seconds: float) -> None:
        """One crawl; whatever is found wrong is added to the report.

        What a fault made wrong must be put right in time, and on a busy machine in some seconds of patience more.
        """
        began, chance = time.monotonic(), self._chance
        runner = self._submit(workers=workers, name=f"chaos {report.runs}")
        breaking = Faults(
            self._hosts, self._processes, self._postgres, self._redis, deck=self._deck, chance=self._chance
        )
        deadline = time.monotonic() + RUN_SECONDS
        self._wait(lambda: self._is_over(runner) or self._has_begun(runner), "that the crawl begins")
        while not self._is_over(runner) and time.monotonic() < deadline:
            if sum(breaking.done.values()) >= faults:
                time.sleep(0.5)
                continue
            time.sleep(chance.uniform(0.5, 4.0))
            breaking.one()
            time.sleep(HONEST_AFTER_SECONDS)
            self._judge_states(report, breaking, patience_seconds=patience_seconds)
            breaking.mend()
        breaking.mend()
        self._judge_results(report, runner)
        report.runs += 1
        report.seconds.append(round(time.monotonic() - began))
        report.faults += sum(breaking.done.values())
        report.by_kind = dict(Counter(report.by_kind) + breaking.done)

    def processes_left(self) -> int:
        deadline = time.monotonic() + PATIENCE_SECONDS
        while (left := self._processes.left()) and time.monotonic() < deadline:
            time.sleep(0.5)
        for process in left:
            process.kill()
        return len(left)

    # --- parts

    def _invite(self) -> None:
        from django.conf import settings

        from backend.apps.nodes.join_token import JoinToken, with_login
        from backend.apps.nodes.services import invite_node

        for node in NODES:
            login = invite_node(name=node)
            url = with_login(settings.DATABASE_URL, user=login.role, password=login.password)
            keys = ",".join(settings.ENCRYPTION_KEYS)
            self._processes.tokens[node] = JoinToken(node, login.token, url, settings.REDIS_URL, keys).encode()

    def _submit(self, *, workers: int, name: str) -> int:
        from backend.apps.accounts.models import User
        from backend.apps.crawlers.models import Crawler
        from backend.apps.project_files import import_project
        from backend.apps.runners.services import start_runner

        owner, _ = User.objects.get_or_create(username="chaos")
        inspector = {"name": "sku", "selector": "//dd[@class='sku']", "key": True, "required": True}
        crawler = {"name": "bulk", "template": "item", "seeds": [f"http://{self._site}{PREFIX}0"]}
        crawler["sleep_ms"] = self._sleep_ms
        templates = [{"name": "item", "inspectors": [inspector]}]
        file = {"version": 1, "name": name, "templates": templates, "crawlers": [crawler]}
        project = import_project(owner=owner, file=file).project
        runner = start_runner(crawler=Crawler.objects.get(project=project), user=None, workers=workers)
        return runner.pk

    def _eyes(self, cut: frozenset[str] = frozenset()) -> Any:
        from tests.chaos._cluster_eyes import Eyes

        return Eyes(self._processes, cut, web=self._web)

    def _is_over(self, runner: int) -> bool:
        return bool(self._eyes().status_of(runner) in ("completed", "exit"))

    def _has_begun(self, runner: int) -> bool:
        return bool(self._eyes().pages_of(runner))

    def _judge_states(self, report: Report, breaking: Faults, *, patience_seconds: float) -> None:
        lies = self._eyes(frozenset(breaking.cut)).lies(patience_seconds=patience_seconds)
        report.lies += len(lies)
        report.told += [f"after {breaking.last}: {lie}" for lie in sorted(lies)]

    def _judge_results(self, report: Report, runner: int) -> None:
        found = self._eyes().results_of(runner)
        wanted = Counter(item_fields(number)["sku"] for number in range(self._pages))
        pages = {url.partition(PREFIX)[2] for url in found["pages"]}
        documents = Counter(found["documents"])
        lost = len({str(number) for number in range(self._pages)} - pages) + (wanted - documents).total()
        lost += found["open"] + found["failed"] + (found["status"] != "completed")
        doubled = (documents - wanted).total() + found["copies"]
        report.lost += lost
        report.doubled += doubled
        if lost or doubled:
            report.told.append(
                f"run {report.runs}: {lost} lost, {doubled} doubled, {found['status']}: {found['reason']}"
            )

    def _wait(self, is_so: Any, what: str) -> None:
        deadline = time.monotonic() + PATIENCE_SECONDS
        while not is_so():
            assert time.monotonic() < deadline, f"{what} did not happen in time"
            time.sleep(0.3)
