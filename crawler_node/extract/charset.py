"""Which characters the bytes of a page stand for: BOM, header, meta, and a look at the bytes themselves.

Labels mean what browsers take them for (`iso-8859-1` is windows-1252). Where the declared charset cannot be right,
the bytes win and a notice says so; where none is declared and the bytes had to be guessed at, it says that too.
"""

import codecs
import re
from dataclasses import dataclass, replace
from functools import lru_cache

from charset_normalizer import from_bytes
from w3lib.encoding import resolve_encoding

from crawler_node.extract.hebrew import is_hebrew
from crawler_node.extract.latin import latin_charset
from wording import say_count

SNIFF_BYTES = 4_096
DETECT_BYTES = 100_000

_META = re.compile(rb"<meta[^>]{0,300}?charset\s*=\s*[\"']?\s*([\w:.\-]+)", re.IGNORECASE)
_XML = re.compile(rb"\s*<\?xml[^>]{0,200}?encoding\s*=\s*[\"']([\w:.\-]+)", re.IGNORECASE)
_COMMENT = re.compile(rb"<!--.*?(?:-->|\Z)", re.DOTALL)
_HEADER = re.compile(r"charset\s*=\s*[\"']?\s*([\w:.\-]+)", re.IGNORECASE)
_BOMS = ((codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be"))
_MULTIBYTE = re.compile(rb"[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3}")
# The charsets of the Encoding Standard, as Python calls them.
_WEB_CODEC_NAMES = """
utf-8 utf-16 utf-16-le utf-16-be cp866 cp874 cp932 cp949 cp1250 cp1251 cp1252 cp1253 cp1254 cp1255 cp1256 cp1257 cp1258
iso8859-1 iso8859-2 iso8859-3 iso8859-4 iso8859-5 iso8859-6 iso8859-7 iso8859-8 iso8859-10 iso8859-13 iso8859-14
iso8859-15 iso8859-16 koi8-r koi8-u mac-roman mac-cyrillic gb2312 gbk gb18030 big5 big5hkscs euc_jp iso2022_jp shift_jis
euc_kr
"""
# Labels of the Encoding Standard that Python does not know. Those of UTF-16 are left to a look at the bytes.
_ALIASES = {
    label: codec
    for codec, labels in {
        "utf-8": "unicode-1-1-utf-8 unicode11utf8 unicode20utf8 x-unicode20utf8",
        "iso8859-2": "iso88592",
        "iso8859-3": "iso88593",
        "iso8859-4": "iso88594",
        "iso8859-5": "iso88595",
        "iso8859-6": "csiso88596e csiso88596i iso-8859-6-e iso-8859-6-i iso88596",
        "iso8859-7": "iso88597 sun_eu_greek",
        "iso8859-8": "csiso88598e csiso88598i iso-8859-8-e iso-8859-8-i iso88598 logical visual",
        "iso8859-10": "iso885910",
        "iso8859-13": "iso885913",
        "iso8859-14": "iso885914",
        "iso8859-15": "csisolatin9 iso885915",
        "koi8-r": "koi koi8",
        "koi8-u": "koi8-ru",
        "mac-roman": "csmacintosh mac x-mac-roman",
        "mac-cyrillic": "x-mac-cyrillic x-mac-ukrainian",
        "cp874": "dos-874 iso885911",
        "cp1252": "iso88591 x-cp1252",
        "cp1254": "iso88599 x-cp1254",
        **{f"cp125{digit}": f"x-cp125{digit}" for digit in (0, 1, 3, 5, 6, 7, 8)},
        "gb18030": "csgb2312 gb_2312 x-gbk",
        "big5hkscs": "cn-big5 x-x-big5",
        "euc_jp": "cseucpkdfmtjapanese x-euc-jp",
        "cp949": "cseuckr csksc56011987 iso-ir-149 ks_c_5601-1989 ksc_5601 windows-949",
    }.items()
    for label in labels.split()
}
_WEB_CODECS = frozenset(_WEB_CODEC_NAMES.split())
_DETECTED = sorted(codec for codec in _WEB_CODECS if not codec.startswith("utf"))
_LATIN = frozenset(f"iso8859_{part}" for part in (2, 3, 4, 10, 13, 14, 15, 16)) | {
    "ascii",
    "utf_8",
    "latin_1",
    "cp1250",
    "cp1252",
    "cp1254",
    "cp1257",
    "cp1258",
    "mac_roman",
}
_ENOUGH_MULTIBYTE = 2
_NEC_ERRORS = "gleaner-euc-jp"
_NEC_ROWS = frozenset({0xAD, 0xF9, 0xFA, 0xFB, 0xFC})
# Few bad bytes among many good ones are damage, not another charset.
_DAMAGE_SHARE = 0.1


@dataclass(frozen=True, slots=True)
class Decoded:
    """A page's bytes as UTF-8, the charset they came in, and a notice where that is not what the page says."""

    utf8: bytes
    charset: str
    notice: str = ""


def decode(body: bytes, content_type: str = "") -> Decoded:
    """`body` as UTF-8 without BOM. Never raises: bytes that mean nothing become U+FFFD, and a notice says so."""
    for bom, charset in _BOMS:
        if body.startswith(bom):
            return _decode_as(body[len(bom) :], charset)
    declared = _declared(body, content_type)
    if declared == "utf-8":
        return _decode_declared_utf8(body)
    if declared is None:
        return _decode_undeclared(body)
    if not body.isascii() and _is_clearly_utf8(body):
        return Decoded(body, "utf-8", f"The page says it is {declared}, but it is UTF-8; it was read as UTF-8.")
    return _decode_as(body, declared)


def _declared(body: bytes, content_type: str) -> str | None:
    """The Python codec that the header or the page names, None when neither names one we know."""
    header = _HEADER.search(content_type) if content_type else None
    if header:
        codec = _codec(header.group(1))
        if codec:
            return codec
    start = body[:SNIFF_BYTES]
    if b"<!--" in start:
        start = _COMMENT.sub(b"", start)
    match = _META.search(start) or _XML.match(start)
    codec = _codec(match.group(1).decode("ascii", "replace")) if match else None
    # A page whose meta tag can be read at all is not UTF-16 (HTML standard, "prescan").
    return "utf-8" if codec and codec.startswith("utf-16") else codec


@lru_cache(maxsize=256)
def _codec(label: str) -> str | None:
    """The Python codec of a label, None for what is no charset of the web (Python also knows base64 and its kin)."""
    codec: str | None = _ALIASES.get(label.lower()) or resolve_encoding(label)
    return codec if codec and codecs.lookup(codec).name in _WEB_CODECS else None


def _is_utf8(body: bytes) -> bool:
    try:
        body.decode()
    except UnicodeDecodeError:
        return False
    return True


def _is_clearly_utf8(body: bytes) -> bool:
    return _is_utf8(body) and len(_MULTIBYTE.findall(body, 0, DETECT_BYTES)) >= _ENOUGH_MULTIBYTE


def _damage(characters: int) -> str:
    return f"The page has {say_count(characters, 'damaged character')}, shown as \ufffd."


def _decode_declared_utf8(body: bytes) -> Decoded:
    if _is_utf8(body):
        return Decoded(body, "utf-8")
    good = len(_MULTIBYTE.findall(body))
    bad = body.decode("utf-8", "replace").count("\ufffd")
    if bad <= max(1, good * _DAMAGE_SHARE):
        notice = _damage(bad)
        return Decoded(body.decode("utf-8", "replace").encode(), "utf-8", notice)
    detected = _detect(body)
    notice = f"The page says it is UTF-8, but it is not; it was read as {detected}."
    return Decoded(_decode_as(body, detected).utf8, detected, notice)


def _decode_undeclared(body: bytes) -> Decoded:
    if _is_utf8(body) and b"\0" not in body[:SNIFF_BYTES]:
        return Decoded(body, "utf-8")
    wide = _bomless_utf16(body)
    if wide:
        return _decode_as(body, wide)
    decoded = _decode_as(body, _detect(body))
    notice = f"The page does not name its charset; it was read as {decoded.charset}. {decoded.notice}".strip()
    return replace(decoded, notice=notice)


def _bomless_utf16(body: bytes) -> str | None:
    start = body[:200]
    if start[1::2].count(0) > len(start) // 3:
        return "utf-16-le"
    return "utf-16-be" if start[0::2].count(0) > len(start) // 3 else None


def _detect(body: bytes) -> str:
    """The likeliest legacy charset of the web."""
    start = body[:DETECT_BYTES].replace(b"\0", b"")
    if is_hebrew(start):
        return "cp1255"
    best = from_bytes(start, cp_isolation=_DETECTED).best()
    return latin_charset(start) if best is None or best.encoding in _LATIN else best.encoding


def _decode_as(body: bytes, charset: str) -> Decoded:
    if charset == "utf-8":
        return _decode_declared_utf8(body)
    text = body.decode(charset, _NEC_ERRORS if charset == "euc_jp" else "replace")
    if charset == "cp1252" and "\ufffd" in text:
        # Five bytes are undefined in Python's windows-1252 and control characters in that of browsers.
        text = body.decode("latin-1").translate(_WINDOWS_1252)
    damaged = text.count("\ufffd")
    notice = _damage(damaged) if damaged else ""
    return Decoded(text.encode("utf-8", "replace"), charset, notice)


def _nec_character(error: UnicodeError) -> tuple[str, int]:
    """Circled numbers, units and names of firms (①, ㎏, ㈱): rows 13 and 89 to 92 of EUC-JP as browsers read it.

    Python has them in cp932 and not in euc_jp. Missed, each would shift the letters behind it by a byte.
    """
    if not isinstance(error, UnicodeDecodeError):
        raise error
    pair = error.object[error.start : error.start + 2]
    if len(pair) < 2 or pair[0] not in _NEC_ROWS or not 0xA1 <= pair[1] <= 0xFE:
        return "\ufffd", error.end
    row, cell = pair[0] - 0xA0, pair[1] - 0xA0
    trail = cell + (0x9E if row % 2 == 0 else 0x3F if cell < 0x40 else 0x40)
    shifted = bytes([(row + 1) // 2 + (0x80 if row < 63 else 0xC0), trail])
    return shifted.decode("cp932", "replace"), error.start + 2


codecs.register_error(_NEC_ERRORS, _nec_character)

_WINDOWS_1252 = {byte: bytes([byte]).decode("cp1252", "ignore") or chr(byte) for byte in range(0x80, 0xA0)}
