"""From bytes to a tree that has lost nothing: what libxml2 would drop is put back, what it cannot read is an error.

Comments and processing instructions are left out, so that a text is one text node wherever a reader sees one text.
"""

import re
import threading
from collections.abc import Sequence
from dataclasses import dataclass, field

from lxml import etree

from crawler_node.contracts import media_type_of
from crawler_node.extract.charset import decode
from crawler_node.extract.errors import PageError
from crawler_node.extract.flattening import flatten
from crawler_node.extract.links import join_url
from crawler_node.urls.parse import MAX_URL_CHARACTERS

_local = threading.local()

_SIGNATURES = {
    b"%PDF-": "a PDF file",
    b"\x89PNG": "a PNG image",
    b"GIF8": "a GIF image",
    b"\xff\xd8\xff": "a JPEG image",
    b"PK\x03\x04": "a ZIP archive",
    b"\x1f\x8b": "compressed data",
    b"RIFF": "a media file",
    b"\x7fELF": "a program",
}
_HTML_TYPES = {"", "text/html", "application/xhtml+xml", "application/xml", "text/xml", "application/vnd.wap.xhtml+xml"}
_HTML_START = re.compile(rb"\s*<(?:!doctype\s+html|html|head|body|\?xml)\b", re.IGNORECASE)
_LEADING_NOTHING = re.compile(rb"\A(?:\s|\xef\xbb\xbf)+")
_KEPT_OR_CLOSER = re.compile(
    rb"(<(script|style|textarea)\b.*?(?:</\2\s*>|\Z)|<!--.*?(?:-->|\Z))|</(?:html|body)\s*>",
    re.IGNORECASE | re.DOTALL,
)
# An end tag that browsers take for a line break; not in tags, whose attributes may hold anything.
_KEPT_OR_BREAK = re.compile(
    rb"(<(script|style|textarea|title)\b.*?(?:</\2\s*>|\Z)|<!--.*?(?:-->|\Z)"
    rb"|<[a-z](?:\"[^\"]*+(?:\"|\Z)|'[^']*+(?:'|\Z)|[^\"'>])*+(?:>|\Z))|</br(?:[\s/][^>]*+)?(?:>|\Z)",
    re.IGNORECASE | re.DOTALL,
)
_COMMENT = re.compile(rb"!(?=--)")
# Scripts and the like may hold <!-- as they hold anything; browsers take --!> for the end of a comment, too.
_OPEN_COMMENT = re.compile(
    rb"<(script|style|textarea|title|iframe)\b.*?(?:</\1\b|\Z)|<!--(?:-?>|.*?--!?>|(?P<open>))",
    re.IGNORECASE | re.DOTALL,
)
_SELF_CLOSED = re.compile(rb"<([a-zA-Z][\w:\-]*)((?:\s[^<>]*)?)/>")
_VOID = {
    b"area",
    b"base",
    b"br",
    b"col",
    b"embed",
    b"hr",
    b"img",
    b"input",
    b"link",
    b"meta",
    b"source",
    b"track",
    b"wbr",
}
_SEARCHED_BYTES = 10_000
_START_TAG = re.compile(rb"<\w+\s[^<>]{0,9999}>")
_LONG_BASE = (
    f"The page's <base> is longer than {MAX_URL_CHARACTERS:,} characters, which no address is, and is left out: links "
    "count from the page's own address."
)
_PARTS = {"head", "body", "frameset", "noframes"}
# What pages put after </html> by habit, and no reader sees: moved into the body; anything else is parsed anew.
_FURNITURE = {"script", "style", "noscript", "link", "meta"}


class _TooDeep(PageError):
    """libxml2 follows no more than 2,048 levels."""


@dataclass(slots=True)
class ParsedPage:
    """A page as a tree: `root` is its html element, its links are relative to `base_url` (`<base href>` counts)."""

    root: etree._Element
    url: str
    base_url: str
    charset: str
    language: str = ""
    notices: Sequence[str] = field(default_factory=list)


def parse_page(body: bytes, *, url: str, content_type: str = "") -> ParsedPage:
    """The tree of a page; raises PageError, with a sentence, where it is no HTML or cannot be read whole."""
    _check_kind(body, content_type)
    decoded = decode(body, content_type)
    source = _LEADING_NOTHING.sub(b"", decoded.utf8, count=1)
    if b"\0" in source:
        source = source.replace(b"\0", b"")
    if "xhtml" in content_type:
        source = _SELF_CLOSED.sub(_open_and_close, source)
    elif b"</br" in source or b"</BR" in source:
        source = _KEPT_OR_BREAK.sub(lambda match: match.group(1) or b"<br>", source)
    notices = [decoded.notice] if decoded.notice else []
    try:
        root = _parse_whole(source)
    except _TooDeep:
        root = _parse_whole(flatten(source))
        notices.append("The page nests its elements too deep; the deepest were put side by side, as browsers do.")
    if _has_open_comment(source):
        notices.append("A comment (<!--) is never closed; what follows it is not part of the page, as in a browser.")
    return ParsedPage(root, url, _base_url(root, url, notices), decoded.charset, _language(root), notices)


def parse_text(text: str, *, url: str) -> ParsedPage:
    """The tree of a page that is characters already, such as a browser's page source."""
    return parse_page(text.encode("utf-8", "replace"), url=url, content_type="text/html; charset=utf-8")


