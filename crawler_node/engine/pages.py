"""One page from lease to outcome: robots.txt, fetch, read, sift."""

import time
from collections.abc import Awaitable, Callable
from dataclasses import replace
from hashlib import sha1
from typing import Protocol, runtime_checkable

from crawler_node.browser.door import Manners
from crawler_node.contracts import (
    Candidate,
    Failure,
    FetchedPage,
    FetchFailure,
    HostFacts,
    Lease,
    LogLine,
    Outcome,
    PageReader,
    PageReading,
    PageRecord,
    PageState,
    Redirect,
    Refusal,
    RobotsRecord,
    TargetKind,
)
from crawler_node.engine.gate import HostGate
from crawler_node.engine.manners import LeaseManners
from crawler_node.engine.outcomes import (
    NOINDEX_SENTENCE,
    facts_of,
    give_back,
    record_failure,
    record_redirect,
    record_unchanged,
    redirect_loop_record,
    skipped,
)
from crawler_node.engine.redirects import RedirectMap, RedirectWay, Spelling
from crawler_node.engine.sieve import LinkSieve, Sifted
from crawler_node.engine.sitemaps import read_candidates
from crawler_node.engine.spec import CrawlSpec
from crawler_node.fetch.cookies import CookieShelf
from crawler_node.fetch.statuses import MOVED
from crawler_node.robots import RobotsAnswer, RobotsBook, RobotsRules, fetch_robots, robots_address
from crawler_node.robots.fetching import RobotsLane, usual_sitemap
from crawler_node.sinks.packing import pack_page
from crawler_node.urls import SameSite, site_of
from crawler_node.urls.parse import DEFAULT_PORTS, normalize, parse_url

Answer = FetchedPage | Redirect | FetchFailure


class Lane(RobotsLane, Protocol):
    """What the engine needs of a lane."""

    cookies: CookieShelf

    async def fetch(self, lease: Lease) -> Answer: ...


@runtime_checkable
class AskingTwiceLane(Protocol):
    """A lane that may ask for a page twice, so that it has to wait in between."""

    ask_again: Callable[[Lease], Awaitable[None]]


@runtime_checkable
class BrowserUsingLane(Protocol):
    """A lane some of whose pages a browser asks for, later than they are fetched, and with what they lead on to.

    It tells people what it decides, and what a page may lack.
    """

    tell: Callable[[LogLine], None]
    manners_of: Callable[[Lease], Manners]

    def uses_browser(self, lease: Lease) -> bool: ...


def _site(url: str) -> tuple[str, int]:
    """What a seed's host is, over http or https and with or without `www.`: most seeds are sent on to the other one."""
    parsed = parse_url(url)
    if parsed is None:
        return "", 0
    return site_of(parsed.host, SameSite.HOST), 0 if parsed.port == DEFAULT_PORTS[parsed.scheme] else parsed.port


