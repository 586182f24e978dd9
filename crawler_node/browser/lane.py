"""The browser lane: a page is opened once, looked at once, and told in the same words as the HTTP lane tells it."""

import time
from collections import OrderedDict
from collections.abc import Callable, Sequence
from contextlib import AsyncExitStack
from dataclasses import replace
from datetime import UTC, datetime
from types import TracebackType

from crawler_node.browser.actions import Action, Onlooker, StepReport
from crawler_node.browser.door import BLOCKED, Manners, NoManners
from crawler_node.browser.guard_proxy import VERDICT_HEADER, GuardProxy
from crawler_node.browser.network_log import MainDocument
from crawler_node.browser.options import BrowserOptions
from crawler_node.browser.pool import BrowserHungError, BrowserPool
from crawler_node.browser.programs import BrowserPrograms
from crawler_node.browser.session import Rendering
from crawler_node.contracts import Failure, FetchedPage, FetchFailure, Lease, LogLine, Redirect, Refusal, TargetKind
from crawler_node.errors import BrowserError
from crawler_node.fetch.failures import refused
from crawler_node.fetch.http import HttpLane
from crawler_node.fetch.retry_after import parse_retry_after
from crawler_node.fetch.statuses import failure_for_status
from crawler_node.fetch.walls import CAPTCHA_SENTENCE, WALL_STATUSES, find_captcha
from crawler_node.urls.parse import parse_url

Answer = FetchedPage | Redirect | FetchFailure

_TRIES = 2
# A page on which browsers broke down, or whose steps failed, is worth so many visits.
_VISITS = 3
_LOGIN_SENTENCE = (
    "The website does not let us in. Check name, password and the steps of the login, or give the crawler the cookies "
    "of a browser that is signed in, and resume."
)
# The least time for which a browser is waited for.
_LEAST_WAIT_SECONDS = 10.0
_KEPT_PAGES = 50
_KEPT_SECONDS = 120.0
_RENDERED_TYPE = "text/html; charset=utf-8"
# They describe the bytes that the server sent, not the page that the browser made of them.
_BODY_HEADERS = frozenset({"content-encoding", "content-length", "transfer-encoding", "etag", "last-modified"})
_FAILURES = {
    "NAME_NOT_RESOLVED": (Failure.DNS, "There is no server of this name.", False),
    "CERT_": (Failure.TLS, "The server's certificate cannot be trusted or the encryption failed.", False),
    "SSL_": (Failure.TLS, "The server's certificate cannot be trusted or the encryption failed.", False),
    "TOO_MANY_REDIRECTS": (Failure.REDIRECT_LOOP, "The address only leads to more redirects.", False),
    "TIMED_OUT": (Failure.TIMEOUT, "The server took too long to answer.", True),
    "UNSAFE_REDIRECT": (Failure.BAD_REDIRECT, "The server sends us on, but not to a web address.", False),
    "UNKNOWN_URL_SCHEME": (Failure.BAD_REDIRECT, "The server sends us on, but not to a web address.", False),
    "CONNECTION_": (Failure.CONNECT, "No connection to the server could be made.", True),
    "EMPTY_RESPONSE": (Failure.BROKEN, "The server broke off in the middle of its answer.", True),
}
_OTHERWISE = (Failure.BROKEN, "The browser could not show the page", True)


