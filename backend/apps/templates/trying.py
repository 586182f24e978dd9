"""Selectors and templates tried in child processes before anything depends on them: a hostile one costs its budget."""

import asyncio
import atexit
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from email.utils import format_datetime
from functools import cache
from typing import Any

from django.conf import settings
from django.utils import timezone

from backend.apps.errors import FieldErrors
from crawler_node.contracts import FetchedPage, FetchFailure
from crawler_node.extract.bounded import BoundedPool
from crawler_node.extract.errors import BudgetError, BusyError, ExtractError
from crawler_node.extract.reader import answered_at
from crawler_node.extract.sample_page import is_surely_cheap, sample_page
from crawler_node.extract.trials import PageTrial
from crawler_node.fetch import HttpLane, LaneOptions, default_user_agent, parse_allow_networks

PREVIEW_SECONDS = 20.0
SAMPLE_ADDRESS = "https://sample.example/"


@dataclass(frozen=True, slots=True)
class Preview:
    """What a template makes of one page, and what fetching it took. `failure` is a sentence where there is no page."""

    url: str
    status: int | None = None
    fetch_seconds: float = 0.0
    body_bytes: int = 0
    failure: str = ""
    trial: PageTrial | None = None


@cache
def trial_pool() -> BoundedPool:
    """The children of this process; started when first needed, ended with it."""
    pool = BoundedPool(size=2)
    atexit.register(pool.close)
    return pool


def try_selectors(values: Mapping[str, Any]) -> FieldErrors:
    """A sentence for each selector of a template that takes too long on an ordinary page; checks what is there."""
    errors: FieldErrors = {}
    for path, selector in _selectors(values):
        if selector and not is_surely_cheap(selector) and (sentence := _trial_sentence(selector)):
            errors[path] = [sentence]
    return errors


def _trial_sentence(selector: str) -> str | None:
    try:
        trial_pool().try_selector(selector, sample_page(), url=SAMPLE_ADDRESS)
    except BusyError:
        return None  # the crawl's own supervisor still watches
    except BudgetError as error:
        return str(error).replace("on this page", "on an ordinary page")
    return None


def _selectors(values: Mapping[str, Any]) -> list[tuple[str, str]]:
    found = [("item_scope", values.get("item_scope", ""))]
    for place, inspector in enumerate(values.get("inspectors", ())):
        found.append((f"inspectors.{place}.selector", inspector.get("selector", "")))
        for number, fallback in enumerate(inspector.get("fallbacks", ())):
            found.append((f"inspectors.{place}.fallbacks.{number}", fallback))
    return found


def preview_html(*, template: Mapping[str, Any], html: str, url: str, links_scope: Sequence[str] = ()) -> Preview:
    """What the template makes of this markup, as if it had come from that address."""
    headers = {"content-type": "text/html; charset=utf-8", "date": format_datetime(timezone.now())}
    page = FetchedPage(url, 200, headers, html.encode("utf-8", "replace"))
    return _read(template, page, links_scope, status=None)


def preview_page(*, template: Mapping[str, Any], page: FetchedPage, links_scope: Sequence[str] = ()) -> Preview:
    """What the template makes of a page that was fetched already."""
    return _read(template, page, links_scope, status=page.status, fetch_seconds=page.load_seconds)


def preview_url(*, template: Mapping[str, Any], url: str, links_scope: Sequence[str] = ()) -> Preview:
    """What the template makes of the page at an address, fetched through the guarded door like any page of a crawl."""
    began = time.perf_counter()
    answer = asyncio.run(_fetch(url))
    seconds = time.perf_counter() - began
    if isinstance(answer, FetchFailure):
        return Preview(answer.url, answer.status, seconds, failure=answer.sentence)
    return _read(template, answer, links_scope, status=answer.status, fetch_seconds=seconds)


async def _fetch(url: str) -> FetchedPage | FetchFailure:
    options = LaneOptions(
        user_agent=default_user_agent(version=settings.VERSION, contact=settings.CONTACT),
        policy=parse_allow_networks(settings.ALLOW_NETWORKS),
        deadline_seconds=PREVIEW_SECONDS,
    )
    async with HttpLane(options) as lane:
        return await lane.fetch_following(url, types=options.page_types)


def _read(
    template: Mapping[str, Any],
    page: FetchedPage,
    links_scope: Sequence[str],
    *,
    status: int | None,
    fetch_seconds: float = 0.0,
) -> Preview:
    told = Preview(page.url, status, fetch_seconds, len(page.body))
    content_type = page.headers.get("content-type", "")
    try:
        trial = trial_pool().try_page(
            template,
            page.body,
            url=page.url,
            content_type=content_type,
            links_scope=links_scope,
            now=answered_at(page),
        )
    except ExtractError as error:
        return replace(told, failure=str(error))
    return replace(told, trial=trial)
