"""Links of a page to canonical URLs, with a bounded memory of those met before: most links of a site are its menus."""

from collections.abc import Iterable
from typing import NamedTuple

from crawler_node.contracts import Link
from crawler_node.urls.canonicalize import Canonicalizer, CanonicalUrl
from crawler_node.urls.parse import MAX_URL_CHARACTERS, PLAIN, ParsedUrl, parse_url, split
from crawler_node.urls.queries import in_charset

_ABSOLUTE = ("http://", "https://")
_UNKNOWN = CanonicalUrl("", b"", "", "", "", "")
_TOO_LONG = CanonicalUrl("", b"", "", "", "", "")


class LinkBase(NamedTuple):
    """What the hrefs of one page are relative to, cut once per page; `charset` where queries are not in UTF-8."""

    url: str
    origin: str
    folder: str
    host: str
    parsed: ParsedUrl
    charset: str = ""


class LinkResolver:
    """Resolves hrefs; remembers between `capacity` and twice as many of them, the latest used.

    Two generations make the memory bounded without a list to keep in order: a full young one becomes the old one.
    `too_long` counts the hrefs that led to more than `MAX_URL_CHARACTERS`: these lead nowhere, and are not remembered.
    """

    def __init__(self, canonicalizer: Canonicalizer, *, capacity: int = 50_000) -> None:
        self._canonicalizer = canonicalizer
        self._capacity = capacity
        self.too_long = 0
        self._keeps_fragment = canonicalizer.options.keep_fragment
        self._young: dict[str, CanonicalUrl | None] = {}
        self._old: dict[str, CanonicalUrl | None] = {}

    def base(self, url: str, *, is_form: bool = False, charset: str = "") -> LinkBase | None:
        """The base of a page, or None when its URL is not http(s). `is_form` where it is in WHATWG form already.

        `charset` of a page that is not in Unicode: its queries are written in it.
        """
        parsed = split(url) if is_form else parse_url(url)
        if parsed is None:
            return None
        origin = f"{parsed.scheme}://{parsed.authority}"
        folder = origin + parsed.path[: parsed.path.rindex("/") + 1]
        return LinkBase(parsed.url, origin, folder, parsed.host, parsed, charset)

    def resolve(self, base: LinkBase, href: str) -> CanonicalUrl | None:
        """Where a link leads; None when not to an http(s) URL, or only to a place on the same page."""
        href = href.strip(" \t\r\n\f")
        if base.charset and not href.isascii():
            href = in_charset(href, base.charset)
        if "#" in href and not self._keeps_fragment:
            before = href.partition("#")[0]
            if before != before.rstrip():  # a space before the fragment belongs to the path
                return self._meet(href, base, None)
            href = before
        if not href:
            return None
        spelling = memory_key(base, href)
        if spelling is None:
            return self._meet(href, base, None)
        found = self._young.get(spelling, _UNKNOWN)
        if found is _UNKNOWN and spelling in self._old:
            found = self._old[spelling]
            self._remember(spelling, found)
        return self._meet(href, base, spelling) if found is _UNKNOWN else found

    def resolve_all(self, base: LinkBase, links: Iterable[Link]) -> list[tuple[CanonicalUrl, Link]]:
        """`resolve` for all links of a page, without those that lead nowhere; most are known as they are written."""
        young, origin, is_legacy = self._young, base.origin, bool(base.charset)
        places = []
        for link in links:
            href = link.href
            found: CanonicalUrl | None = _UNKNOWN
            if href[:1] == "/" and href[1:2] != "/" and "\\" not in href and not (is_legacy and not href.isascii()):
                found = young.get(origin + href, _UNKNOWN)
            place = self.resolve(base, href) if found is _UNKNOWN else found
            if place is not None:
                places.append((place, link))
        return places

    def locate(self, url: str) -> CanonicalUrl | None:
        """An absolute URL by itself."""
        found = self._young.get(url, _UNKNOWN)
        return self._canonicalizer.canonicalize(url) if found is _UNKNOWN else found

    def _meet(self, href: str, base: LinkBase, spelling: str | None) -> CanonicalUrl | None:
        """Where an href leads that is not remembered; from now on it is, under its spelling."""
        found = self._canonicalize(href, base) if len(href) <= MAX_URL_CHARACTERS else _TOO_LONG
        if found is _TOO_LONG or (found is not None and len(found.url) > MAX_URL_CHARACTERS):
            self.too_long += 1
            return None
        if spelling is not None:
            self._remember(spelling, found)
        return found

    def _canonicalize(self, href: str, base: LinkBase) -> CanonicalUrl | None:
        plain = PLAIN.fullmatch(href)
        if plain is None or "/." in href:
            return self._canonicalizer.canonicalize(href, base.url)
        return self._canonicalizer.from_parts(base.parsed._replace(path=plain[1], query=plain[2] or ""))

    def _remember(self, spelling: str, found: CanonicalUrl | None) -> None:
        if len(self._young) >= self._capacity:
            self._old, self._young = self._young, {}
        self._young[spelling] = found


def memory_key(base: LinkBase, href: str) -> str | None:
    """A text that two (base, href) pairs share only if they lead to the same place; None for odd spellings."""
    if href.startswith("/"):
        return None if href.startswith("//") or "\\" in href else base.origin + href
    if href.startswith(_ABSOLUTE):
        return href
    if ":" in href or "\\" in href or href.startswith(("?", "#")):
        return None
    return base.folder + href
