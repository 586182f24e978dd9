"""One identity per page: the same page under many spellings of its address gets one key.

A URL has two forms here. `CanonicalUrl.url` is what is fetched: the WHATWG form without fragment, credentials,
tracking parameters and session ids. Its key is made from the canonical form, which goes further (sorted parameters,
`index.html`, percent-encoding): far enough to tell two spellings as one, too far to be sure that every server
answers to it.
"""

import re
from dataclasses import dataclass
from enum import StrEnum
from hashlib import blake2b
from typing import NamedTuple
from urllib.parse import unquote

from crawler_node.urls.parse import ParsedUrl, parse_url, split


def _names(text: str) -> frozenset[str]:
    return frozenset(text.split())


TRACKING_PARAMETERS = _names(
    "gclid gclsrc dclid gbraid wbraid srsltid fbclid msclkid yclid twclid ttclid li_fat_id epik igshid mc_cid mc_eid "
    "_ga _gl _hsenc _hsmi hsctatracking mkt_tok vero_id vero_conv wickedid oly_anon_id oly_enc_id rb_clickid s_cid "
    "_openstat __hssc __hstc __hsfp hsa_cam hsa_grp hsa_ad pk_campaign pk_kwd mtm_campaign mtm_kwd mtm_source "
    "mtm_medium"
)
TRACKING_PREFIXES = ("utm_",)
SESSION_PARAMETERS = _names("phpsessid jsessionid cfid cftoken oscsid zenid")
# These names also carry ordinary values ("?session=morning"): they are dropped only with a value that looks made up.
SESSION_LIKE_PARAMETERS = _names("sid sess session sessionid session_id sessid s_id xtsid")
INDEX_NAMES = _names("index.html index.htm")

_MADE_UP = re.compile(r"(?=[^&]*\d)[0-9A-Za-z_,-]{16,}\Z")
# Words and short numbers with signs between them: a name that somebody gave (“2026-opening-keynote”).
_GIVEN = re.compile(r"(?=.*[A-Za-z]{4})(?:[A-Za-z]++|\d{1,4}+)(?:[_-](?:[A-Za-z]++|\d{1,4}+))++\Z")
_PATH_SESSION = re.compile(r";(?:jsessionid|phpsessid|sid)=[^/?;]*", re.IGNORECASE)
# A whole part of a path: what stood behind half of one would become part of the host.
_ASP_SESSION = re.compile(r"/\(S\([0-9a-z]{20,}\)\)(?![^/])", re.IGNORECASE)
_ESCAPE = re.compile(r"%([0-9A-Fa-f]{2})")
_UNRESERVED = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")


@dataclass(frozen=True, slots=True)
class CanonicalOptions:
    """What counts as the same page. The defaults merge only what all but perverse servers treat as one.

    `ignored_parameters` are dropped beside the tracking ones; `keep_query` False drops every query (pagination too).
    """

    drop_tracking: bool = True
    drop_session_ids: bool = True
    sort_parameters: bool = True
    drop_index_names: bool = True
    drop_empty_parameters: bool = False
    keep_fragment: bool = False
    keep_query: bool = True
    ignored_parameters: frozenset[str] = frozenset()
    ignore_scheme: bool = False
    ignore_www: bool = False


class CanonicalLinks(StrEnum):
    """What a page's `<link rel=canonical>` is worth: a name that is noted, a page that is fetched too, or nothing.

    A name is never more than noted: sites that call every page by the address of their first page are common.
    """

    NOTE = "note"
    FOLLOW = "follow"
    IGNORE = "ignore"


class CanonicalUrl(NamedTuple):
    """A URL ready for the frontier: `url` is fetched, `key` is its identity (128 bits).

    `authority` (host and port) is what politeness, robots.txt and budgets go by.
    """

    url: str
    key: bytes
    host: str
    authority: str
    path: str
    query: str


