"""Writes of crawlers."""

import re
from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import unquote, urlsplit

from django.db import transaction

from backend.apps.crawlers.logins import take_out_cookies, take_out_typed
from backend.apps.crawlers.models import Crawler
from backend.apps.crawlers.secrets import secrets_of_others
from backend.apps.crawlers.validation import check_crawler
from backend.apps.errors import Invalid
from backend.apps.naming import check_name, copy_name
from backend.apps.projects.models import Project
from backend.apps.projects.services import keep_secret
from backend.apps.sentences import SECRET

CRAWLER_FIELDS = (
    *("name", "description", "template", "seeds", "links_scope", "allow", "exclude", "max_pages", "max_documents"),
    *("max_depth", "workers", "threads", "sleep_ms", "retry", "timeout_minutes", "robots_url", "respect_robots"),
    *("strategy", "lane", "show_browser", "same_site", "sitemap", "proxies", "user_agent", "headers"),
    *("keep_pages", "keep_pages_mb", "canonical_links", "addresses", "page_text", "login", "cookies"),
    *("prefer", "limits"),
)


@transaction.atomic
def save_crawler(*, values: Mapping[str, Any], project: Project, crawler: Crawler | None = None) -> Crawler:
    """Make a crawler, or change the given one.

    Passwords inside proxy addresses, what a login types and the values of cookies move into the project's secrets.
    """
    if errors := check_crawler(values):
        raise Invalid(errors)
    template = values.get("template")
    if template is not None and template.project_id != project.pk:
        raise Invalid({"template": ["This project has no such template."]})
    crawler = crawler or Crawler(project=project)
    for field in CRAWLER_FIELDS:
        if field in values:
            setattr(crawler, field, values[field])
    crawler.proxies, passwords = take_out_passwords(crawler.proxies)
    taken = secrets_of_others(crawler) if crawler.login or crawler.cookies else set()
    crawler.login, typed = take_out_typed(crawler.login, of=crawler.name, taken=taken)
    crawler.cookies, cookies = take_out_cookies(crawler.cookies, of=crawler.name, taken=taken)
    for name, value in {**passwords, **typed, **cookies}.items():
        keep_secret(project=project, name=name, value=value)
    check_name(crawler)
    crawler.save()
    return crawler


def take_out_passwords(proxies: Sequence[str]) -> tuple[list[str], dict[str, str]]:
    """The addresses with `${name}` in place of passwords, and the passwords by those names."""
    addresses, passwords = [], {}
    for proxy in proxies:
        address, name, password = _split_password(proxy.strip())
        addresses.append(address)
        if password:
            passwords[name] = password
    return addresses, passwords


def _split_password(proxy: str) -> tuple[str, str, str]:
    """`http://user:password@host:1` becomes `http://user:${proxy user host 1}@host:1`."""
    url = urlsplit(proxy)
    if not url.password or SECRET.fullmatch(url.password):
        return proxy, "", ""
    name = re.sub(r"[^A-Za-z0-9 ._-]", "-", f"proxy {url.username} {url.hostname} {url.port}")[:100]
    address = url.netloc.rpartition("@")[2]
    return f"{url.scheme}://{url.username}:${{{name}}}@{address}", name, unquote(url.password)


def duplicate_crawler(*, crawler: Crawler) -> Crawler:
    names = Crawler.objects.filter(project=crawler.project).values_list("name", flat=True)
    values = {field: getattr(crawler, field) for field in CRAWLER_FIELDS}
    values["name"] = copy_name(crawler.name, set(names))
    return save_crawler(values=values, project=crawler.project)
