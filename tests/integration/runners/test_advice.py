"""What a template allows but probably does not mean is known when its run starts."""

import pytest

from backend.apps.runners.services import start_runner
from backend.apps.templates.trying import preview_html
from tests.integration.runners.kept_pages import shop_crawler

pytestmark = pytest.mark.django_db
NO_HISTORY = "No inspector is a key, so items on one page have no history from run to run."


def test_items_without_a_key_have_no_history_and_the_log_says_so() -> None:
    runner = start_runner(crawler=shop_crawler(item_scope="//li"), user=None)
    assert list(runner.log.values_list("level", "message")) == [("info", NO_HISTORY)]


def test_a_template_with_nothing_odd_leaves_the_log_empty() -> None:
    assert not start_runner(crawler=shop_crawler(keys=True, item_scope="//li"), user=None).log.exists()


def test_a_preview_says_it_too() -> None:
    template = {"name": "t", "item_scope": "//li", "inspectors": [{"name": "name", "selector": ".//b"}]}
    found = preview_html(template=template, html="<ul><li><b>One</b></ul>", url="http://shop.example/").trial
    assert found is not None
    assert [notice.sentence for notice in found.extraction.notices] == [NO_HISTORY]
