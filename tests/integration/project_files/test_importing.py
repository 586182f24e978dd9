"""Importing by hand-written files: merging, refusing, secrets."""

from copy import deepcopy
from typing import Any

import pytest

from backend.apps.accounts.models import User
from backend.apps.errors import Invalid
from backend.apps.project_files import export_project, import_into_project, import_project
from backend.apps.projects.models import Project
from backend.apps.projects.services import create_project
from tests.integration.project_files.samples import SHOP_FILE

pytestmark = pytest.mark.django_db


@pytest.fixture
def owner() -> User:
    return User.objects.create_user("owner")


@pytest.fixture
def project(owner: User) -> Project:
    project = create_project(owner=owner, name="Shops")
    import_into_project(project=project, file=SHOP_FILE)
    return project


def _refusal(file: Any, project: Project) -> dict[str, list[str]]:
    before = export_project(project)
    with pytest.raises(Invalid) as caught:
        import_into_project(project=project, file=file)
    assert export_project(project) == before, "a refused file must change nothing"
    return caught.value.fields


def test_makes_the_project_that_the_file_names(owner: User) -> None:
    report = import_project(owner=owner, file=SHOP_FILE)
    assert report.created["crawlers"] == ["Shop"]
    assert Project.objects.get(pk=report.project).name == "Shops"
    assert import_project(owner=owner, file=SHOP_FILE).project == report.project


def test_the_smallest_crawler_is_a_seed_and_a_template(project: Project) -> None:
    crawler = project.crawlers.get()
    assert (crawler.lane, crawler.strategy, crawler.respect_robots, crawler.max_pages) == ("auto", "bfs", True, None)


def test_a_part_that_the_file_leaves_out_stays(project: Project) -> None:
    file = {
        "version": 1,
        "name": "x",
        "templates": [{"name": "Product", "inspectors": [{"name": "name", "selector": "//b"}]}],
    }
    report = import_into_project(project=project, file=file)
    assert report.updated["templates"] == ["Product"]
    inspectors = project.templates.get().inspectors.all()
    assert [(row.name, row.selector, row.required) for row in inspectors] == [
        ("name", "//b", True),
        ("price", ".//*[@class='price']", False),
    ]


def test_an_inspector_keeps_its_row_so_that_indexers_keep_it(project: Project) -> None:
    before = project.templates.get().inspectors.get(name="name").pk
    import_into_project(
        project=project,
        file={
            "version": 1,
            "name": "x",
            "templates": [{"name": "Product", "inspectors": [{"name": "name", "selector": "//b"}]}],
        },
    )
    assert project.templates.get().inspectors.get(name="name").pk == before


