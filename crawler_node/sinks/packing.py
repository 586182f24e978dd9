"""Links and pages in few bytes: sixty links a page must not be sixty rows.

Packed links: a count (4 bytes), the 16-byte keys, a byte each that is 1 for nofollow, then the anchor texts in UTF-8
with a zero byte between; all of it compressed with zstd. The first byte of every packed value is its format; format 1
had no nofollow bytes.
"""

import struct
from collections.abc import Sequence
from typing import NamedTuple

import zstandard

FORMAT = b"\x01"
LINKS_FORMAT = b"\x02"
_KEY_BYTES = 16
_MAX_ANCHOR_CHARACTERS = 300
_MAX_UNPACKED_BYTES = 1 << 30
_links_compressor = zstandard.ZstdCompressor(level=1)
_page_compressor = zstandard.ZstdCompressor(level=3)
_decompressor = zstandard.ZstdDecompressor()
# Of a page whose links are kept and that has none; an empty value says that they were not kept.
NO_LINKS = LINKS_FORMAT + _links_compressor.compress(bytes(4))


class PackedLink(NamedTuple):
    """A link as PageRank and anchor text want it: where it leads (128 bits), what it says, whether it is meant."""

    key: bytes
    anchor: str
    nofollow: bool = False


class LinkColumns(NamedTuple):
    """The links of a page by column: keys end to end (16 bytes each), a byte each for nofollow, the anchor texts."""

    keys: bytes
    nofollow: bytes
    anchors: list[str]


def pack_links(links: Sequence[PackedLink | tuple[bytes, str, bool]]) -> bytes:
    """All links of a page in one value, b'' for none."""
    return pack_columns([link[0] for link in links], [link[2] for link in links], [link[1] for link in links])


def pack_columns(keys: Sequence[bytes], nofollow: Sequence[bool], anchors: Sequence[str]) -> bytes:
    """The same for those who have them by column."""
    if not keys:
        return b""
    text = "\0".join([anchor[:_MAX_ANCHOR_CHARACTERS] for anchor in anchors])
    if text.count("\0") >= len(keys):
        text = "\0".join([anchor[:_MAX_ANCHOR_CHARACTERS].replace("\0", "") for anchor in anchors])
    plain = b"".join((struct.pack("<I", len(keys)), *keys, bytes(nofollow), text.encode("utf-8", "replace")))
    return LINKS_FORMAT + _links_compressor.compress(plain)


def unpack_links(packed: bytes) -> list[PackedLink]:
    """The links again, in page order."""
    keys, flags, anchors = unpack_columns(packed)
    starts = range(0, len(keys), _KEY_BYTES)
    return [
        PackedLink(keys[start : start + _KEY_BYTES], anchor, bool(flag))
        for start, flag, anchor in zip(starts, flags, anchors, strict=True)
    ]


def unpack_columns(packed: bytes) -> LinkColumns:
    """The same, for those who take many links at once."""
    if not packed:
        return LinkColumns(b"", b"", [])
    is_old = packed[:1] == FORMAT
    plain = _open(packed, FORMAT if is_old else LINKS_FORMAT)
    (count,) = struct.unpack_from("<I", plain)
    end = 4 + count * _KEY_BYTES
    keys, rest = plain[4:end], plain[end:]
    flags, texts = (bytes(count), rest) if is_old else (rest[:count], rest[count:])
    return LinkColumns(keys, flags, texts.decode().split("\0") if count else [])


def pack_page(body: bytes) -> bytes:
    """A page's bytes, for running a changed template on it later."""
    return FORMAT + _page_compressor.compress(body)


def unpack_page(packed: bytes) -> bytes:
    """The page's bytes again."""
    return _open(packed, FORMAT)


def _open(packed: bytes, wanted: bytes) -> bytes:
    if packed[:1] != wanted:
        raise ValueError("This value was packed by another version of Gleaner.")
    return _decompressor.decompress(packed[1:], max_output_size=_MAX_UNPACKED_BYTES)
