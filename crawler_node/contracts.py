"""What the parts of the crawl engine promise each other: the values that travel, and the protocols that carry them.

Two calls carry a whole crawl: `CrawlStore.lease` and `CrawlStore.commit`.
Everything here is a plain value; nothing here does work.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import NamedTuple, Protocol

from crawler_node.reasons import Failure, Refusal, StopReason, Wish

__all__ = [
    "Candidate",
    "CrawlStore",
    "Document",
    "Failure",
    "FetchFailure",
    "FetchedPage",
    "Fetcher",
    "Hop",
    "HostFacts",
    "Lease",
    "LeaseBatch",
    "Link",
    "LogLine",
    "Outcome",
    "PageFeatures",
    "PageReader",
    "PageReading",
    "PageRecord",
    "PageState",
    "Progress",
    "Redirect",
    "Refusal",
    "RobotsRecord",
    "Statistics",
    "StopReason",
    "TargetKind",
    "Wish",
    "media_type_of",
]


class TargetKind(StrEnum):
    """What a frontier URL is fetched for."""

    PAGE = "page"
    SITEMAP = "sitemap"


class Link(NamedTuple):
    """A link as the page writes it: `href` is not yet joined with the page's base."""

    href: str
    anchor: str = ""
    nofollow: bool = False


@dataclass(frozen=True, slots=True)
class Candidate:
    """A canonical URL that a page (or the user) proposes to crawl.

    `key` is 128 bits of the canonical URL, what the frontier dedupes by; a higher `priority` is leased earlier;
    `hops` counts the redirects that led here; `retarget` lets a redirect that set cookies, or led to another spelling
    of the same page, ask for it a second time, under the `url` and at the `host` it has here.
    Of candidates with the same `pattern` (0: none) at most `pattern_budget` are queued in a runner.
    """

    url: str
    key: bytes
    host: str
    depth: int
    priority: float = 0.0
    anchor: str = ""
    refusal: Refusal | None = None
    kind: TargetKind = TargetKind.PAGE
    hops: int = 0
    retarget: bool = False
    pattern: int = 0
    pattern_budget: int = 0
    etag: str = ""
    last_modified: str = ""


@dataclass(frozen=True, slots=True)
class Lease:
    """Permission to fetch one URL once, after `wait_seconds`, and to commit it while `fence` is the newest for it.

    Durations, not times of day: a worker's clock never matters. With `asks_robots` the host's robots.txt is to be
    fetched first, and the page `delay_seconds` after it: the slot has room for both.
    """

    url: str
    key: bytes
    host: str
    depth: int
    attempt: int
    wait_seconds: float
    fence: int
    kind: TargetKind = TargetKind.PAGE
    hops: int = 0
    delay_seconds: float = 0.0
    asks_robots: bool = False
    etag: str = ""
    last_modified: str = ""


@dataclass(frozen=True, slots=True)
class RobotsRecord:
    """A host's robots.txt as one worker fetched it and all share it.

    `text` is None when the server could not say (5xx or no answer): then nothing may be fetched for a while.
    `age_seconds` is how long ago it was fetched, on the store's clock; a record just fetched has age 0.
    """

    text: str | None
    age_seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class HostFacts:
    """What one fetch taught us about its host; travels with the commit and is shared by all workers.

    `requests` counts what was really asked (robots.txt included); `retry_after_seconds` is the server's own wish.
    `is_overloaded` is True for 429 and 503; `is_failure` when the host, not the page, is to blame.
    """

    host: str
    requests: int = 1
    latency_seconds: float | None = None
    retry_after_seconds: float | None = None
    crawl_delay_seconds: float | None = None
    robots: RobotsRecord | None = None
    cookies: str | None = None
    is_overloaded: bool = False
    is_failure: bool = False


@dataclass(frozen=True, slots=True)
class LeaseBatch:
    """What a worker may do now.

    Empty with `retry_after_seconds`, the time for which nothing can be leased as things stand, while hosts cool down or
    pages are worked on; with `others_work` what other workers bring may change that sooner, and with `is_dry` only that
    can: nothing is queued. Empty with `stop` when the runner ended or pauses; ASKED_TO_WAIT has `retry_after_seconds`,
    too. `robots` and `cookies` hold, by host, what this worker was not told before.
    """

    leases: Sequence[Lease]
    retry_after_seconds: float | None = None
    others_work: bool = False
    is_dry: bool = False
    stop: StopReason | None = None
    robots: Mapping[str, RobotsRecord] = field(default_factory=dict)
    cookies: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Hop:
    """One redirect on the way to a page."""

    url: str
    status: int


