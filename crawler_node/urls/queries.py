"""Queries of pages that are not in Unicode: browsers write them in the page's own charset (WHATWG URL, 4.4).

A page in windows-1251 that links to `?q=тест` means `?q=%F2%E5%F1%F2`; its server knows no other spelling.
"""

import codecs
import re

_NOT_ASCII = re.compile(r"[^\x00-\x7f]+")
_ESCAPED = frozenset(range(0x21)) | frozenset(b"\"#<>'") | frozenset(range(0x7F, 0x100))
_ERRORS = "gleaner-query"


def legacy_charset(charset: str) -> str:
    """The charset that queries of such a page are written in, '' for UTF-8: that of UTF-16 too."""
    return "" if charset.startswith("utf") else charset


def in_charset(href: str, charset: str) -> str:
    """`href` with the query escaped in a charset; what that cannot say becomes `&#1090;`, escaped, as in browsers."""
    rest, hash_sign, fragment = href.partition("#")
    address, mark, query = rest.partition("?")
    if query.isascii():
        return href
    escaped = _NOT_ASCII.sub(lambda match: _escape(match.group(), charset), query)
    return f"{address}{mark}{escaped}{hash_sign}{fragment}"


def _escape(text: str, charset: str) -> str:
    return "".join(f"%{byte:02X}" if byte in _ESCAPED else chr(byte) for byte in text.encode(charset, _ERRORS))


def _as_references(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    return "".join(f"%26%23{ord(character)}%3B" for character in error.object[error.start : error.end]), error.end


codecs.register_error(_ERRORS, _as_references)
