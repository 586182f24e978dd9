"""What of the web belongs to a crawl: same site, allowed and excluded addresses."""

import re
from collections.abc import Callable, Sequence

import re2
import regex
from ada_url import idna_to_unicode

from crawler_node.contracts import Refusal
from crawler_node.errors import SpecError
from crawler_node.urls.canonicalize import CanonicalUrl
from crawler_node.urls.parse import parse_url
from crawler_node.urls.sites import SameSite, site_of

_REGEX_TIMEOUT_SECONDS = 0.05
_QUIET = re2.Options()
_QUIET.log_errors = False
_HOST = re.compile(r"https?://[^/?#*]*", re.IGNORECASE)
_LETTERS = re.compile(r"(?:%[89A-Fa-f][0-9A-Fa-f])+")
_REGEX_SIGNS = ("\\", "^", "$", "|", "[", "{", ".*", ".+", "(?")


class AddressPattern:
    """One line of `allow` or `exclude`: a piece of an address, a wildcard (`*`), or a regular expression.

    Plain text matches anywhere in the address; so does a wildcard, but one that begins with http must match from the
    start; a line with signs that addresses do not have is a regular expression too (RE2, or `regex` with a time limit
    where RE2 refuses). A line in other letters than those of addresses is compared with what these stand for.
    """

    def __init__(self, text: str) -> None:
        text = text.strip()
        self._is_readable = not text.isascii()
        self.text = text if _is_expression(text) else _HOST.sub(lambda found: found[0].lower(), text, count=1)
        self._search = _compile(self.text)

    def matches(self, url: str) -> bool:
        """Whether the address is meant."""
        if self._is_readable:
            url = readable(url)
        if self.text in url or self._search is None:
            return self.text in url
        try:
            return bool(self._search(url))
        except TimeoutError:
            return False


def readable(url: str) -> str:
    """A URL in WHATWG form as people write it: letters of all scripts in its name, path and query as themselves."""
    scheme, found, rest = url.partition("://")
    authority, slash, path = rest.partition("/")
    letters = _LETTERS.sub(lambda match: _letters(match[0]), path) if "%" in path else path
    return f"{scheme}{found}{idna_to_unicode(authority) if 'xn--' in authority else authority}{slash}{letters}"


def _letters(escapes: str) -> str:
    try:
        return bytes.fromhex(escapes.replace("%", "")).decode()
    except UnicodeDecodeError:
        return escapes


def any_pattern(texts: Sequence[str]) -> Callable[[str], bool] | None:
    """Whether one of the lines means an address; None when there is none that says anything."""
    patterns = [AddressPattern(text) for text in texts if text.strip()]
    return (lambda url: any(pattern.matches(url) for pattern in patterns)) if patterns else None


def _is_expression(text: str) -> bool:
    return any(sign in text for sign in _REGEX_SIGNS)


def _compile(text: str) -> Callable[[str], object] | None:
    if _is_expression(text):
        return _compile_expression(text)
    if "*" not in text:
        return None
    body = ".*".join(re2.escape(part) for part in text.split("*"))
    return _compile_expression(f"^{body}" if text.startswith("http") else body)


def _compile_expression(text: str) -> Callable[[str], object]:
    try:
        search: Callable[[str], object] = re2.compile(text, _QUIET).search
        return search
    except re2.error:
        pass
    try:
        pattern = regex.compile(text)
    except regex.error as error:
        raise SpecError(f"“{text}” is not a valid address pattern: {error}. Use * for “anything”.") from error
    return lambda url: pattern.search(url, timeout=_REGEX_TIMEOUT_SECONDS)


class Scope:
    """The border of one crawl, frozen with it.

    A link belongs to the crawl when it leads to a seed's site or stays on its page's own site; a page gets to a foreign
    site only by a seed that redirects there.
    """

    def __init__(
        self,
        *,
        seeds: Sequence[str],
        same_site: SameSite = SameSite.HOST,
        allow: Sequence[str] = (),
        exclude: Sequence[str] = (),
    ) -> None:
        self._same_site = same_site
        self._sites = {site_of(parsed.host, same_site) for seed in seeds if (parsed := parse_url(seed))}
        self._allow = [AddressPattern(text) for text in allow if text.strip()]
        self._exclude = [AddressPattern(text) for text in exclude if text.strip()]

    def check(self, url: CanonicalUrl, *, page_host: str | None = None) -> Refusal | None:
        """None when the URL belongs to the crawl. `page_host` is where the link stands; None asks for the URL alone."""
        if self._same_site is not SameSite.OFF and not self._is_same_site(url.host, page_host):
            return Refusal.CROSS_SITE
        if any(pattern.matches(url.url) for pattern in self._exclude):
            return Refusal.EXCLUDED
        if self._allow and not any(pattern.matches(url.url) for pattern in self._allow):
            return Refusal.OUT_OF_SCOPE
        return None

    def _is_same_site(self, host: str, page_host: str | None) -> bool:
        site = site_of(host, self._same_site)
        return site in self._sites or (page_host is not None and site == site_of(page_host, self._same_site))