def _check_kind(body: bytes, content_type: str) -> None:
    kind = media_type_of(content_type)
    for signature, name in _SIGNATURES.items():
        if body.startswith(signature):
            raise PageError(f"The server sent {name}, not a web page.")
    if kind not in _HTML_TYPES and not _HTML_START.match(body):
        raise PageError(f"The server sent {kind}, not a web page.")


def _parse_whole(source: bytes) -> etree._Element:
    root = _parse(source)
    strays = _strays(root)
    if _has_stray_text(root) or any(stray.tag not in _FURNITURE for stray in strays):
        root = _parse(_KEPT_OR_CLOSER.sub(lambda match: match.group(1) or b"", source))
        _take_in(root)
    elif strays:
        _take_in(root)
    _restore_attributes(root, source)
    return root


def _parse(source: bytes) -> etree._Element:
    parser = _parser()
    try:
        root: etree._Element | None = etree.fromstring(source, parser)
    except (etree.XMLSyntaxError, ValueError):
        root = None
    _check_whole(parser)
    if root is None:
        raise PageError("The page is empty.")
    return root


def _check_whole(parser: etree.HTMLParser) -> None:
    """A fatal error ends the parse, and the tree holds only what came before: libxml2 tells in its log alone."""
    last = parser.error_log.last_error
    if last is None or last.level != etree.ErrorLevels.FATAL or last.type == etree.ErrorTypes.ERR_DOCUMENT_EMPTY:
        return
    if last.type == etree.ErrorTypes.ERR_NO_MEMORY:
        raise MemoryError
    if last.type == etree.ErrorTypes.ERR_RESOURCE_LIMIT:
        raise _TooDeep("The page nests its elements more than 2,000 levels deep and cannot be read whole.")
    raise PageError(f"The page cannot be read whole: {last.message}.")


def _parser() -> etree.HTMLParser:
    parser: etree.HTMLParser | None = getattr(_local, "parser", None)
    if parser is None:
        parser = etree.HTMLParser(encoding="utf-8", huge_tree=True, remove_comments=True, remove_pis=True)
        _local.parser = parser
    return parser


def _strays(root: etree._Element) -> list[etree._Element]:
    """What follows an early </html> or </body>: libxml2 puts it beside the body or the page."""
    beside_body = [child for child in root if child.tag not in _PARTS]
    beside_page = [child for sibling in root.itersiblings() for child in sibling]
    return beside_body + beside_page


def _has_stray_text(root: etree._Element) -> bool:
    texts = [child.tail for child in root] + [sibling.text for sibling in root.itersiblings()]
    return any(text and not text.isspace() for text in texts)


def _take_in(root: etree._Element) -> None:
    """What stands beside the body, or beside the page, goes to the end of the body, in order."""
    body = root.find("body")
    home = root if body is None else body
    if body is not None and body.tail:
        _append_text(home, body.tail)
        body.tail = None
    home.extend([child for child in root if child.tag not in _PARTS])
    for sibling in root.itersiblings():
        _append_text(home, sibling.text)
        sibling.text = None
        home.extend(list(sibling))


def _append_text(home: etree._Element, text: str | None) -> None:
    """White space alone stays away: it is between the tags that follow the page."""
    if not text or text.isspace():
        return
    if len(home):
        home[-1].tail = (home[-1].tail or "") + text
    else:
        home.text = (home.text or "") + text


def _restore_attributes(root: etree._Element, source: bytes) -> None:
    """Put the attributes of <html> and <body> back where something before these tags made libxml2 drop them."""
    for element in (root, root.find("body")):
        if element is None or element.attrib or element.tag not in {"html", "body"}:
            continue
        match = _start_tag(source, str(element.tag))
        if match is None:
            continue
        opened = _parse(match.group())
        found = opened if element.tag == "html" else opened.find("body")
        for name, value in found.items() if found is not None else ():
            if ":" not in name:
                element.set(name, value)


def _start_tag(source: bytes, name: str) -> re.Match[bytes] | None:
    """The first start tag of that name, if it has attributes; looked for as it is usually written, which is quick."""
    place = source.find(f"<{name}".encode())
    if place < 0:
        place = source.find(f"<{name.upper()}".encode(), 0, _SEARCHED_BYTES)
    return _START_TAG.match(source, place) if place >= 0 else None


def _has_open_comment(source: bytes) -> bool:
    """Whether the last comment is never closed. Few pages have any: looking for a rare sign first is quickest."""
    if _COMMENT.search(source) is None:
        return False
    if source.rfind(b"<!--") < source.rfind(b"-->"):
        return False
    return any(match["open"] is not None for match in _OPEN_COMMENT.finditer(source))


def _open_and_close(match: re.Match[bytes]) -> bytes:
    name = match.group(1)
    if name.lower() in _VOID:
        return match.group()
    return b"<%s%s></%s>" % (name, match.group(2), name)


def _base_url(root: etree._Element, url: str, notices: list[str]) -> str:
    href = next((href for base in root.iter("base") if (href := base.get("href")) is not None), None)
    joined = join_url(url, href) if href and len(href) <= MAX_URL_CHARACTERS else href
    if joined and len(joined) > MAX_URL_CHARACTERS:  # every link would carry it
        notices.append(_LONG_BASE)
        return url
    # Browsers take neither data: nor javascript: for a base; with file: or about: they still open whole addresses.
    if joined and not joined.startswith(("http://", "https://", f"{url.partition(':')[0]}:")):
        return url
    return joined or url


def _language(root: etree._Element) -> str:
    return (root.get("lang") or root.get("xml:lang") or "").strip()
