"""The secrets that a project file refers to: their names travel, their values never do."""

import json
from collections.abc import Iterator, Mapping
from typing import Any

from backend.apps.crawlers.secrets import texts_with_secrets
from backend.apps.projects.encryption import WrongKeyError
from backend.apps.projects.models import Project
from backend.apps.sentences import SECRET, secret_names


def needed_secrets(file: dict[str, Any]) -> list[str]:
    """The names referred to as `${name}` where a crawl fills secrets in: proxies, headers, cookies, typed texts."""
    return sorted({name for text in _texts_with_secrets(file) for name in secret_names(text)})


def _texts_with_secrets(file: dict[str, Any]) -> Iterator[str]:
    for crawler in file.get("crawlers", ()):
        yield from texts_with_secrets(crawler)
    for template in file.get("templates", ()):
        for action in template.get("actions", ()):
            yield action.get("text", "")


def is_stored(part: Any, values: Mapping[str, str], *, stored: Any, project: Project) -> bool:
    """Whether a part of a file, with `values` taken out of it, is what is stored: whatever its secrets are called.

    A secret that the file itself names must have that name; one that it gives as plain text must have that value.
    """
    named = _names_in(part) - values.keys()
    known = {name: value for name in _names_in(stored) - named if (value := _value_of(name, project)) is not None}
    return bool(_fill_in(part, values) == _fill_in(stored, known))


def _value_of(name: str, project: Project) -> str | None:
    """None also where it cannot be read: then it is as good as missing, and the file's may replace it."""
    secret = project.secrets.filter(name=name).first()
    try:
        return secret.reveal() if secret is not None else None
    except WrongKeyError:
        return None


def _names_in(part: Any) -> set[str]:
    return set(secret_names(json.dumps(part, ensure_ascii=False)))


def _fill_in(part: Any, values: Mapping[str, str]) -> Any:
    """The part with the known values in place of their names."""
    if isinstance(part, str):
        return SECRET.sub(lambda found: values.get(found[1], found[0]), part)
    if isinstance(part, list):
        return [_fill_in(each, values) for each in part]
    return {name: _fill_in(each, values) for name, each in part.items()} if isinstance(part, dict) else part
