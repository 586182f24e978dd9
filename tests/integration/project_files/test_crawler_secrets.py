"""Secrets that leave crawlers when they are saved: each crawler keeps its own, under whatever name."""

from copy import deepcopy
from typing import Any

import pytest

from backend.apps.accounts.models import User
from backend.apps.crawlers.models import Crawler
from backend.apps.crawlers.services import duplicate_crawler, save_crawler
from backend.apps.project_files import export_project, import_into_project
from backend.apps.projects.models import Project
from backend.apps.projects.services import create_project, keep_secret
from backend.apps.runners.services import start_runner
from backend.apps.runners.specification import fill_in_secrets, read_specification

pytestmark = pytest.mark.django_db
COOKIE = {"name": "sid", "domain": "a.example", "path": "/", "secure": False}
LOGIN = {"url": "", "actions": [{"type": "type", "selector": "//input", "text": "ada"}], "logged_out": ""}


@pytest.fixture
def project() -> Project:
    return create_project(owner=User.objects.create(username="owner"), name="Shops")


def file_of(**cookies: str) -> dict[str, Any]:
    """A crawler for each name, with its value of the one cookie."""
    rows = [crawler_row(name, cookies=[{**COOKIE, "value": value}]) for name, value in cookies.items()]
    templates = [{"name": "Product", "inspectors": [{"name": "a", "selector": "//h1"}]}]
    return {"version": 1, "name": "Shops", "templates": templates, "crawlers": rows}


def crawler_row(name: str, **options: Any) -> dict[str, Any]:
    return {"name": name, "template": "Product", "seeds": ["https://a.example/"], **options}


def give(project: Project, name: str, /, **options: Any) -> None:
    crawler = project.crawlers.get(name=name)
    save_crawler(values=deepcopy(options), project=project, crawler=crawler)


def cookie_of(project: Project, name: str) -> str:
    """What a run of the crawler would send."""
    runner = start_runner(crawler=Crawler.objects.get(project=project, name=name), user=None)
    spec = fill_in_secrets(read_specification(runner).crawl, project)
    return str(spec.cookies[0]["value"])


def typed_by(project: Project, name: str) -> str:
    runner = start_runner(crawler=Crawler.objects.get(project=project, name=name), user=None)
    return str(fill_in_secrets(read_specification(runner).crawl, project).login["actions"][0]["text"])


def test_when_a_cookie_ends_is_kept_and_exported(project: Project) -> None:
    file = file_of(One="first", Two="second")
    file["crawlers"][0]["cookies"][0]["expires"] = 1_900_000_000
    import_into_project(project=project, file=file)
    ends = [[cookie.get("expires") for cookie in row["cookies"]] for row in export_project(project)["crawlers"]]
    assert ends == [[1_900_000_000], [None]]
    runner = start_runner(crawler=project.crawlers.get(name="One"), user=None)
    assert read_specification(runner).crawl.cookies[0]["expires"] == 1_900_000_000


def test_two_crawlers_keep_different_cookies_of_one_site(project: Project) -> None:
    import_into_project(project=project, file=file_of(One="first", Two="second"))
    assert (cookie_of(project, "One"), cookie_of(project, "Two")) == ("first", "second")
    give(project, "One", cookies=[{**COOKIE, "value": "third"}])
    assert (cookie_of(project, "One"), cookie_of(project, "Two")) == ("third", "second")


def test_they_travel_as_names_and_come_back_as_they_were(project: Project) -> None:
    import_into_project(project=project, file=file_of(One="first", Two="second"))
    exported = export_project(project)
    assert exported["secrets"] == ["cookie One a.example sid", "cookie Two a.example sid"]
    assert "first" not in str(exported)
    report = import_into_project(project=project, file=exported)
    assert (report.unchanged["crawlers"], report.missing_secrets) == (["One", "Two"], [])
    elsewhere = create_project(owner=project.owner, name="Elsewhere")
    assert import_into_project(project=elsewhere, file=exported).missing_secrets == exported["secrets"]
    assert not elsewhere.secrets.exists()


def test_a_file_changes_nothing_the_second_time_and_brings_a_new_value_when_it_has_one(project: Project) -> None:
    import_into_project(project=project, file=file_of(One="first", Two="second"))
    assert import_into_project(project=project, file=file_of(One="first")).unchanged["crawlers"] == ["One"]
    assert import_into_project(project=project, file=file_of(One="new")).updated["crawlers"] == ["One"]
    assert (cookie_of(project, "One"), cookie_of(project, "Two")) == ("new", "second")
    assert project.secrets.count() == 2


def test_cookies_that_shared_a_secret_go_on_until_one_gets_a_value_of_its_own(project: Project) -> None:
    keep_secret(project=project, name="cookie a.example sid", value="shared")
    import_into_project(project=project, file=file_of(One="${cookie a.example sid}", Two="${cookie a.example sid}"))
    assert (cookie_of(project, "One"), cookie_of(project, "Two")) == ("shared", "shared")
    assert import_into_project(project=project, file=file_of(One="shared")).unchanged["crawlers"] == ["One"]
    give(project, "One", cookies=[{**COOKIE, "value": "own"}])
    assert (cookie_of(project, "One"), cookie_of(project, "Two")) == ("own", "shared")


def test_a_file_may_choose_another_secret_of_the_same_value(project: Project) -> None:
    for name in ("a", "b"):
        keep_secret(project=project, name=name, value="same")
    import_into_project(project=project, file=file_of(One="${a}"))
    assert import_into_project(project=project, file=file_of(One="${b}")).updated["crawlers"] == ["One"]
    assert project.crawlers.get().cookies[0]["value"] == "${b}"


@pytest.mark.parametrize("changed", ["One", "One copy"])
def test_a_copy_shares_until_either_gets_a_value_of_its_own(project: Project, changed: str) -> None:
    import_into_project(project=project, file=file_of(One="first"))
    copy = duplicate_crawler(crawler=project.crawlers.get())
    copy.name = "One copy"
    copy.save()
    assert cookie_of(project, "One copy") == "first"
    give(project, changed, cookies=[{**COOKIE, "value": "new"}])
    found = {name: cookie_of(project, name) for name in ("One", "One copy")}
    assert found == {"One": "first", "One copy": "first", changed: "new"}


@pytest.mark.parametrize("name", ["One", "Shöp"])
def test_a_crawler_that_takes_the_old_name_of_another_leaves_its_secrets_alone(project: Project, name: str) -> None:
    file = file_of(**{name: "first"})
    file["crawlers"][0]["login"] = LOGIN
    import_into_project(project=project, file=file)
    give(project, name, name="Renamed")
    file["crawlers"][0]["cookies"][0]["value"] = "second"
    file["crawlers"][0]["login"] = {**LOGIN, "actions": [{**LOGIN["actions"][0], "text": "bob"}]}
    import_into_project(project=project, file=file)
    assert (cookie_of(project, "Renamed"), cookie_of(project, name)) == ("first", "second")
    assert (typed_by(project, "Renamed"), typed_by(project, name)) == ("ada", "bob")


def test_a_new_password_of_a_proxy_in_a_file_is_kept(project: Project) -> None:
    file = file_of(One="first")
    for password in ("hunter2", "hunter3"):
        file["crawlers"][0]["proxies"] = [f"http://me:{password}@p.example:8080"]
        import_into_project(project=project, file=file)
        assert project.secrets.get(name="proxy me p.example 8080").reveal() == password
