"""The lane that chooses itself: plain HTTP wherever a browser shows no more, decided by evidence for each kind of page.

Of each kind (addresses of one shape) the first pages are fetched both ways and read both ways. Where the rendered page
gives more documents, fields or links, or scripts or the steps of an action chain change what is read, or a script leads
on to another page that gives as much, pages of that kind go to the browser from then on; elsewhere they stay on HTTP,
and now and then one is looked at both ways again. All that has a budget, but for the first page of a kind that gave
nothing over HTTP and seems to be drawn by scripts: no kind is left empty for want of a look.
"""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace

from crawler_node.browser.door import Manners
from crawler_node.browser.evidence import (
    Yield,
    changes,
    compare,
    differs,
    leads_to_more,
    looks_scripted,
    scripts_differ,
    why_browser,
    yield_of,
)
from crawler_node.browser.lane import Answer, BrowserLane
from crawler_node.contracts import Failure, FetchedPage, FetchFailure, Lease, LogLine, PageReader, Redirect, TargetKind
from crawler_node.errors import BrowserBusyError
from crawler_node.fetch.http import HttpLane
from crawler_node.traps.shapes import kind_of

FIRST_SAMPLES = 2
# After so many pages of a kind one more is looked at both ways; then after ten times as many.
_NEXT_SAMPLE_AT = 50
_MAX_KINDS = 10_000
_MAX_SAMPLED_SHARE = 0.02
_FREE_SAMPLES = 40
# A kind of which a browser can show nothing is left to HTTP after so many tries.
_MAX_TRIES = 5
# Who waits longer for another page of the kind to be looked at gives its lease back.
_WAIT_SECONDS = 60.0


@dataclass(slots=True)
class _Kind:
    """What is known of one kind of page: `samples` of it a browser has shown, in so many `tries`."""

    pages: int = 0
    samples: int = 0
    tries: int = 0
    next_sample_at: int = _NEXT_SAMPLE_AT
    uses_browser: bool = False
    sampling: asyncio.Lock = field(default_factory=asyncio.Lock)

    @property
    def is_due(self) -> bool:
        """Whether one of its pages should be looked at both ways."""
        is_new = self.samples < FIRST_SAMPLES and self.tries < _MAX_TRIES
        return is_new or self.pages >= self.next_sample_at

    def tried(self) -> None:
        self.tries += 1
        if self.pages >= self.next_sample_at:
            self.next_sample_at *= 10