def media_type_of(content_type: str) -> str:
    """The media type alone, lower case; of a header that somebody wrote twice (`text/html, text/html`) the first."""
    return content_type.partition(";")[0].partition(",")[0].strip().lower()


@dataclass(frozen=True, slots=True)
class FetchedPage:
    """A page as the server sent it: decompressed bytes and headers, characters not yet decoded.

    `url` is where the page finally was; `headers` has lower-case names; `status` is 304 with an empty body when a
    conditional request found it unchanged; `lane` tells how it was fetched, with so many `requests` for it.
    """

    url: str
    status: int
    headers: Mapping[str, str]
    body: bytes
    load_seconds: float = 0.0
    requested_url: str = ""
    hops: tuple[Hop, ...] = ()
    address: str = ""
    lane: str = "http"
    requests: int = 1

    @property
    def content_type(self) -> str:
        """The media type alone, lower case, '' when the server named none."""
        return media_type_of(self.headers.get("content-type", ""))


@dataclass(frozen=True, slots=True)
class FetchFailure:
    """No page, with the reason, a sentence for people, and whether another try can help."""

    url: str
    failure: Failure
    sentence: str
    can_retry: bool
    status: int | None = None
    refusal: Refusal | None = None
    retry_after_seconds: float | None = None
    load_seconds: float = 0.0
    hops: tuple[Hop, ...] = ()
    headers: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Redirect:
    """The server sent us on to `target`, and the lane was asked not to follow by itself."""

    url: str
    status: int
    target: str
    load_seconds: float = 0.0
    sets_cookies: bool = False
    headers: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Document:
    """One extracted record. `values` by inspector name; `sha1` over them; `identity` tells it across runs (128 bits).

    `missing` names the required inspectors that found nothing; `fallbacks` those whose value a fallback selector found.
    `former` is the identity by the very spelling of the page's URL where that is another one: who has kept the document
    under it, and not under `identity`, goes on so.
    """

    values: Mapping[str, object]
    sha1: bytes
    identity: bytes
    missing: tuple[str, ...] = ()
    fallbacks: tuple[str, ...] = ()
    former: bytes = b""


