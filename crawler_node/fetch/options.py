"""What may be chosen about fetching, frozen for the life of a lane."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from crawler_node.fetch.networks import NetworkPolicy

PAGE_TYPES = frozenset({"text/html", "application/xhtml+xml", "application/xml", "text/xml", "text/plain"})
SITEMAP_TYPES = PAGE_TYPES | {
    "application/rss+xml",
    "application/atom+xml",
    "application/gzip",
    "application/x-gzip",
    "application/octet-stream",
    "binary/octet-stream",
}


@dataclass(frozen=True, slots=True)
class LaneOptions:
    """Sizes are bytes after decompression; `deadline_seconds` is for a whole page, from the name to its last byte.

    `headers` go only to hosts of which `is_own` is true; without it to every host that is asked; and without
    `headers_in_open` only over https. `is_one_site` unless a crawl starts on several hosts: then a captcha on one of
    them does not stop the others.
    """

    user_agent: str = "Gleaner"
    headers: Mapping[str, str] = field(default_factory=dict)
    is_own: Callable[[str], bool] | None = None
    headers_in_open: bool = True
    policy: NetworkPolicy = field(default_factory=NetworkPolicy)
    proxies: tuple[str, ...] = ()
    deadline_seconds: float = 30.0
    connect_seconds: float = 10.0
    max_body_bytes: int = 10_000_000
    max_sitemap_bytes: int = 60_000_000
    max_redirects: int = 10
    page_types: frozenset[str] = PAGE_TYPES
    keep_cookies: bool = True
    connections_per_host: int = 0
    is_one_site: bool = True
