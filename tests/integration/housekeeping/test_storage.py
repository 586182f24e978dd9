"""What a project holds."""

import os

import pytest
from rest_framework.test import APIClient

from backend.apps.documents.models import PageContent
from backend.apps.housekeeping import storage
from backend.apps.housekeeping.storage import storage_of
from tests.integration.runners.kept_pages import crawl, shop_crawler

pytestmark = pytest.mark.django_db
PAGES = {f"/{number}": f"<h2>SSD {number}</h2>" for number in range(20)}


def test_rows_are_counted_and_bytes_estimated_by_kind() -> None:
    crawler = shop_crawler()
    crawl(crawler, PAGES)
    found = {figure.kind: figure for figure in storage_of(crawler.project)}
    rows = {kind: figure.rows for kind, figure in found.items()}
    assert rows == {"documents": 20, "versions": 20, "pages": 21, "page_contents": 21, "frontier": 21, "log": 0}
    assert not any(figure.is_estimate for figure in found.values())
    PageContent.objects.update(raw=os.urandom(10_000))
    heavier = {figure.kind: figure.bytes for figure in storage_of(crawler.project)}
    assert 200_000 < heavier["page_contents"] < 260_000
    assert heavier["documents"] > 20 * 20


def test_where_there_are_too_many_rows_the_runs_own_counts_tell(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(storage, "COUNTED_ROWS", 10)
    crawler = shop_crawler()
    crawl(crawler, PAGES)
    found = {figure.kind: figure for figure in storage_of(crawler.project)}
    assert {kind: figure.rows for kind, figure in found.items() if figure.is_estimate} == {
        "documents": 20,
        "versions": 20,
        "pages": 21,
        "page_contents": 21,
        "frontier": 21,
    }


def test_an_empty_project_holds_nothing_and_other_projects_do_not_count() -> None:
    crawler = shop_crawler()
    crawl(crawler, PAGES)
    from backend.apps.projects.services import create_project

    other = create_project(owner=crawler.project.owner, name="Empty")
    assert {(figure.rows, figure.bytes) for figure in storage_of(other)} == {(0, 0)}


def test_the_api_tells_the_figures_and_their_sums() -> None:
    crawler = shop_crawler()
    crawl(crawler, PAGES)
    client = APIClient()
    client.force_login(crawler.project.owner)
    answer = client.get(f"/api/v1/projects/{crawler.project_id}/storage").json()
    assert answer["rows"] == sum(kind["rows"] for kind in answer["kinds"]) == 103
    assert answer["bytes"] == sum(kind["bytes"] for kind in answer["kinds"]) > 0
