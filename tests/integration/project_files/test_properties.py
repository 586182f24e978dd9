"""What must hold of every project file."""

import uuid
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings

from backend.apps.accounts.models import User
from backend.apps.project_files import export_project, import_into_project, read_json, to_json
from backend.apps.projects.models import Project
from backend.apps.projects.services import create_project
from tests.integration.project_files.strategies import project_files

pytestmark = pytest.mark.django_db
many = settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow]
)


@pytest.fixture
def owner() -> User:
    return User.objects.create_user("owner")


def _empty_project(owner: User) -> Project:
    return create_project(owner=owner, name=uuid.uuid4().hex)


def _export(project: Project) -> dict[str, Any]:
    return {**export_project(project), "name": "same"}


@many
@given(file=project_files())
def test_export_then_import_then_export_is_the_identity(owner: User, file: dict[str, Any]) -> None:
    first = _empty_project(owner)
    import_into_project(project=first, file=file)
    exported = _export(first)
    second = _empty_project(owner)
    import_into_project(project=second, file=read_json(to_json(exported)))
    assert _export(second) == exported


@many
@given(file=project_files())
def test_importing_twice_changes_nothing(owner: User, file: dict[str, Any]) -> None:
    project = _empty_project(owner)
    import_into_project(project=project, file=file)
    times = _times(project)
    report = import_into_project(project=project, file=file)
    assert not any(report.created.values())
    assert not any(report.updated.values())
    assert _times(project) == times


@many
@given(file=project_files())
def test_what_the_file_says_is_what_is_stored(owner: User, file: dict[str, Any]) -> None:
    project = _empty_project(owner)
    import_into_project(project=project, file=file)
    exported = _export(project)
    for noun in ("templates", "crawlers", "dictionaries", "indexers"):
        stored = {row["name"]: row for row in exported[noun]}
        assert len(stored) == len(file.get(noun, ()))
        for row in file.get(noun, ()):
            simple = {key: value for key, value in row.items() if key not in ("inspectors", "actions", "columns")}
            if "crawlers" in simple:  # a choice: neither order nor repetition says anything
                simple["crawlers"] = sorted(set(simple["crawlers"]))
            assert {key: stored[row["name"]][key] for key in simple} == simple


def _times(project: Project) -> list[Any]:
    nouns = (project.templates, project.crawlers, project.dictionaries, project.indexers)
    return [list(rows.order_by("pk").values_list("name", "updated_at")) for rows in nouns]
