"""What a runner does, frozen when it starts: later edits of the crawler do not touch it."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from typing import Any

from crawler_node.errors import SpecError
from crawler_node.fetch.identity import default_user_agent
from crawler_node.fetch.networks import NetworkPolicy
from crawler_node.fetch.options import LaneOptions
from crawler_node.frontier.options import FrontierOptions, Inefficiency, Strategy
from crawler_node.politeness.pace import PaceRules
from crawler_node.traps import TrapRules
from crawler_node.urls import CanonicalLinks, CanonicalOptions, SameSite, Scope, parse_url
from crawler_node.urls.scope import any_pattern
from crawler_node.urls.sites import site_of

# What a page may cost beside its fetch: reading it, and waiting for its commit.
_MARGIN_SECONDS = 30.0
# What a page in a browser may cost on top: waiting for a free one, signing in, an action chain.
_BROWSER_SECONDS = 300.0
LIMITS = ("pages_per_pattern", "pages_per_host", "requests_per_host", "page_seconds", "page_mb")
_LISTS = ("seeds", "links_scope", "allow", "exclude", "prefer", "proxies", "cookies")


@dataclass(frozen=True, slots=True)
class CrawlSpec:
    """A crawler of the project file as the engine runs it; the names are the project file's.

    What follows `addresses` is the file's `limits`, each with a safe default; only `keep_links` is not in it.
    """

    seeds: tuple[str, ...]
    name: str = ""
    links_scope: tuple[str, ...] = ()
    allow: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    prefer: tuple[str, ...] = ()
    max_pages: int | None = None
    max_documents: int | None = None
    max_depth: int | None = None
    workers: int = 1
    threads: int = 8
    sleep_ms: float = 500
    retry: int = 2
    timeout_minutes: float | None = None
    robots_url: str = ""
    respect_robots: bool = True
    strategy: Strategy = Strategy.BFS
    lane: str = "auto"
    show_browser: bool = False
    same_site: SameSite = SameSite.HOST
    sitemap: bool = False
    proxies: tuple[str, ...] = ()
    user_agent: str = ""
    headers: Mapping[str, str] = field(default_factory=dict)
    keep_pages: bool = False
    keep_pages_mb: int = 1000
    page_text: bool = True
    canonical_links: CanonicalLinks = CanonicalLinks.NOTE
    login: Mapping[str, Any] = field(default_factory=dict)
    cookies: tuple[Mapping[str, Any], ...] = ()
    addresses: CanonicalOptions = field(default_factory=CanonicalOptions)
    inefficiency: Inefficiency = field(default_factory=Inefficiency)
    pages_per_pattern: int | None = None
    pages_per_host: int | None = None
    requests_per_host: int | None = None
    page_seconds: float = 30.0
    page_mb: float = 10.0
    keep_links: bool = True

    @classmethod
    def from_json(cls, data: Mapping[str, Any], **more: Any) -> "CrawlSpec":
        """From a crawler of the project file; raises SpecError for names it does not know.

        `template` and `description` are the file's own business and left out.
        """
        known = {each.name for each in fields(cls)}
        own = {name: value for name, value in data.items() if name not in ("template", "description", "limits")}
        given = own | _spread(data.get("limits", {})) | more
        for name in given:
            if name not in known:
                raise SpecError(f"A crawler has no option “{name}”. Remove it or correct its name.")
        return cls(**{name: _convert(name, value) for name, value in given.items()})

    def frontier_options(self) -> FrontierOptions:
        """What the store must know."""
        return FrontierOptions(
            strategy=self.strategy,
            max_pages=self.max_pages,
            max_documents=self.max_documents,
            max_depth=self.max_depth,
            wall_seconds=None if self.timeout_minutes is None else self.timeout_minutes * 60,
            retries=self.retry,
            respect_robots=self.respect_robots,
            page_deadline_seconds=2 * self.page_seconds + _MARGIN_SECONDS + self._browser_seconds,
            keep_bytes=self.keep_pages_mb * 1_000_000,
            prefer=self.prefer,
            follow_canonical=self.canonical_links is CanonicalLinks.FOLLOW,
            pace=PaceRules(delay_seconds=self.sleep_ms / 1000, max_pages_per_host=self.pages_per_host),
            inefficiency=self.inefficiency,
        )

    @property
    def _browser_seconds(self) -> float:
        return 0.0 if self.lane == "http" else _BROWSER_SECONDS

    def lane_options(self, *, policy: NetworkPolicy, version: str, contact: str = "") -> LaneOptions:
        """What the HTTP lane must know; `policy`, `version` and `contact` are the operator's."""
        return LaneOptions(
            user_agent=self.user_agent or default_user_agent(version=version, contact=contact),
            headers=self.headers,
            is_own=self.own_hosts(),
            headers_in_open=self.headers_in_open,
            policy=policy,
            proxies=self.proxies,
            deadline_seconds=self.page_seconds,
            max_body_bytes=self.max_page_bytes,
            is_one_site=len({parsed.host for seed in self.seeds if (parsed := parse_url(seed))}) <= 1,
        )

    def own_hosts(self) -> Callable[[str], bool]:
        """Whether a host is of a seed's site, which alone may see the crawler's own headers."""
        rule = SameSite.DOMAIN if self.same_site is SameSite.OFF else self.same_site
        sites = {site_of(parsed.host.strip("[]"), rule) for seed in self.seeds if (parsed := parse_url(seed))}
        return lambda host: site_of(host.strip("[]"), rule) in sites

    @property
    def headers_in_open(self) -> bool:
        """Whether the crawler's own headers may go where nothing is encrypted: only where a seed is not either."""
        return any(parsed.scheme == "http" for seed in self.seeds if (parsed := parse_url(seed)))

    @property
    def max_page_bytes(self) -> int:
        """How much of a page is taken, decompressed."""
        return round(self.page_mb * 1_000_000)

    @property
    def open_requests_per_host(self) -> int:
        """How many requests of one worker may be open at one host."""
        return min(self.threads, self.requests_per_host or self.threads)

    def scope(self) -> Scope:
        """Which addresses belong to the crawl; raises SpecError for a pattern that cannot be read."""
        return Scope(seeds=self.seeds, same_site=self.same_site, allow=self.allow, exclude=self.exclude)

    def preferred(self) -> Callable[[str], bool] | None:
        """Whether an address is to come before others of its level; None without a preference."""
        return any_pattern(self.prefer)

    def trap_rules(self, *, this_year: int) -> TrapRules:
        """Which addresses look endless."""
        return TrapRules(this_year=this_year, pattern_budget=self.pages_per_pattern)


