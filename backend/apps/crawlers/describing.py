"""A crawler as the project file and a runner's specification write it: every key."""

from typing import Any

from backend.apps.crawlers.models import Crawler
from backend.apps.crawlers.services import CRAWLER_FIELDS


def describe_crawler(crawler: Crawler) -> dict[str, Any]:
    return {field: getattr(crawler, field) for field in CRAWLER_FIELDS} | {"template": crawler.template.name}
