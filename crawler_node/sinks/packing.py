"""Links and pages in few bytes: sixty links a page must not be sixty rows.

Packed links: a count (4 bytes), the 16-byte keys, then the anchor texts in UTF-8, each ended by a zero byte; all of it
compressed with zstd. The first byte of every packed value is its format.
"""

import struct
from collections.abc import Sequence
from typing import NamedTuple

import zstandard

FORMAT = b"\x01"
_KEY_BYTES = 16
_MAX_ANCHOR_CHARACTERS = 300
_MAX_UNPACKED_BYTES = 1 << 30
_links_compressor = zstandard.ZstdCompressor(level=1)
_page_compressor = zstandard.ZstdCompressor(level=3)
_decompressor = zstandard.ZstdDecompressor()


class PackedLink(NamedTuple):
    """A link as PageRank and anchor text want it: where it leads (128 bits) and what it says."""

    key: bytes
    anchor: str


def pack_links(links: Sequence[PackedLink]) -> bytes:
    """All links of a page in one value, b'' for none."""
    if not links:
        return b""
    keys = b"".join([link[0] for link in links])
    anchors = "\0".join([link[1][:_MAX_ANCHOR_CHARACTERS].replace("\0", "") for link in links])
    plain = struct.pack("<I", len(links)) + keys + anchors.encode("utf-8", "replace")
    return FORMAT + _links_compressor.compress(plain)


def unpack_links(packed: bytes) -> list[PackedLink]:
    """The links again, in page order."""
    if not packed:
        return []
    plain = _open(packed)
    (count,) = struct.unpack_from("<I", plain)
    end = 4 + count * _KEY_BYTES
    anchors = plain[end:].decode().split("\0")
    keys = (plain[start : start + _KEY_BYTES] for start in range(4, end, _KEY_BYTES))
    return [PackedLink(key, anchor) for key, anchor in zip(keys, anchors, strict=True)]


def pack_page(body: bytes) -> bytes:
    """A page's bytes, for running a changed template on it later."""
    return FORMAT + _page_compressor.compress(body)


def unpack_page(packed: bytes) -> bytes:
    """The page's bytes again."""
    return _open(packed)


def _open(packed: bytes) -> bytes:
    if packed[:1] != FORMAT:
        raise ValueError("This value was packed by another version of Gleaner.")
    return _decompressor.decompress(packed[1:], max_output_size=_MAX_UNPACKED_BYTES)
