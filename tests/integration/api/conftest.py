"""A small world: one project with everything in it, and people who stand in every relation to it."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

import pytest
from django.core.cache import cache
from django.db import transaction
from django.utils import timezone
from rest_framework.test import APIClient

from backend.apps.accounts.models import User
from backend.apps.accounts.services import issue_token
from backend.apps.documents.models import Document, DocumentVersion, Page
from backend.apps.jobs.models import Job
from backend.apps.nodes.models import Node
from backend.apps.project_files import import_into_project
from backend.apps.projects.models import Membership, Project
from backend.apps.projects.services import create_project, keep_secret
from backend.apps.runners.models import LogLine
from backend.apps.runners.services import start_runner
from backend.apps.search.models import JudgedQuery
from tests.integration.project_files.samples import SHOP_FILE

ACTORS = ("anonymous", "stranger", "viewer", "editor", "admin", "administrator")
PASSWORD = "a long enough password"


@dataclass
class World:
    users: dict[str, User]
    project: Project
    ids: dict[str, int]

    def client(self, actor: str) -> APIClient:
        client = APIClient()
        if actor != "anonymous":
            client.force_login(self.users[actor])
        return client


@pytest.fixture(autouse=True)
def _empty_cache() -> None:
    cache.clear()


@pytest.fixture
def world(db: Any) -> World:
    return build_world()


@pytest.fixture(scope="module")
def shared_world(django_db_setup: Any, django_db_blocker: Any) -> Iterator[World]:
    """One world for a whole module, whose tests roll back what they do."""
    with django_db_blocker.unblock(), transaction.atomic():
        yield build_world()
        transaction.set_rollback(True)


def build_world() -> World:
    users = {name: User.objects.create_user(name, password=PASSWORD) for name in ACTORS[1:]}
    User.objects.filter(username="administrator").update(is_superuser=True)
    users["administrator"].refresh_from_db()
    project = create_project(owner=users["admin"], name="Shops")
    for role in ("viewer", "editor"):
        Membership.objects.create(project=project, user=users[role], role=role)
    import_into_project(project=project, file=SHOP_FILE)
    return World(users, project, {**_configured(project), **_crawled(project), **_accounts(users)})


def _configured(project: Project) -> dict[str, int]:
    return {
        "projects": project.pk,
        "members": project.memberships.get(user__username="viewer").pk,
        "secrets": keep_secret(project=project, name="shop password", value="hunter2").pk,
        "templates": project.templates.get().pk,
        "crawlers": project.crawlers.get().pk,
        "indexers": project.indexers.get().pk,
        "judged-queries": JudgedQuery.objects.create(indexer=project.indexers.get(), text="ssd").pk,
        "tunings": project.indexers.get().tunings.create(seconds=9, heartbeat_at=timezone.now()).pk,
        "dictionaries": project.dictionaries.get().pk,
    }


def _crawled(project: Project) -> dict[str, int]:
    now = timezone.now()
    crawler = project.crawlers.get()
    runner = start_runner(crawler=crawler, user=None)
    page = Page.objects.create(runner=runner, key=b"k" * 16, url="http://shop.example/1", fetched_at=now)
    document = Document.objects.create(
        project=project, crawler=crawler, identity=b"i" * 20, url=page.url, first_seen_at=now, last_seen_at=now
    )
    DocumentVersion.objects.create(
        document=document, runner=runner, number=1, fields={"name": "SSD"}, sha1=b"s" * 20, extracted_at=now
    )
    LogLine.objects.create(runner=runner, at=now, message="Started.")
    job = Job.objects.get(runner=runner)
    node = Node.objects.create(name="localhost")
    return {"runners": runner.pk, "pages": page.pk, "documents": document.pk, "jobs": job.pk, "nodes": node.pk}


def _accounts(users: dict[str, User]) -> dict[str, int]:
    now = timezone.now() - timedelta(days=1)
    token, _ = issue_token(user=users["viewer"], name="script", days=30, now=now)
    return {"users": users["stranger"].pk, "tokens": token.pk}