class BrowserLane:
    """Fetches with browsers behind the guard. Use as a context; browsers start with the first page.

    robots.txt and sitemaps go over `http`, whose options also give limits and identity. A redirect is handed back, so
    that its target gets a slot of its own; the page that the browser has shown there already is kept for a while.
    `manners_of` tells for the page of a lease whether and when its documents may be asked for; `tell` is given a line
    for the runner's log where a page may lack something.
    """

    def __init__(self, http: HttpLane, programs: BrowserPrograms, options: BrowserOptions) -> None:
        self._http = http
        self._programs = programs
        self._options = options
        self._kept: OrderedDict[str, tuple[float, FetchedPage]] = OrderedDict()
        self.browser_slots = options.slots
        self.cookies = http.cookies
        self.fetch_following = http.fetch_following
        self.manners_of: Callable[[Lease], Manners] = lambda _: NoManners()
        self.tell: Callable[[LogLine], None] = lambda _: None

    async def __aenter__(self) -> "BrowserLane":
        self._stack = AsyncExitStack()
        self._guard = await self._stack.enter_async_context(
            GuardProxy(self._http.options.policy, proxies=self._http.options.proxies)
        )
        if self._options.login is not None:
            self._guard.welcome(self._options.login.url)
        pool = BrowserPool(self._programs, self._options, proxy=self._guard.address)
        self._pool = await self._stack.enter_async_context(pool)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._stack.aclose()

    async def fetch(self, lease: Lease) -> Answer:
        """The page of a lease as a browser shows it; raises BrowserBusyError when none is free while it lives."""
        if lease.kind is TargetKind.SITEMAP:
            return await self._http.fetch(lease)
        if (kept := self._take_kept(lease.url)) is not None:
            return kept
        if parse_url(lease.url) is None:
            return FetchFailure(lease.url, Failure.BROKEN, "Only web addresses can be opened.", can_retry=False)
        self._guard.welcome(lease.url)
        began = time.monotonic()
        try:
            rendering = await self._render(lease)
        except BrowserError as error:
            return _broken_browser(lease, error, time.monotonic() - began)
        for step in rendering.steps:
            if step.warning:
                self.tell(LogLine("warning", f"{_name_of(step)}: {step.warning}", lease.url))
        return self._judge(lease, rendering)

    async def replay(self, url: str, onlooker: Onlooker) -> FetchedPage | FetchFailure:
        """The page at a URL after the chain, wherever that is otherwise run, while somebody looks on. Tried once."""
        lease = Lease(url, b"", "", 0, 1, 0.0, 0)
        self._guard.welcome(url)
        actions = self._options.chain.actions
        began = time.monotonic()
        try:
            rendering = await self._pool.run(
                lambda session: session.open(url, actions, onlooker=onlooker), seconds=self._longest_seconds(actions)
            )
        except BrowserError as error:
            return _broken_browser(lease, error, time.monotonic() - began)
        answer = self._shown(lease, rendering)
        return answer if not isinstance(answer, Redirect) else _failure_for_error(url, BLOCKED, rendering.seconds)

    def _longest_seconds(self, actions: Sequence[Action]) -> float:
        """What a page may take with its steps, and with signing in."""
        chain, login, deadline = self._options.chain, self._options.login, self._options.deadline_seconds
        seconds = deadline + (chain.budget_seconds if actions else 0.0)
        return seconds if login is None else seconds + login.budget_seconds + deadline

    def _wait_seconds(self, seconds: float) -> float:
        """For how long a browser is waited for by a page that may take so many seconds.

        Half of what is left of its lease: the page may have waited for other things already.
        """
        left = self._options.lease_seconds - self._options.start_seconds - seconds
        return max(left / 2, _LEAST_WAIT_SECONDS)

    async def _render(self, lease: Lease) -> Rendering:
        """A browser that breaks down is not the page's fault: another one tries once more."""
        actions = self._options.chain.actions if self.acts_on(lease) else ()
        seconds, manners = self._longest_seconds(actions), self.manners_of(lease)
        may_wait = lease.delay_seconds > 0
        for left in reversed(range(_TRIES)):
            try:
                return await self._pool.run(
                    lambda session: session.open(lease.url, actions, manners=manners, may_wait=may_wait),
                    seconds=seconds,
                    wait_seconds=self._wait_seconds(seconds),
                )
            except BrowserHungError:
                raise
            except BrowserError:
                if not left:
                    raise
        raise AssertionError("unreachable")

    def _judge(self, lease: Lease, rendering: Rendering) -> Answer:
        shown = self._shown(lease, rendering)
        if not isinstance(shown, FetchedPage) or shown.url == lease.url or rendering.moved_by_steps:
            return shown
        return self._elsewhere(lease, shown, rendering)

    def _shown(self, lease: Lease, rendering: Rendering) -> Answer:
        """The page that the browser showed at last, wherever that is, or why there is none."""
        document = rendering.documents[-1] if rendering.documents else MainDocument(lease.url, error="net::ERR_FAILED")
        if BLOCKED in document.error and document.url != lease.url and not rendering.is_locked_out:
            return Redirect(lease.url, _first_status(rendering), document.url, rendering.seconds)
        failure = self._wall(lease, document, rendering) or self._failure(lease, document, rendering)
        if failure is not None:
            return failure
        self._http.walls.passed()
        body = ("<!doctype html>" + rendering.html).encode("utf-8", "replace")
        if len(body) > self._options.max_page_bytes:
            return refused(lease.url, Refusal.TOO_BIG, document.status, detail=f"{len(body)} bytes")
        url = _address(document, lease)
        if url != lease.url and parse_url(url) is None:
            return FetchFailure(lease.url, Failure.BAD_REDIRECT, "It leads to no web address.", can_retry=False)
        return FetchedPage(
            url,
            document.status,
            _headers(document),
            body,
            rendering.seconds,
            requested_url=lease.url,
            hops=document.hops,
            lane="browser",
        )

    def _failure(self, lease: Lease, document: MainDocument, rendering: Rendering) -> FetchFailure | None:
        url, seconds = lease.url, rendering.seconds
        verdict = self._guard.verdict(document.url)
        if verdict is not None and (document.error or VERDICT_HEADER in document.headers):
            return FetchFailure(
                url, verdict.failure, verdict.sentence, can_retry=verdict.can_retry, refusal=verdict.refusal
            )
        if document.status and "ERR_ABORTED" in document.error:
            return refused(url, Refusal.CONTENT_TYPE, document.status or None, detail=document.media_type or "a file")
        if document.error or not document.status:
            return _failure_for_error(url, document.error, seconds)
        if not 200 <= document.status < 300:
            wait = parse_retry_after(document.headers.get("retry-after"), now=datetime.now(UTC))
            return failure_for_status(url, document.status, retry_after_seconds=wait, load_seconds=seconds)
        if document.media_type and document.media_type not in self._http.options.page_types:
            return refused(url, Refusal.CONTENT_TYPE, document.status, detail=document.media_type)
        return _failed_step(lease, rendering)

    def _wall(self, lease: Lease, document: MainDocument, rendering: Rendering) -> FetchFailure | None:
        """A captcha, or a login that does not open; one that is not there just now is the site's failure."""
        has_captcha = document.status in WALL_STATUSES and find_captcha(rendering.html)
        if not has_captcha and (not rendering.is_locked_out or _is_down(document)):
            return None
        sentence = CAPTCHA_SENTENCE if has_captcha else _LOGIN_SENTENCE
        return self._http.walls.met(lease.url, sentence, document.status or None, is_login=not has_captcha)

    def _elsewhere(self, lease: Lease, page: FetchedPage, rendering: Rendering) -> Redirect:
        """The server, or the page itself, sent the browser on: what it showed there is kept, unless other steps are to
        be done there."""
        if self.acts_on(replace(lease, url=page.url)) == self.acts_on(lease):
            self._kept[page.url] = (time.monotonic() + _KEPT_SECONDS, page)
        while len(self._kept) > _KEPT_PAGES:
            self._kept.popitem(last=False)
        return Redirect(lease.url, _first_status(rendering), page.url, rendering.seconds, headers=page.headers)

    def acts_on(self, lease: Lease) -> bool:
        """Whether there are steps to do on this page."""
        return self._options.chain.applies_to(lease.url, is_seed=lease.depth == 0)

    def uses_browser(self, lease: Lease) -> bool:
        """Whether a browser is asked for this page, so that its request goes out some time later."""
        return lease.kind is not TargetKind.SITEMAP and not self.has_kept(lease.url)

    def has_kept(self, url: str) -> bool:
        """Whether a browser has shown this page on the way from another, so that it need not be asked for again."""
        return self.kept_page(url) is not None

    def kept_page(self, url: str) -> FetchedPage | None:
        """That page, left where it is."""
        until, page = self._kept.get(url, (0.0, None))
        return page if until > time.monotonic() else None

    def _take_kept(self, url: str) -> FetchedPage | None:
        until, page = self._kept.pop(url, (0.0, None))
        return page if until > time.monotonic() else None