@pytest.mark.parametrize(
    ("change", "path", "told"),
    [
        (lambda file: file.update(templats=[]), "templats", "Did you mean “templates”?"),
        (lambda file: file["crawlers"][0].update(max_page=3), "crawlers.0.max_page", "Did you mean “max_pages”?"),
        (lambda file: file["crawlers"][0].update(max_pages=0), "crawlers.0.max_pages", "minimum"),
        (lambda file: file["crawlers"][0].update(max_pages="ten"), "crawlers.0.max_pages", "ten"),
        (lambda file: file["crawlers"][0].update(lane="fast"), "crawlers.0.lane", "auto, http, browser"),
        (lambda file: file["crawlers"][0].update(template="Nope"), "crawlers.0.template", "Known: “Product”"),
        (lambda file: file["crawlers"][0].update(seeds=["ftp://x/"]), "crawlers.0.seeds.0", "http"),
        (lambda file: file["crawlers"][0].pop("seeds"), "crawlers.0", "“seeds” is missing"),
        (
            lambda file: file["templates"][0]["inspectors"][0].update(selector="//h1["),
            "templates.0.inspectors.0.selector",
            "(at character",
        ),
        (
            lambda file: file["templates"][0]["inspectors"][0].update(cleanup=[{"pattern": "("}]),
            "templates.0.inspectors.0.cleanup.0.pattern",
            "(",
        ),
        (
            lambda file: file["templates"][0]["inspectors"][0].update(variable="1x"),
            "templates.0.inspectors.0.variable",
            "not a variable name",
        ),
        (
            lambda file: file["templates"][0]["inspectors"][1].update(name="name"),
            "templates.0.inspectors.1.name",
            "twice",
        ),
        (
            lambda file: file["templates"][0]["actions"][1].pop("seconds"),
            "templates.0.actions.1",
            "“seconds” is missing",
        ),
        (
            lambda file: file["templates"][0]["actions"][1].update(second=1),
            "templates.0.actions.1.second",
            "Did you mean “seconds”?",
        ),
        (
            lambda file: file["templates"][0]["actions"][1].update(type="sleep"),
            "templates.0.actions.1.type",
            "not an action",
        ),
        (lambda file: file["templates"][0].update(name="a\x00b"), "templates.0.name", "cannot be stored"),
        (lambda file: file["templates"].append(file["templates"][0]), "templates.1.name", "stands twice"),
        (lambda file: file["indexers"][0].update(formula="1/prise"), "indexers.0.formula", "price"),
        (lambda file: file["indexers"][0].update(formula="1/("), "indexers.0.formula", "(at character"),
        (lambda file: file["indexers"][0].update(dictionary="Nope"), "indexers.0.dictionary", "no dictionary “Nope”"),
        (
            lambda file: file["indexers"][0]["columns"][0].update(sources=["Product.nope"]),
            "indexers.0.columns.0.sources.0",
            "known: Product.name, Product.price",
        ),
        (lambda file: file["indexers"][0].update(weights={"luck": 1}), "indexers.0.weights", "luck"),
        (lambda file: file["indexers"][0].update(stop_words=["/(/"]), "indexers.0.stop_words.0", "read: missing )"),
        (lambda file: file["dictionaries"][0].update(entries=["Acme, many"]), "dictionaries.0.entries", "Line 1"),
        (lambda file: file.update(version=99), "version", "Update Gleaner"),
    ],
)
def test_a_mistake_is_refused_by_its_path_with_the_remedy(project: Project, change: Any, path: str, told: str) -> None:
    file = deepcopy(SHOP_FILE)
    change(file)
    # other names, so that nothing counts as unchanged
    file["crawlers"][0]["description"] = file["indexers"][0]["description"] = "changed"
    fields = _refusal(file, project)
    assert told in " ".join(fields[path]), fields


@pytest.mark.parametrize("file", [[], "text", None, 7])
def test_what_is_no_object_is_refused(project: Project, file: Any) -> None:
    assert "JSON object" in _refusal(file, project)[""][0]


def test_secrets_travel_as_names_only(project: Project) -> None:
    crawler = deepcopy(SHOP_FILE["crawlers"][0]) | {"proxies": ["http://me:hunter2@p.example:8080"]}
    report = import_into_project(project=project, file={"version": 1, "name": "x", "crawlers": [crawler]})
    assert report.missing_secrets == []
    exported = export_project(project)
    assert exported["secrets"] == ["proxy me p.example 8080"]
    assert "hunter2" not in str(exported)
    assert project.secrets.get().reveal() == "hunter2"


def test_a_file_with_a_proxy_password_can_be_imported_twice(project: Project) -> None:
    crawler = deepcopy(SHOP_FILE["crawlers"][0]) | {"proxies": ["http://me:hunter2@p.example:8080"]}
    file = {"version": 1, "name": "x", "crawlers": [crawler]}
    import_into_project(project=project, file=file)
    assert import_into_project(project=project, file=file).unchanged["crawlers"] == ["Shop"]


def test_secrets_that_are_missing_here_are_named(owner: User, project: Project) -> None:
    actions = [{"type": "type", "selector": "//input", "text": "${shop password}"}]
    file = {"version": 1, "name": "x", "templates": [{"name": "Product", "actions": actions}]}
    assert import_into_project(project=project, file=file).missing_secrets == ["shop password"]
