"""URLs: parsing by the WHATWG standard, canonical forms and keys, sites, scopes, seeds."""

from crawler_node.urls.canonicalize import Canonicalizer, CanonicalLinks, CanonicalOptions, CanonicalUrl
from crawler_node.urls.parse import ParsedUrl, parse_url
from crawler_node.urls.resolve import LinkBase, LinkResolver
from crawler_node.urls.scope import Scope
from crawler_node.urls.seeds import check_seed
from crawler_node.urls.sites import SameSite, registrable_domain, site_of

__all__ = [
    "CanonicalLinks",
    "CanonicalOptions",
    "CanonicalUrl",
    "Canonicalizer",
    "LinkBase",
    "LinkResolver",
    "ParsedUrl",
    "SameSite",
    "Scope",
    "check_seed",
    "parse_url",
    "registrable_domain",
    "site_of",
]
