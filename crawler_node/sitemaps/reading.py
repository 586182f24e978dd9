"""Reading a sitemap bit by bit."""

import re
import zlib
from collections.abc import Iterator
from typing import NamedTuple

from lxml import etree

from crawler_node.urls.parse import MAX_URL_CHARACTERS

_CHUNK_BYTES = 1 << 16
MAX_UNPACKED_BYTES = 500_000_000
MAX_ENTRIES = 200_000
# One more than an address may have: what is cut must not look like one.
_MAX_TEXT_CHARACTERS = MAX_URL_CHARACTERS + 1
# What may stand between two addresses: alternatives, pictures and videos of a page.
_MAX_QUIET_BYTES = 2_000_000
_MAX_STREAMS = 5_000
_GZIP = b"\x1f\x8b"
# How XML in UTF-16 begins, as programs for Windows write it.
_WIDE = (b"\xff\xfe<\0", b"\xfe\xff\0<")
# What can be read as it stands is not in UTF-16; .NET says so of whatever it first held in memory.
_FALSELY_WIDE = re.compile(rb"<\?xml[^>]*\bencoding\s*=\s*[\"']utf-16", re.IGNORECASE)
_ROOTS = ("urlset", "sitemapindex", "rss", "feed", "RDF")
_ENTRIES = frozenset({"url", "sitemap", "item", "entry"})
# Which of the links of a feed's entry is its page (RFC 4287, 4.2.7.2); one that says nothing is, too.
_PAGE = "alternate"
_FIELDS = frozenset({"loc", "lastmod", "priority", "link", "pubDate", "updated"})


class SitemapError(ValueError):
    """It is not a sitemap, or stops being one half-way; the entries before that were given."""


class SitemapEntry(NamedTuple):
    """One address of a sitemap: of a page, or of another sitemap when `is_sitemap`."""

    url: str
    is_sitemap: bool = False
    last_modified: str = ""
    priority: float | None = None


def read_sitemap(body: bytes, *, max_entries: int = MAX_ENTRIES) -> Iterator[SitemapEntry]:
    """Its entries in order, as they are read: memory does not grow with the sitemap.

    Gzipped or not; a sitemap, an index of sitemaps, an RSS or Atom feed, or one address per line. Raises SitemapError
    for anything else, possibly after some entries.
    """
    chunks = _Source(_unpack(body) if body.startswith(_GZIP) else _cut(body))
    first = next(chunks, b"")
    entries = (
        _read_xml(first, chunks)
        if first.lstrip(b"\xef\xbb\xbf \t\r\n").startswith((b"<", *_WIDE))
        else _read_lines(first, chunks)
    )
    for number, entry in enumerate(entries):
        if number >= max_entries:
            return
        chunks.gave_entry()
        yield entry


def _cut(body: bytes) -> Iterator[bytes]:
    for start in range(0, len(body), _CHUNK_BYTES):
        yield body[start : start + _CHUNK_BYTES]


def _unpack(body: bytes) -> Iterator[bytes]:
    size = place = 0
    for _ in range(_MAX_STREAMS):
        if not body.startswith(_GZIP, place):
            return
        stream = zlib.decompressobj(31)
        while not stream.eof:
            # In pieces: what is left of one is handed back as a copy.
            piece = body[place : place + _CHUNK_BYTES]
            try:
                chunk = stream.decompress(piece, _CHUNK_BYTES)
            except zlib.error:
                raise SitemapError("The sitemap is packed in a broken way: its bytes make no sense.") from None
            place += len(piece) - len(stream.unconsumed_tail) - len(stream.unused_data)
            size += len(chunk)
            if size > MAX_UNPACKED_BYTES:
                raise SitemapError(f"The sitemap is larger than {MAX_UNPACKED_BYTES} bytes.")
            if chunk:
                yield chunk
            elif not piece and not stream.eof:
                raise SitemapError("The sitemap is packed, and ends too early.")
    raise SitemapError(f"The sitemap is packed in more than {_MAX_STREAMS:,} parts.")


