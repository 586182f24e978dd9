"""What the database itself refuses, whoever writes."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.db import IntegrityError, connection, transaction
from django.utils import timezone

from backend.apps.crawlers.models import Crawler
from backend.apps.documents.models import Document, DocumentVersion
from backend.apps.indexers.models import IndexColumn, Indexer
from backend.apps.jobs.models import Job, Placement
from backend.apps.nodes.models import Node
from backend.apps.projects.models import Membership
from backend.apps.runners.models import Runner
from backend.apps.templates.models import Inspector, Template
from tests.integration.api.conftest import World, build_world


@pytest.fixture
def world(db: Any) -> World:
    return build_world()


def _document(world: World) -> Document:
    return Document.objects.get(pk=world.ids["documents"])


WRITES: dict[str, Callable[[World], Any]] = {
    "a template without a name": lambda w: Template.objects.create(project=w.project, name=""),
    "a template name twice": lambda w: Template.objects.create(project=w.project, name="Product"),
    "a crawler name twice": lambda w: Crawler.objects.create(
        project=w.project, name="Shop", template_id=w.ids["templates"]
    ),
    "a limit of no pages": lambda w: Crawler.objects.update(max_pages=0),
    "a negative depth": lambda w: Crawler.objects.update(max_depth=-1),
    "no workers": lambda w: Crawler.objects.update(workers=0),
    "too many threads": lambda w: Crawler.objects.update(threads=10_000),
    "a time-out of nothing": lambda w: Crawler.objects.update(timeout_minutes=0),
    "an unknown lane": lambda w: Crawler.objects.update(lane="fast"),
    "an unknown strategy": lambda w: Crawler.objects.update(strategy="zfs"),
    "an unknown inspector type": lambda w: Inspector.objects.update(type="colour"),
    "two inspectors of one name": lambda w: Inspector.objects.update(name="same"),
    "two inspectors of one variable": lambda w: Inspector.objects.update(variable="same"),
    "an unknown role": lambda w: Membership.objects.update(role="king"),
    "a member twice": lambda w: Membership.objects.create(project=w.project, user=w.users["viewer"]),
    "an unknown runner status": lambda w: Runner.objects.update(status="happy"),
    "a run that ends before it starts": lambda w: Runner.objects.update(
        started_at=timezone.now(), finished_at=timezone.now() - timedelta(hours=1)
    ),
    "a run number twice": lambda w: Runner.objects.create(crawler_id=w.ids["crawlers"], number=1),
    "a second current version": lambda w: DocumentVersion.objects.create(
        document=_document(w), number=2, fields={}, sha1=b"x" * 20, extracted_at=timezone.now()
    ),
    "a document identity twice": lambda w: Document.objects.create(
        project_id=w.ids["projects"],
        crawler_id=w.ids["crawlers"],
        identity=_document(w).identity,
        url="x",
        first_seen_at=timezone.now(),
        last_seen_at=timezone.now(),
    ),
    "b above one": lambda w: Indexer.objects.update(b=1.5),
    "a negative k": lambda w: Indexer.objects.update(k=-1),
    "grams of one letter": lambda w: Indexer.objects.update(q=1),
    "two columns of one name": lambda w: IndexColumn.objects.update(name="same"),
    "a negative boost": lambda w: IndexColumn.objects.update(boost=-1),
    "an unknown job state": lambda w: Job.objects.update(state="lazy"),
    "a job of nothing": lambda w: Job.objects.create(project=w.project, kind="runner"),
    "a second open job of a runner": lambda w: Job.objects.create(
        project=w.project, kind="runner", runner_id=w.ids["runners"]
    ),
    "negative slots": lambda w: Node.objects.update(http_slots=-1),
    "an unknown node state": lambda w: Node.objects.update(state="sleepy"),
    "two live placements of a worker": lambda w: [
        Placement.objects.create(job_id=w.ids["jobs"], node_id=w.ids["nodes"], worker=1, placed_at=timezone.now())
        for _ in range(2)
    ],
}


@pytest.mark.parametrize("write", WRITES)
def test_the_database_refuses(world: World, write: str) -> None:
    with pytest.raises(IntegrityError), transaction.atomic():
        WRITES[write](world)


@pytest.mark.django_db
def test_sqlite_runs_with_the_pragmas_of_the_settings() -> None:
    if connection.vendor != "sqlite":
        pytest.skip("this database is PostgreSQL, which has no pragmas")
    with connection.cursor() as cursor:
        found = {name: cursor.execute(f"PRAGMA {name}").fetchone()[0] for name in ("foreign_keys", "synchronous")}
    assert found == {"foreign_keys": 1, "synchronous": 2}