def _first_status(rendering: Rendering) -> int:
    """What the server said to the address that was asked for."""
    first = rendering.documents[0]
    return first.hops[0].status if first.hops else first.status


def _is_down(document: MainDocument) -> bool:
    """Whether it could not be asked for, or its server has no time."""
    is_missing = bool(document.error) and BLOCKED not in document.error
    return is_missing or document.status >= 500 or document.status == 429 or VERDICT_HEADER in document.headers


def _address(document: MainDocument, lease: Lease) -> str:
    """Where the page is. A server never sees the fragment, so the one that was asked for stands."""
    url = document.url.partition("#")[0]
    return lease.url if lease.url.partition("#")[0] == url else url


def _headers(document: MainDocument) -> dict[str, str]:
    kept = {name: value for name, value in document.headers.items() if name not in _BODY_HEADERS}
    return kept | {"content-type": _RENDERED_TYPE}


def _failure_for_error(url: str, error: str, seconds: float) -> FetchFailure:
    failure, sentence, can_retry = next((row for word, row in _FAILURES.items() if word in error), _OTHERWISE)
    if (failure, sentence, can_retry) == _OTHERWISE:
        sentence = f"{sentence} ({error.removeprefix('net::') or 'no answer'})."
    return FetchFailure(url, failure, sentence, can_retry=can_retry, load_seconds=seconds)


def _name_of(step: StepReport) -> str:
    return f"Step {step.place} of the action chain ({step.type.replace('_', ' ')})"


def _failed_step(lease: Lease, rendering: Rendering) -> FetchFailure | None:
    step = next((step for step in rendering.steps if step.ends_chain), None)
    if step is None:
        return None
    sentence = f"{_name_of(step)} failed. {step.sentence}"
    return FetchFailure(
        lease.url, Failure.ACTION, sentence, can_retry=lease.attempt < _VISITS, load_seconds=rendering.seconds
    )


def _broken_browser(lease: Lease, error: BrowserError, seconds: float) -> FetchFailure:
    failure = Failure.TIMEOUT if isinstance(error, BrowserHungError) else Failure.BROKEN
    return FetchFailure(lease.url, failure, str(error), can_retry=lease.attempt < _VISITS, load_seconds=seconds)
