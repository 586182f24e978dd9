"""The secrets that a project file refers to: their names travel, their values never do."""

from collections.abc import Iterator
from typing import Any

from backend.apps.sentences import secret_names


def needed_secrets(file: dict[str, Any]) -> list[str]:
    """The names referred to as `${name}` where a crawl fills secrets in: proxies, headers, cookies, typed texts."""
    return sorted({name for text in _texts_with_secrets(file) for name in secret_names(text)})


def _texts_with_secrets(file: dict[str, Any]) -> Iterator[str]:
    for crawler in file.get("crawlers", ()):
        yield from crawler.get("proxies", ())
        yield from crawler.get("headers", {}).values()
        yield from (action.get("text", "") for action in crawler.get("login", {}).get("actions", ()))
        yield from (cookie.get("value", "") for cookie in crawler.get("cookies", ()))
    for template in file.get("templates", ()):
        for action in template.get("actions", ()):
            yield action.get("text", "")
