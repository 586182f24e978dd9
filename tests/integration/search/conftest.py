"""One shop with a built index, and a way to ask it over HTTP."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.core.cache import cache
from rest_framework.test import APIClient

from backend.apps.accounts.models import User
from backend.apps.indexers.models import Indexer
from backend.apps.search.open_indexes import OPEN_INDEXES
from backend.apps.search.served import SERVED
from tests.integration.search.shelf import build_index, make_project


@pytest.fixture(autouse=True)
def _unhurried(monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine that is held up for a moment must not make a search fail that takes milliseconds."""
    for name in ("asked.DEADLINE_SECONDS", "similar.DEADLINE_SECONDS", "lab.evaluating.QUERY_SECONDS"):
        monkeypatch.setattr(f"backend.apps.search.{name}", 600.0)


@pytest.fixture
def var(tmp_path: Path, settings: Any) -> Iterator[Path]:
    """Index files go here; what this process opened is let go afterwards."""
    settings.VAR_DIR = tmp_path
    cache.clear()
    yield tmp_path
    OPEN_INDEXES.close_all()
    SERVED.clear()


@pytest.fixture
def indexer(db: Any, var: Path) -> Indexer:
    """Not built yet."""
    return make_project().indexers.get()


@pytest.fixture
def shop(indexer: Indexer) -> Indexer:
    """Built, with suggestions ready."""
    build_index(indexer)
    index = SERVED.get(indexer).index
    index.aids.prepare(index.searcher.snapshot)
    assert index.aids.wait(120)
    return indexer


@pytest.fixture
def owner(indexer: Indexer) -> APIClient:
    client = APIClient()
    client.force_login(User.objects.get(username="owner"))
    return client
