"""The lane of a crawl put together: plain HTTP, a browser, or both with a decision between them."""

import os
import time
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass

import psutil
from django.conf import settings

from backend.apps.crawlers.models import Lane as LaneName
from backend.apps.nodes.services import browser_slots
from backend.apps.runners.specification import needs_browser
from crawler_node.browser import (
    NO_DISPLAY,
    AutoLane,
    BrowserLane,
    BrowserOptions,
    BrowserPrograms,
    MachineSlots,
    find_programs,
    has_display,
)
from crawler_node.browser.actions import Chain, RunOn, parse_actions
from crawler_node.browser.evidence import why_browser
from crawler_node.browser.login import Login, parse_cookies
from crawler_node.contracts import FetchedPage, LogLine, PageReader, PageReading
from crawler_node.engine import CrawlSpec
from crawler_node.engine.pages import Lane
from crawler_node.errors import BrowserMissingError
from crawler_node.extract.spec import TemplateSpec
from crawler_node.fetch import HttpLane, LaneOptions, parse_allow_networks
from crawler_node.urls.scope import AddressPattern
from wording import say_count

_NO_SLOTS = (
    "This machine opens no browser, because GLEANER_BROWSER_SLOTS is 0. Set it to 1 or more, or choose the lane “http”."
)


@dataclass(frozen=True)
class OpenLane:
    """A lane, how many pages it takes at once, and what people should know about it."""

    lane: Lane
    threads: int
    notes: tuple[LogLine, ...] = ()


class ScriptHints:
    """A reader that tells people when pages over HTTP look as if only a browser could read them."""

    def __init__(self, reader: PageReader, *, is_wanted: bool) -> None:
        self._reader = reader
        self._is_wanted = is_wanted
        self.tell: Callable[[LogLine], None] = lambda _: None

    def __call__(self, page: FetchedPage) -> PageReading:
        reading = self._reader(page)
        if self._is_wanted and (sentence := why_browser(page, reading)):
            self.tell(LogLine("warning", sentence, page.url))
        return reading


@asynccontextmanager
async def open_lane(
    spec: CrawlSpec, template: TemplateSpec, reader: PageReader, *, allow_networks: Sequence[str]
) -> AsyncIterator[OpenLane]:
    """What fetches the pages of a crawl; raises SpecError where this machine lacks what the crawl needs."""
    policy = parse_allow_networks([*settings.ALLOW_NETWORKS, *allow_networks])
    options = spec.lane_options(policy=policy, version=settings.VERSION, contact=settings.CONTACT)
    async with HttpLane(options) as http:
        _give_cookies(http, spec)
        if spec.lane == LaneName.HTTP:
            yield OpenLane(http, spec.threads, (*_cookie_notes(spec), *_http_notes(spec, template)))
            return
        chosen = browser_options(spec, template, options)
        try:
            programs = machine_programs(with_window=chosen.with_window)
        except BrowserMissingError as error:
            if needs_browser(spec, template):
                raise
            note = LogLine("warning", f"Everything goes over HTTP. {error}")
            yield OpenLane(http, spec.threads, (*_cookie_notes(spec), note))
            return
        async with BrowserLane(http, programs, chosen) as browser:
            is_alone = spec.lane == LaneName.BROWSER or bool(spec.login)
            lane: Lane = browser if is_alone else AutoLane(http, browser, reader)
            notes = (*_cookie_notes(spec), *_browser_notes(spec, chosen))
            yield OpenLane(lane, chosen.slots if is_alone else spec.threads, notes)


def machine_programs(*, with_window: bool = False) -> BrowserPrograms:
    """What a browser of this machine is made of; raises BrowserMissingError where it has none or may open none."""
    if settings.BROWSER_SLOTS == 0:
        raise BrowserMissingError(_NO_SLOTS)
    return find_programs(with_window=with_window)


def machine_slots() -> MachineSlots:
    """The browsers that all workers of this machine may have open together: the operator's word, else what it bears."""
    by_itself = browser_slots(cores=psutil.cpu_count() or 1, memory_bytes=psutil.virtual_memory().total)
    count = by_itself if settings.BROWSER_SLOTS is None else settings.BROWSER_SLOTS
    return MachineSlots(settings.VAR_DIR / "run" / "browser-slots", count)


def browser_options(spec: CrawlSpec, template: TemplateSpec, options: LaneOptions) -> BrowserOptions:
    """As many browsers as the crawl has threads, out of those of the machine."""
    display = os.environ.get("DISPLAY", "")
    machine = machine_slots()
    with_window = spec.show_browser and has_display(display)
    return BrowserOptions(
        user_agent=options.user_agent,
        headers=options.headers,
        is_own=options.is_own,
        headers_in_open=options.headers_in_open,
        slots=max(1, min(spec.threads, machine.count)),
        machine=machine,
        with_window=with_window,
        with_images=with_window,
        display=display,
        deadline_seconds=options.deadline_seconds,
        lease_seconds=spec.frontier_options().page_deadline_seconds,
        max_page_bytes=options.max_body_bytes,
        chain=_chain(template),
        login=_login(spec),
        cookies=parse_cookies(spec.cookies),
    )


def _chain(template: TemplateSpec) -> Chain:
    pattern = AddressPattern(template.actions_pattern) if template.actions_pattern else None
    return Chain(parse_actions(template.actions), RunOn(template.actions_on), pattern)


def _login(spec: CrawlSpec) -> Login | None:
    if not spec.login:
        return None
    return Login(spec.login["url"], parse_actions(spec.login["actions"]), spec.login["logged_out"])


def _give_cookies(http: HttpLane, spec: CrawlSpec) -> None:
    for cookie in parse_cookies(spec.cookies):
        http.cookies.put(cookie.as_stored())


def _cookie_notes(spec: CrawlSpec) -> tuple[LogLine, ...]:
    expired = [cookie.name for cookie in parse_cookies(spec.cookies) if cookie.has_expired(time.time())]
    if not expired:
        return ()
    told = f"{say_count(len(expired), 'cookie')} of the crawler expired: {', '.join(expired[:5])}."
    return (LogLine("warning", f"{told} Sign in again in your own browser, and give the crawler its cookies anew."),)


def _http_notes(spec: CrawlSpec, template: TemplateSpec) -> tuple[LogLine, ...]:
    """Why pages may lack something in this lane."""
    wanted = [name for name, is_there in (("action chain", template.actions), ("login", spec.login)) if is_there]
    if not wanted:
        return ()
    verb, them = ("is", "it") if len(wanted) == 1 else ("are", "them")
    told = f"The lane “http” has no browser, so the {' and the '.join(wanted)} of this crawl {verb} left out."
    return (LogLine("warning", f"{told} Choose the lane “browser” or “auto” for pages that need {them}."),)


def _browser_notes(spec: CrawlSpec, chosen: BrowserOptions) -> tuple[LogLine, ...]:
    return (LogLine("warning", NO_DISPLAY),) if spec.show_browser and not chosen.with_window else ()