class PageWork:
    """Turns leases into outcomes for one runner. Never raises for what a website does."""

    def __init__(
        self,
        *,
        spec: CrawlSpec,
        lane: Lane,
        reader: PageReader,
        sieve: LinkSieve,
        robots: RobotsBook,
        gate: HostGate,
    ) -> None:
        self._spec = spec
        self._lane = lane
        self._browser_lane = lane if isinstance(lane, BrowserUsingLane) else None
        self._reader = reader
        self._sieve = sieve
        self._robots = robots
        self._gate = gate
        self._seed_hosts = {robots_address(seed) for seed in spec.seeds}
        self._seed_sites = {_site(seed) for seed in spec.seeds}
        self.tell: Callable[[LogLine], None] = lambda _: None
        """Where lines for the runner's log go."""
        self._redirects = RedirectMap()

    async def work(self, lease: Lease) -> Outcome:
        """Everything to be remembered about the page of a lease."""
        if not self._spec.respect_robots:
            return await self._fetch(lease, requests=0)
        rules = None if lease.asks_robots else self._robots.rules_for(lease.host)
        if rules is not None:
            return self._refused_by_robots(lease) if not rules.allows(lease.url) else await self._fetch(lease)
        return await self._ask_robots(lease)

    async def ask_again(self, lease: Lease, *, in_browser: bool = False) -> None:
        """Wait until the host may be asked another time for the same lease."""
        gap = lease.delay_seconds
        await self._gate.ask_again(lease.host, fence=lease.fence, gap_seconds=gap, in_browser=in_browser)

    async def ask_in_browser(self, lease: Lease) -> None:
        """Wait until a browser may ask for a page that was fetched just now."""
        await self.ask_again(lease, in_browser=True)

    def uses_browser(self, lease: Lease) -> bool:
        """Whether the request for a page goes out later, when a browser is ready for it."""
        return self._browser_lane is not None and self._browser_lane.uses_browser(lease)

    def manners_of(self, lease: Lease) -> Manners:
        """What a browser may ask for on behalf of a lease."""
        return LeaseManners(lease, gate=self._gate, sieve=self._sieve)

    # --- robots.txt first

    async def _ask_robots(self, lease: Lease) -> Outcome:
        """The host's rules, then the page a gap later, in one outcome."""
        answer = await fetch_robots(self._lane, self._robots_url(lease), pause_seconds=lease.delay_seconds)
        rules = self._robots.learn(lease.host, answer.record)
        if rules.is_unreachable:
            return self._silent_host(lease, answer)
        if not rules.allows(lease.url):
            outcome = self._refused_by_robots(lease)
            facts = HostFacts(lease.host, requests=answer.requests)
            return self._with_robots(replace(outcome, host=facts), rules, answer)
        if (rules.crawl_delay_seconds or 0.0) > lease.delay_seconds:
            return self._with_robots(self._too_soon(lease, answer), rules, answer)
        await self.ask_again(lease)
        return self._with_robots(await self._fetch(lease, requests=answer.requests), rules, answer)

    def _robots_url(self, lease: Lease) -> str:
        chosen = self._spec.robots_url
        return chosen if chosen and _site(lease.url) in self._seed_sites else robots_address(lease.url)

    def _refused_by_robots(self, lease: Lease) -> Outcome:
        return Outcome(lease, skipped(Refusal.ROBOTS), host=HostFacts(lease.host, requests=0))

    def _too_soon(self, lease: Lease, answer: RobotsAnswer) -> Outcome:
        """The host wants a longer gap than the lease has room for: its page gets a slot that keeps it."""
        return replace(give_back(lease), host=HostFacts(lease.host, requests=answer.requests))

    def _silent_host(self, lease: Lease, answer: RobotsAnswer) -> Outcome:
        """A host that could not say what it allows: later again, and in the end the page fails for what went wrong."""
        facts = HostFacts(
            lease.host,
            requests=answer.requests,
            retry_after_seconds=answer.retry_after_seconds,
            robots=RobotsRecord(None),
            is_failure=True,
        )
        if answer.refusal is not None and answer.refusal is not Refusal.TOO_BIG:
            return Outcome(lease, skipped(answer.refusal), host=replace(facts, robots=None))
        is_last = lease.attempt > self._spec.retry
        state = PageState.FAILED if is_last else PageState.QUEUED
        record = PageRecord(state, failure=answer.failure, sentence=answer.sentence, can_retry=not is_last)
        return Outcome(lease, record, host=facts)

    def _with_robots(self, outcome: Outcome, rules: RobotsRules, answer: RobotsAnswer) -> Outcome:
        facts = outcome.host or HostFacts(outcome.lease.host)
        facts = replace(facts, robots=answer.record, crawl_delay_seconds=rules.crawl_delay_seconds or 0.0)
        # First, for many a page links to its sitemap, and what an address is found as it stays.
        candidates = [*self._sitemaps(outcome.lease, rules), *outcome.candidates]
        return replace(outcome, host=facts, candidates=candidates)

    def _sitemaps(self, lease: Lease, rules: RobotsRules) -> list[Candidate]:
        """The sitemaps of a seed's host, where the crawler asks for them: those it names, else the usual place."""
        own = robots_address(lease.url)
        if not self._spec.sitemap or own not in self._seed_hosts:
            return []
        # Full addresses are asked for (sitemaps.org), and many a site writes where on it the sitemap is.
        named = [normalize(url, self._robots_url(lease)) for url in rules.sitemaps[:1000]]
        urls = [url for url in named if url] or [usual_sitemap(lease.url)]
        found = [self._sieve.propose(url, depth=0, priority=0.9, kind=TargetKind.SITEMAP) for url in urls]
        return [candidate for candidate in found if candidate is not None]

    # --- the page

    async def _fetch(self, lease: Lease, *, requests: int = 0) -> Outcome:
        answer = await self._lane.fetch(lease)
        cookies = self._lane.cookies.take_news(lease.host)
        requests += answer.requests if isinstance(answer, FetchedPage) else 1
        facts = facts_of(lease, answer, requests=requests, cookies=cookies)
        if isinstance(answer, FetchFailure):
            return Outcome(lease, self._soften(record_failure(answer), lease), host=facts)
        if isinstance(answer, Redirect):
            return self._redirected(lease, answer, facts)
        if answer.status == 304:
            return Outcome(lease, record_unchanged(answer, lease), host=facts)
        if lease.kind is TargetKind.SITEMAP:
            return await self._read_sitemap(lease, answer, facts)
        return self._read(lease, answer, facts)

    def _soften(self, record: PageRecord, lease: Lease) -> PageRecord:
        """A sitemap that we only guessed at, and is not there, is no failure."""
        is_guess = lease.kind is TargetKind.SITEMAP and lease.url.endswith("/sitemap.xml")
        return replace(record, state=PageState.DONE, failure=None) if is_guess and record.is_gone else record

    def _redirected(self, lease: Lease, redirect: Redirect, facts: HostFacts) -> Outcome:
        record = record_redirect(redirect, lease)
        target = self._sieve.redirected(redirect.target, lease)
        if target is None or record.state is PageState.FAILED:
            return Outcome(lease, record, host=facts)
        here, there = Spelling(lease.url, lease.key), Spelling(target.url, target.key)
        way = self._redirects.note(here, there, sets_cookies=redirect.sets_cookies)
        if way is RedirectWay.LOOP:
            return Outcome(lease, redirect_loop_record(redirect), host=facts)
        is_again = way is RedirectWay.AGAIN and target.refusal is None
        is_elsewhere = target.key != lease.key and not is_again and not redirect.sets_cookies
        record = replace(record, is_gone=redirect.status in MOVED and is_elsewhere)
        return Outcome(lease, record, candidates=[replace(target, retarget=is_again)], host=facts)

    async def _read_sitemap(self, lease: Lease, page: FetchedPage, facts: HostFacts) -> Outcome:
        candidates, sentence = await read_candidates(page.body, lease, self._sieve)
        is_broken = bool(sentence) and not candidates
        record = PageRecord(
            PageState.FAILED if is_broken else PageState.DONE,
            status=page.status,
            content_type=page.content_type,
            body_bytes=len(page.body),
            load_seconds=page.load_seconds,
            failure=Failure.EXTRACTION if is_broken else None,
            sentence=sentence,
        )
        return Outcome(lease, record, candidates=candidates, host=facts)

    def _read(self, lease: Lease, page: FetchedPage, facts: HostFacts) -> Outcome:
        started = time.perf_counter()
        reading = self._reader(page)
        sifted = self._sieve.sift(reading, lease, page.body)
        for sentence in (*reading.notices, *sifted.notices):
            self.tell(LogLine("info", sentence, lease.url))
        is_hidden = reading.noindex and self._spec.respect_robots
        record = self._record(page, reading, sifted, is_hidden=is_hidden, seconds=time.perf_counter() - started)
        return Outcome(
            lease,
            record,
            () if is_hidden else reading.documents,
            sifted.candidates,
            facts,
            sifted.found,
            sifted.refused,
            sifted.packed,
        )

    def _record(
        self, page: FetchedPage, reading: PageReading, sifted: Sifted, *, is_hidden: bool, seconds: float
    ) -> PageRecord:
        headers = page.headers
        return PageRecord(
            PageState.FAILED if reading.failure else PageState.DONE,
            status=page.status,
            content_type=headers.get("content-type", "")[:200],
            body_bytes=len(page.body),
            load_seconds=page.load_seconds,
            process_seconds=seconds,
            sha1=sha1(page.body, usedforsecurity=False).digest(),
            etag=headers.get("etag", "")[:500],
            last_modified=headers.get("last-modified", "")[:100],
            target=sifted.canonical.url if sifted.canonical else "",
            failure=Failure.EXTRACTION if reading.failure else None,
            sentence=reading.failure or (NOINDEX_SENTENCE if is_hidden and reading.documents else ""),
            features=reading.features,
            lane=page.lane,
            raw=pack_page(page.body) if self._spec.keep_pages else b"",
        )
