"""WHATWG URL parsing, as browsers do it (ada), cut into the parts a crawler needs."""

import re
from functools import lru_cache
from typing import NamedTuple

from ada_url import URL

_HALF_PAIR = re.compile("[\ud800-\udfff]")
# Servers take no more than about 8,000 in a whole request, and trap rules far less; pages may write anything.
MAX_URL_CHARACTERS = 4_000
DEFAULT_PORTS = {"http": 80, "https": 443}
# The longest name that DNS knows, with the dot that may end it, and a port: longer is no address of anything.
MAX_AUTHORITY_CHARACTERS = len("." * 254 + ":65535")
# A path and query that are their own WHATWG form unless they have dots to follow: nothing to escape, one slash first.
PLAIN = re.compile(r"(/(?!/)[A-Za-z0-9\-._~/+,:;@!*()=&]*)(?:\?([A-Za-z0-9\-._~/+,:;@!*()=&?]*))?")
_ORIGIN = re.compile(r"https?://[^/?#\\@]+(?=/)")


class ParsedUrl(NamedTuple):
    """An http(s) URL in its WHATWG form. `host` is punycode and lower case, IPv6 in brackets; the fragment is gone.

    `authority` is host and port as they stand in the URL (a default port does not); credentials are never part of it.
    """

    scheme: str
    host: str
    port: int
    authority: str
    path: str
    query: str

    @property
    def url(self) -> str:
        """The URL again, without credentials and fragment."""
        query = f"?{self.query}" if self.query else ""
        return f"{self.scheme}://{self.authority}{self.path}{query}"


def normalize(url: str, base: str | None = None) -> str | None:
    """The WHATWG serialisation of a URL of any scheme, None when it is none."""
    plain = plain_form(url, base)
    if plain is not None:
        return plain
    try:
        return str(URL(url, base).href)
    except UnicodeEncodeError:  # half a surrogate pair: the standard puts the replacement character there
        return normalize(_HALF_PAIR.sub("\ufffd", url), base and _HALF_PAIR.sub("\ufffd", base))
    except ValueError:
        return None


def plain_form(url: str, base: str | None = None) -> str | None:
    """The same where it can be seen without parsing, as with nearly all addresses; None where it cannot."""
    is_relative = base is not None and url[:1] == "/"
    origin = _ORIGIN.match(base if is_relative and base else url)
    if origin is None:
        return None
    rest = url if is_relative else url[origin.end() :]
    if PLAIN.fullmatch(rest) is None or "/." in rest or not _is_own_form(origin.group()):
        return None
    return origin.group() + rest


@lru_cache(maxsize=4096)
def _is_own_form(origin: str) -> bool:
    try:
        return str(URL(origin + "/").href) == origin + "/"
    except ValueError:
        return False


def parse_url(url: str, base: str | None = None) -> ParsedUrl | None:
    """The parts of an http(s) URL, None for anything else."""
    href = normalize(url, base)
    return None if href is None else split(href)


def split(href: str) -> ParsedUrl | None:
    """Cut a WHATWG serialisation into parts; None unless it is http or https, with a host that there can be."""
    scheme, found, rest = href.partition("://")
    if not found or scheme not in DEFAULT_PORTS:
        return None
    rest = rest.partition("#")[0]
    before_query, _, query = rest.partition("?")
    authority, _, path = before_query.partition("/")
    authority = authority.rpartition("@")[2]
    if len(authority) > MAX_AUTHORITY_CHARACTERS:
        return None
    host, port = _split_authority(authority, scheme)
    return ParsedUrl(scheme, host, port, authority, "/" + path, query) if host else None


def _split_authority(authority: str, scheme: str) -> tuple[str, int]:
    host, colon, port = authority.rpartition(":")
    if colon and port.isdigit():
        return host, int(port)
    return authority, DEFAULT_PORTS[scheme]
