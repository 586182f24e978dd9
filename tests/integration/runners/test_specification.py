"""What a run does is frozen when it starts, but for what lets it in."""

from typing import Any

import pytest

from backend.apps.crawlers.services import save_crawler
from backend.apps.projects.services import keep_secret
from backend.apps.runners.models import Runner
from backend.apps.runners.services import start_runner
from backend.apps.runners.specification import crawl_as_it_is_now, fill_in_secrets, fill_in_typed
from crawler_node.engine import CrawlSpec
from crawler_node.extract.spec import parse_template
from tests.integration.runners.kept_pages import shop_crawler

pytestmark = pytest.mark.django_db
COOKIE = {"name": "sid", "domain": "a.example", "value": "new"}


def login(text: str, *, selector: str = "//input") -> dict[str, Any]:
    return {"url": "", "actions": [{"type": "type", "selector": selector, "text": text}], "logged_out": "//form"}


def edited(*, before: dict[str, Any], after: dict[str, Any]) -> CrawlSpec:
    """What a resumed run does when its crawler was changed meanwhile."""
    crawler = shop_crawler()
    save_crawler(values=before, project=crawler.project, crawler=crawler)
    runner = start_runner(crawler=crawler, user=None)
    save_crawler(values=after, project=crawler.project, crawler=crawler)
    fresh = Runner.objects.select_related("crawler__project").get(pk=runner.pk)
    return fill_in_secrets(crawl_as_it_is_now(fresh), crawler.project)


def test_a_login_that_was_mended_is_used_with_its_steps() -> None:
    spec = edited(before={"login": login("ada")}, after={"login": login("bob", selector="//input[2]"), "max_pages": 5})
    [step] = spec.login["actions"]
    assert (step["text"], step["selector"], spec.max_pages) == ("bob", "//input[2]", None)


def test_cookies_may_take_the_place_of_a_login() -> None:
    spec = edited(before={"login": login("ada")}, after={"login": {}, "cookies": [COOKIE]})
    assert (spec.login, [cookie["value"] for cookie in spec.cookies]) == ({}, ["new"])


def test_a_login_that_came_later_waits_for_the_next_run() -> None:
    assert edited(before={}, after={"login": login("ada")}).login == {}


def test_secrets_are_given_only_to_steps_that_type_them() -> None:
    project = shop_crawler().project
    keep_secret(project=project, name="pin", value="1234")
    inspectors = [{"name": "a", "selector": "//h1"}]
    actions = [
        {"type": "type", "selector": "//input", "text": "${pin}"},
        {"type": "wait_for_text", "text": "${pin}"},
    ]
    template = parse_template({"name": "t", "inspectors": inspectors, "actions": actions})
    assert [action["text"] for action in fill_in_typed(template, project).actions] == ["1234", "${pin}"]