class AutoLane:
    """HTTP and a browser behind one door. Robots and sitemaps go over HTTP.

    `tell` is given a line for the runner's log at every decision; `ask_again` is awaited before a page is asked for a
    second time, so that its host gets its rest.
    """

    def __init__(self, http: HttpLane, browser: BrowserLane, reader: PageReader) -> None:
        self._http = http
        self._browser = browser
        self._reader = reader
        self._kinds: dict[tuple[str, bool], _Kind] = {}
        self._pages = self._samples = 0
        self._has_left_out = False
        self.ask_again: Callable[[Lease], Awaitable[None]] = _rest
        self.cookies = http.cookies
        self.fetch_following = http.fetch_following

    @property
    def tell(self) -> Callable[[LogLine], None]:
        """Where lines for the runner's log go."""
        return self._browser.tell

    @tell.setter
    def tell(self, tell: Callable[[LogLine], None]) -> None:
        self._browser.tell = tell

    @property
    def manners_of(self) -> Callable[[Lease], Manners]:
        """Whether and when the browser's documents may be asked for."""
        return self._browser.manners_of

    @manners_of.setter
    def manners_of(self, manners_of: Callable[[Lease], Manners]) -> None:
        self._browser.manners_of = manners_of

    def uses_browser(self, lease: Lease) -> bool:
        """Whether a browser is asked for this page and for nothing before it."""
        kind = self._kinds.get(self._name(lease))
        return kind is not None and kind.uses_browser and self._browser.uses_browser(lease)

    async def fetch(self, lease: Lease) -> Answer:
        """The page of a lease, in the lane that the evidence speaks for."""
        if lease.kind is TargetKind.SITEMAP:
            return await self._http.fetch(lease)
        kind = self._kind(lease)
        if kind.uses_browser or self._browser.has_kept(lease.url):
            return await self._browser.fetch(lease)
        answer = await self._http.fetch(lease)
        if not isinstance(answer, FetchedPage) or answer.status != 200:
            return answer
        kind.pages += 1
        self._pages += 1
        return await self._sample(lease, kind, answer) if self._wants_sample(lease, kind, answer) else answer

    @property
    def browser_slots(self) -> int:
        """How many pages browsers show at once."""
        return self._browser.browser_slots

    def _name(self, lease: Lease) -> tuple[str, bool]:
        """Pages with steps to do are judged apart from those that look alike."""
        return kind_of(lease.url), self._browser.acts_on(lease)

    def _kind(self, lease: Lease) -> _Kind:
        name = self._name(lease)
        if name not in self._kinds and len(self._kinds) >= _MAX_KINDS:
            name = ("", name[1])  # a site of endless kinds: they share one
        return self._kinds.setdefault(name, _Kind())

    def _wants_sample(self, lease: Lease, kind: _Kind, plain: FetchedPage) -> bool:
        if not kind.is_due or kind.uses_browser:
            return False
        if self._samples < _FREE_SAMPLES + _MAX_SAMPLED_SHARE * self._pages or self._is_owed(kind, plain):
            return True
        if not kind.samples:
            self._say_left_out(lease)
        return False

    def _is_owed(self, kind: _Kind, plain: FetchedPage) -> bool:
        """Whether it is looked at whatever the budget: its kind is unknown, and over HTTP it came as good as empty."""
        return not kind.samples and bool(looks_scripted(plain) and why_browser(plain, self._reader(plain)))

    async def _sample(self, lease: Lease, kind: _Kind, plain: FetchedPage) -> Answer:
        """Look at the page both ways, one page of a kind at a time, and keep what gives more.

        The host's turn comes first: who has asked for robots.txt has it already, and nobody may wait for it who keeps
        others of the kind waiting.
        """
        await self.ask_again(lease)
        async with _alone(kind):
            if self._wants_sample(lease, kind, plain):
                return await self._look(lease, kind, plain)
        return await self._browser.fetch(lease) if kind.uses_browser else plain

    async def _look(self, lease: Lease, kind: _Kind, plain: FetchedPage) -> Answer:
        rendered = await self._browser.fetch(lease)
        self._samples += 0 if self._is_owed(kind, plain) else 1
        kind.tried()
        if isinstance(rendered, FetchFailure):
            return self._not_shown(lease, kind, plain, rendered)
        kind.samples += 1
        if isinstance(rendered, Redirect):
            return self._follow(lease, kind, plain, rendered)
        return await self._decide(lease, kind, plain, rendered)

    def _not_shown(self, lease: Lease, kind: _Kind, plain: FetchedPage, fault: FetchFailure) -> Answer:
        """No evidence. A step that fails is the page's failure: over HTTP it would lack what the step is for."""
        if fault.failure is Failure.ACTION:
            kind.uses_browser = kind.tries >= _MAX_TRIES
            return fault
        self._say(f"A browser could not show it, so it was taken over HTTP. {fault.sentence}", lease, "warning")
        return replace(plain, requests=2)

    async def _decide(self, lease: Lease, kind: _Kind, plain: FetchedPage, rendered: FetchedPage) -> FetchedPage:
        """HTTP stays where it gives as much; the first page that gains moves its kind to the browser."""
        over_http, in_browser = self._reader(plain), self._reader(rendered)
        found, shown = yield_of(plain, over_http), yield_of(rendered, in_browser)
        gain, requests = compare(found, shown), 2
        if not gain and self._browser.acts_on(lease):
            gain = changes(over_http, in_browser)
        if not gain and differs(found, shown):
            gain, requests = await self._whose_doing(lease, found, shown), 3
        if gain:
            kind.uses_browser = True
            self._say(f"Pages like {kind_of(lease.url)} go to the browser: {gain}.", lease)
            return replace(rendered, requests=requests)
        if kind.samples == FIRST_SAMPLES:
            told = f"{kind.samples} pages gave the same over HTTP as in a browser ({found})"
            self._say(f"Pages like {kind_of(lease.url)} stay on HTTP: {told}.", lease)
        return replace(plain, requests=requests)

    async def _whose_doing(self, lease: Lease, found: Yield, shown: Yield) -> str:
        """Why HTTP and a browser gave as much, but not the same; '' unless scripts did it. HTTP is asked once more."""
        await self.ask_again(lease)
        again = await self._http.fetch(lease)
        if not isinstance(again, FetchedPage) or again.status != 200:
            return ""
        return scripts_differ(found, yield_of(again, self._reader(again)), shown)

    def _follow(self, lease: Lease, kind: _Kind, plain: FetchedPage, onward: Redirect) -> FetchedPage | Redirect:
        """Where a script leads on: there, unless the page itself gives more than what is shown there."""
        found = yield_of(plain, self._reader(plain))
        shown = self._browser.kept_page(onward.target)
        there = None if shown is None else yield_of(shown, self._reader(shown))
        if leads_to_more(found, there):
            kind.uses_browser = True
            self._say(
                f"Pages like {kind_of(lease.url)} go to the browser: a script leads on to {onward.target}.", lease
            )
            return onward
        told = f"A script leads on to {onward.target}; the page was taken as it came over HTTP, for it gives {found}."
        self._say(f"{told} If you want the other one, make it a seed, or choose the lane “browser”.", lease, "warning")
        return replace(plain, requests=2)

    def _say_left_out(self, lease: Lease) -> None:
        """Once in a crawl: from here on some kinds may not be looked at in a browser."""
        if self._has_left_out:
            return
        self._has_left_out = True
        told = f"There are many kinds of pages. Some, such as {kind_of(lease.url)}, stay on HTTP until there is time to"
        told = f"{told} look at one in a browser, unless they come as good as empty."
        self._say(f"{told} If something is missing there, choose the lane “browser”.", lease, "warning")

    def _say(self, sentence: str, lease: Lease, level: str = "info") -> None:
        self.tell(LogLine(level, sentence, lease.url))


async def _rest(lease: Lease) -> None:
    await asyncio.sleep(lease.delay_seconds)


@asynccontextmanager
async def _alone(kind: _Kind) -> AsyncIterator[None]:
    """While no other page of the kind is looked at; raises BrowserBusyError when that takes too long."""
    try:
        async with asyncio.timeout(_WAIT_SECONDS):
            await kind.sampling.acquire()
    except TimeoutError:
        raise BrowserBusyError("Another page like this one is shown for too long. It comes again later.") from None
    try:
        yield
    finally:
        kind.sampling.release()
