"""Which secrets crawlers name, so that none of them overwrites another's."""

from collections.abc import Iterator, Mapping
from typing import Any

from backend.apps.crawlers.models import Crawler
from backend.apps.sentences import secret_names

FIELDS = ("proxies", "headers", "login", "cookies")


def texts_with_secrets(crawler: Mapping[str, Any]) -> Iterator[str]:
    """The texts of a crawler, as the project file writes it, in which `${name}` stands for a secret."""
    yield from crawler.get("proxies", ())
    yield from crawler.get("headers", {}).values()
    yield from (str(action.get("text", "")) for action in crawler.get("login", {}).get("actions", ()))
    yield from (str(cookie.get("value", "")) for cookie in crawler.get("cookies", ()))


def secrets_of_others(crawler: Crawler) -> set[str]:
    """The names of secrets that other crawlers of its project use."""
    others = Crawler.objects.filter(project=crawler.project_id).exclude(pk=crawler.pk).values(*FIELDS)
    return {name for other in others for text in texts_with_secrets(other) for name in secret_names(text)}
