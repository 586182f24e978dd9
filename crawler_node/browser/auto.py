"""The lane that chooses itself: plain HTTP wherever a browser shows no more, decided by evidence for each kind of page.

Of each kind (addresses of one shape) the first pages are fetched both ways and read both ways. Where the rendered page
gives more documents, fields or links, or the steps of an action chain change what is read, or a script leads on to
another page that gives as much, pages of that kind go to the browser from then on; elsewhere they stay on HTTP, and now
and then one is looked at both ways again.
"""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace

from crawler_node.browser.door import Manners
from crawler_node.browser.evidence import changes, compare, leads_to_more, yield_of
from crawler_node.browser.lane import Answer, BrowserLane
from crawler_node.contracts import FetchedPage, FetchFailure, Lease, LogLine, PageReader, Redirect, TargetKind
from crawler_node.fetch.http import HttpLane
from crawler_node.traps.shapes import kind_of

FIRST_SAMPLES = 2
# After so many pages of a kind one more is looked at both ways; then after ten times as many.
_NEXT_SAMPLE_AT = 50
_MAX_KINDS = 2_000
_MAX_SAMPLED_SHARE = 0.02
_FREE_SAMPLES = 40


@dataclass(slots=True)
class _Kind:
    """What is known of one kind of page."""

    pages: int = 0
    samples: int = 0
    next_sample_at: int = _NEXT_SAMPLE_AT
    uses_browser: bool = False


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
        self._sampling = asyncio.Lock()
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
        return await self._sample(lease, kind, answer) if self._wants_sample(kind) else answer

    def _name(self, lease: Lease) -> tuple[str, bool]:
        """Pages with steps to do are judged apart from those that look alike."""
        return kind_of(lease.url), self._browser.acts_on(lease)

    def _kind(self, lease: Lease) -> _Kind:
        name = self._name(lease)
        if name not in self._kinds and len(self._kinds) >= _MAX_KINDS:
            name = ("", name[1])  # a site of endless kinds: they share one
        return self._kinds.setdefault(name, _Kind())

    def _wants_sample(self, kind: _Kind) -> bool:
        if self._samples >= _FREE_SAMPLES + _MAX_SAMPLED_SHARE * self._pages:
            return False
        return kind.samples < FIRST_SAMPLES or kind.pages >= kind.next_sample_at

    async def _sample(self, lease: Lease, kind: _Kind, plain: FetchedPage) -> Answer:
        """Look at the page both ways, one page at a time, and keep what gives more."""
        async with self._sampling:
            if kind.uses_browser or not self._wants_sample(kind):
                return await self._browser.fetch(lease) if kind.uses_browser else plain
            kind.samples += 1
            self._samples += 1
            if kind.pages >= kind.next_sample_at:
                kind.next_sample_at *= 10
            await self.ask_again(lease)
            rendered = await self._browser.fetch(lease)
        if isinstance(rendered, FetchFailure):
            self._say(f"A browser could not show it, so it was taken over HTTP. {rendered.sentence}", lease, "warning")
            return replace(plain, requests=2)
        if isinstance(rendered, Redirect):
            return self._follow(lease, kind, plain, rendered)
        return self._decide(lease, kind, plain, rendered)

    def _decide(self, lease: Lease, kind: _Kind, plain: FetchedPage, rendered: FetchedPage) -> FetchedPage:
        """HTTP stays where it gives as much; the first page that gains moves its kind to the browser."""
        over_http, in_browser = self._reader(plain), self._reader(rendered)
        found = yield_of(plain, over_http)
        gain = compare(found, yield_of(rendered, in_browser))
        if not gain and self._browser.acts_on(lease):
            gain = changes(over_http, in_browser)
        if gain:
            kind.uses_browser = True
            self._say(f"Pages like {kind_of(lease.url)} go to the browser: {gain}.", lease)
            return replace(rendered, requests=2)
        if kind.samples == FIRST_SAMPLES:
            told = f"{kind.samples} pages gave the same over HTTP as in a browser ({found})"
            self._say(f"Pages like {kind_of(lease.url)} stay on HTTP: {told}.", lease)
        return replace(plain, requests=2)

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

    def _say(self, sentence: str, lease: Lease, level: str = "info") -> None:
        self.tell(LogLine(level, sentence, lease.url))


async def _rest(lease: Lease) -> None:
    await asyncio.sleep(lease.delay_seconds)
