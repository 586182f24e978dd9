"""Which hosts are one website: by name, or by registrable domain (public suffix list as bundled, never fetched)."""

from enum import StrEnum
from functools import lru_cache

import tldextract

# With the list's private part: `alice.github.io` and `bob.github.io`, or two shops of one host, are no one site.
_extract = tldextract.TLDExtract(
    suffix_list_urls=(), cache_dir=None, fallback_to_snapshot=True, include_psl_private_domains=True
)


class SameSite(StrEnum):
    """How far a crawl may wander: one host (with or without `www.`), one registrable domain, anywhere."""

    HOST = "host"
    DOMAIN = "domain"
    OFF = "off"


@lru_cache(maxsize=10_000)
def registrable_domain(host: str) -> str:
    """`shop.example.co.uk` → `example.co.uk`; an address or a bare name stands for itself."""
    return _extract(host.strip("[]")).top_domain_under_public_suffix or host


@lru_cache(maxsize=10_000)
def site_of(host: str, same_site: SameSite) -> str:
    """The name of the site a host belongs to: two hosts are one site when these are equal."""
    if same_site is SameSite.OFF:
        return ""
    if same_site is SameSite.DOMAIN:
        return registrable_domain(host)
    return host.removeprefix("www.").removesuffix(".")