@dataclass(frozen=True, slots=True)
class PageFeatures:
    """What search wants to know of a page beside its documents; computed only where asked for.

    `unread` has, by field, the texts that should have been numbers, prices or dates of its documents and were none.
    """

    title: str = ""
    headings: tuple[str, ...] = ()
    description: str = ""
    language: str = ""
    text: str = ""
    simhash: int = 0
    quality: Mapping[str, float] = field(default_factory=dict)
    unread: Mapping[str, Sequence[str]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class PageReading:
    """All that one pass over a page found: documents, links as written, and what the page says about itself.

    `base_url` is what hrefs are relative to; `canonical` the page's own word for its address, '' without one;
    `failure` a sentence when extraction went visibly wrong, `notices` what people should know of a page that went well;
    `charset` that of a page that is not in Unicode, in which it means the queries of its links.
    """

    base_url: str
    documents: Sequence[Document] = ()
    links: Sequence[Link] = ()
    canonical: str = ""
    noindex: bool = False
    nofollow: bool = False
    features: PageFeatures | None = None
    failure: str = ""
    notices: Sequence[str] = ()
    charset: str = ""


class PageReader(Protocol):
    """Reads a page once: compiled template and link finder in the same pass. Pure, and never raises for a page."""

    def __call__(self, page: FetchedPage) -> PageReading: ...


class PageState(StrEnum):
    """What became of a frontier URL."""

    QUEUED = "queued"
    LEASED = "leased"
    DONE = "done"
    REDIRECTED = "redirected"
    FAILED = "failed"
    SKIPPED = "skipped"


@dataclass(frozen=True, slots=True)
class PageRecord:
    """What is remembered about one fetch of one page.

    `state` is DONE, REDIRECTED, FAILED or SKIPPED, or QUEUED when the lease is given back unused (`can_retry` False)
    or should be tried again (`can_retry` True). `target` is where a redirect led, or the other address of
    its site that a page calls its own (rel=canonical). `is_gone` when what it had is not there any more: there is no
    such page, or it has moved for good. `raw` is the compressed body where the crawler keeps pages.
    """

    state: PageState
    status: int | None = None
    content_type: str = ""
    body_bytes: int = 0
    load_seconds: float = 0.0
    process_seconds: float = 0.0
    sha1: bytes = b""
    etag: str = ""
    last_modified: str = ""
    target: str = ""
    failure: Failure | None = None
    refusal: Refusal | None = None
    sentence: str = ""
    can_retry: bool = False
    is_unchanged: bool = False
    is_gone: bool = False
    features: PageFeatures | None = None
    raw: bytes = b""
    lane: str = ""

    @property
    def is_given_back(self) -> bool:
        """Whether nobody tried it: it is as it was before the lease."""
        return self.state is PageState.QUEUED and not self.can_retry


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of one lease: everything to be remembered about one page, and the URLs it proposes.

    `links_found` counts every link on the page and `links_refused` those refused, by reason, so that statistics are
    exact although `candidates` leaves out what this worker already proposed. `links` is the packed list for PageRank.
    """

    lease: Lease
    page: PageRecord
    documents: Sequence[Document] = ()
    candidates: Sequence[Candidate] = ()
    host: HostFacts | None = None
    links_found: int = 0
    links_refused: Mapping[Refusal, int] = field(default_factory=dict)
    links: bytes = b""


@dataclass(frozen=True, slots=True)
class LogLine:
    """One line of a runner's log: a level of `debug`, `info`, `warning`, `error` and a sentence for people."""

    level: str
    message: str
    url: str = ""


@dataclass(slots=True)
class Statistics:
    """A runner's counts: exact after every commit, and the same for any number of workers."""

    pages: int = 0
    documents: int = 0
    new_documents: int = 0
    changed_documents: int = 0
    duplicate_documents: int = 0
    clashing_documents: int = 0
    missing_fields: int = 0
    redirects: int = 0
    failed: int = 0
    retries: int = 0
    unchanged_pages: int = 0
    duplicate_pages: int = 0
    fruitful_pages: int = 0
    sitemaps: int = 0
    requests: int = 0
    queued: int = 0
    leased: int = 0
    skipped: int = 0
    links_collected: int = 0
    links_visited: int = 0
    links_refused: dict[str, int] = field(default_factory=dict)
    urls_refused: dict[str, int] = field(default_factory=dict)
    http_codes: dict[str, int] = field(default_factory=dict)
    lanes: dict[str, int] = field(default_factory=dict)
    failures: dict[str, int] = field(default_factory=dict)
    missing: dict[str, int] = field(default_factory=dict)
    fallbacks: dict[str, int] = field(default_factory=dict)
    bytes: int = 0
    load_seconds: float = 0.0
    process_seconds: float = 0.0
    pages_since_new_document: int = 0
    duplicates_in_a_row: int = 0
    kept_bytes: int = 0
    unkept_pages: int = 0


@dataclass(frozen=True, slots=True)
class Progress:
    """The state of the runner after a commit.

    `accepted` are the fences of the outcomes that were remembered: one whose lease had passed on is not among them.
    """

    statistics: Statistics
    accepted: frozenset[int]
    stop: StopReason | None = None


class CrawlStore(Protocol):
    """The frontier and the results of one runner: the only shared state of a crawl.

    Any number of workers on any number of machines may call it. A call is one transaction. The store owns the clock.
    """

    def lease(self, *, worker: str, limit: int) -> LeaseBatch:
        """Up to `limit` URLs whose hosts may be asked within the next 30 s, best first.

        Each host's next slots are reserved here, so politeness holds over all workers without their talking to each
        other. A host whose robots.txt is unknown gives one URL, with room for both requests. A lease expires a page
        deadline after its slot; then someone else gets it, with a higher fence.
        """

    def commit(self, *, worker: str, outcomes: Sequence[Outcome], log: Sequence[LogLine] = ()) -> Progress:
        """Remember pages, documents and new candidates, and end their leases.

        An outcome whose lease has passed on is dropped whole. Nothing is half remembered: a commit that raises has
        changed nothing.
        """


class Fetcher(Protocol):
    """A lane. Never raises for what a website does: that is a `FetchFailure` that says whether a retry can help."""

    async def fetch(self, lease: Lease) -> FetchedPage | Redirect | FetchFailure: ...