def _spread(limits: Mapping[str, Any]) -> dict[str, Any]:
    """The file's `limits` as fields: rules of inefficiency together, all others by their own names."""
    rules = {each.name for each in fields(Inefficiency)}
    if unknown := sorted(set(limits) - rules - set(LIMITS)):
        raise SpecError(f"“limits” has no option “{unknown[0]}”. Remove it or correct its name.")
    inefficiency = Inefficiency(**{name: value for name, value in limits.items() if name in rules})
    return {name: value for name, value in limits.items() if name in LIMITS} | {"inefficiency": inefficiency}


def _convert(name: str, value: Any) -> Any:
    if name in _LISTS:
        return tuple(value)
    if name == "strategy":
        return Strategy(value)
    if name == "addresses":
        return _addresses(value)
    if name == "canonical_links":
        return CanonicalLinks(value)
    return SameSite(value) if name == "same_site" else value


def _addresses(value: Mapping[str, Any] | CanonicalOptions) -> CanonicalOptions:
    if isinstance(value, CanonicalOptions):
        return value
    known = {each.name for each in fields(CanonicalOptions)}
    if unknown := sorted(set(value) - known):
        raise SpecError(f"“addresses” has no option “{unknown[0]}”. Remove it or correct its name.")
    ignored = frozenset(value.get("ignored_parameters", ()))
    return CanonicalOptions(**{**value, "ignored_parameters": ignored})