class Canonicalizer:
    """Turns any http(s) URL into its `CanonicalUrl`. The same options give the same keys on every machine and day."""

    def __init__(self, options: CanonicalOptions | None = None) -> None:
        self.options = options or CanonicalOptions()
        self._ignored = frozenset(name.lower() for name in self.options.ignored_parameters)

    def canonicalize(self, url: str, base: str | None = None) -> CanonicalUrl | None:
        """None when it is not an http(s) URL."""
        parsed = parse_url(url, base)
        if parsed is None:
            return None
        return self._finish(parsed, fragment=_fragment(url) if self.options.keep_fragment else "")

    def from_parts(self, parsed: ParsedUrl) -> CanonicalUrl:
        """The same for a URL that is known to be in WHATWG form and has no fragment."""
        return self._finish(parsed, fragment="")

    def form(self, url: str) -> str | None:
        """The canonical form, which people may compare and the key is made from."""
        found = self.canonicalize(url)
        parsed = None if found is None else split(found.url)
        if parsed is None:
            return None
        return self._identity(parsed, _fragment(url) if self.options.keep_fragment else "")

    def _finish(self, parsed: ParsedUrl, *, fragment: str) -> CanonicalUrl:
        path, query = self._clean_path(parsed.path), self._clean_query(parsed.query)
        cleaned = ParsedUrl(parsed.scheme, parsed.host, parsed.port, parsed.authority, path, query)
        key = blake2b(self._identity(cleaned, fragment).encode(), digest_size=16).digest()
        return CanonicalUrl(cleaned.url + fragment, key, parsed.host, parsed.authority, path, query)

    def _clean_path(self, path: str) -> str:
        if not self.options.drop_session_ids:
            return path
        if ";" in path:
            path = _PATH_SESSION.sub("", path)
        return (_ASP_SESSION.sub("", path) or "/") if "/(" in path else path

    def _clean_query(self, query: str) -> str:
        if not query or not self.options.keep_query:
            return ""
        return "&".join(part for part in query.split("&") if part and not self._is_noise(part))

    def _is_noise(self, part: str) -> bool:
        name, _, value = part.partition("=")
        name, options = name.lower(), self.options
        if self._is_ignored(name) or (options.drop_empty_parameters and not value):
            return True
        if options.drop_tracking and (name in TRACKING_PARAMETERS or name.startswith(TRACKING_PREFIXES)):
            return True
        return options.drop_session_ids and _is_session(name, value)

    def _is_ignored(self, name: str) -> bool:
        """`filter[colour]` is meant however a page writes it: `filter%5Bcolour%5D`, too."""
        if name in self._ignored:
            return True
        return bool(self._ignored) and "%" in name and unquote(name).lower() in self._ignored

    def _identity(self, parsed: ParsedUrl, fragment: str) -> str:
        options = self.options
        scheme = "http" if options.ignore_scheme else parsed.scheme
        authority = parsed.authority.removeprefix("www.") if options.ignore_www else parsed.authority
        path, query = _tidy_escapes(parsed.path), _tidy_escapes(parsed.query)
        if options.drop_index_names:
            folder, _, name = path.rpartition("/")
            path = f"{folder}/" if name.lower() in INDEX_NAMES else path
        if options.sort_parameters and "&" in query:
            query = "&".join(sorted(query.split("&")))
        return f"{scheme}://{authority}{path}{'?' + query if query else ''}{fragment}"


def _is_session(name: str, value: str) -> bool:
    if name in SESSION_PARAMETERS or name.startswith("aspsessionid"):
        return True
    if name not in SESSION_LIKE_PARAMETERS or _MADE_UP.match(value) is None:
        return False
    return _GIVEN.match(value) is None


def _fragment(url: str) -> str:
    _, mark, fragment = url.partition("#")
    return f"#{fragment}" if mark and fragment else ""


def _tidy_escapes(text: str) -> str:
    """Upper-case escapes, and none for characters that need none (RFC 3986, 6.2.2)."""
    return _ESCAPE.sub(_tidy_escape, text) if "%" in text else text


def _tidy_escape(match: re.Match[str]) -> str:
    character = chr(int(match[1], 16))
    return character if character in _UNRESERVED else f"%{match[1].upper()}"