class _Source:
    """The chunks of a sitemap. Raises SitemapError when too much of it came since the last address: nobody lets go
    of what is read in between, nor pauses."""

    def __init__(self, chunks: Iterator[bytes]) -> None:
        self._chunks = chunks
        self._quiet_bytes = 0

    def __iter__(self) -> Iterator[bytes]:
        return self

    def __next__(self) -> bytes:
        chunk = next(self._chunks)
        self._quiet_bytes += len(chunk)
        if self._quiet_bytes > _MAX_QUIET_BYTES:
            raise SitemapError(f"The sitemap goes on for {_MAX_QUIET_BYTES:,} bytes without an address.")
        return chunk

    def gave_entry(self) -> None:
        self._quiet_bytes = 0


def _read_lines(first: bytes, rest: Iterator[bytes]) -> Iterator[SitemapEntry]:
    text = first.replace(b"\r", b"\n")
    for chunk in rest:
        *lines, text = (text + chunk.replace(b"\r", b"\n")).split(b"\n")
        yield from _entries_of_lines(lines)
        if len(text) > _CHUNK_BYTES:
            raise SitemapError("The sitemap is neither XML nor a list of addresses.")
    yield from _entries_of_lines(text.split(b"\n"))


def _entries_of_lines(lines: list[bytes]) -> Iterator[SitemapEntry]:
    for line in lines:
        url = line.decode("utf-8-sig", "replace").strip()
        if url.startswith(("http://", "https://")):
            yield SitemapEntry(url)
        elif url:
            raise SitemapError("The sitemap is neither XML nor a list of addresses.")


def _read_xml(first: bytes, rest: Iterator[bytes]) -> Iterator[SitemapEntry]:
    first = first.lstrip(b"\xef\xbb\xbf \t\r\n")
    parser = etree.XMLPullParser(
        events=("end",),
        tag=[f"{{*}}{name}" for name in (*_ROOTS, *_ENTRIES, *_FIELDS)],
        resolve_entities=False,
        no_network=True,
        recover=False,
        remove_comments=True,
        huge_tree=False,
        encoding="utf-8" if _FALSELY_WIDE.match(first) else None,
    )
    collected = _Collector()
    try:
        parser.feed(first)
        yield from collected.take(parser)
        for chunk in rest:
            parser.feed(chunk)
            yield from collected.take(parser)
        parser.close()
    except etree.XMLSyntaxError as error:
        yield from collected.take(parser)  # what was whole before that
        place = f": line {error.lineno:,} cannot be read" if error.lineno else ""
        raise SitemapError(f"The sitemap is not proper XML{place}.") from None
    if not collected.has_root:
        raise SitemapError("The file is XML, but not a sitemap.")


class _Collector:
    """Turns finished elements into entries, and empties each as soon as its entry is out."""

    def __init__(self) -> None:
        self.has_root = False
        self._fields: dict[str, str] = {}

    def take(self, parser: etree.XMLPullParser) -> Iterator[SitemapEntry]:
        for _, element in parser.read_events():
            if not isinstance(element, etree._Element):
                continue
            name = _local_name(element)
            if name in _FIELDS:
                self._note(name, element)
            elif name in _ENTRIES:
                entry = self._entry(is_sitemap=name == "sitemap")
                self._fields = {}
                _forget(element)
                if entry is not None:
                    yield entry
            else:
                self.has_root = True

    def _note(self, name: str, element: etree._Element) -> None:
        parent = element.getparent()
        if parent is None or _local_name(parent) not in _ENTRIES:
            return
        if name == "link" and (element.get("rel") or _PAGE) != _PAGE:  # its comments, its file, where it is edited
            return
        text = (element.text or "").strip() or (element.get("href") or "" if name == "link" else "")
        self._fields.setdefault(name, text[:_MAX_TEXT_CHARACTERS])

    def _entry(self, *, is_sitemap: bool) -> SitemapEntry | None:
        fields = self._fields
        url = fields.get("loc") or fields.get("link") or ""
        modified = fields.get("lastmod") or fields.get("updated") or fields.get("pubDate") or ""
        return SitemapEntry(url, is_sitemap, modified, _number(fields.get("priority"))) if url else None


def _local_name(element: etree._Element) -> str:
    return str(element.tag).rpartition("}")[2]


def _number(text: str | None) -> float | None:
    try:
        value = float(text) if text else None
    except ValueError:
        return None
    return value if value is not None and 0.0 <= value <= 1.0 else None


def _forget(element: etree._Element) -> None:
    """Let go of an element and of all that came before it, whatever it stands in."""
    element.clear()
    while (parent := element.getparent()) is not None:
        while element.getprevious() is not None:
            del parent[0]
        element = parent
