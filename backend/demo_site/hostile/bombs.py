"""Small compressed bodies that become 1 GB, made when first asked for and then kept."""

import zlib
from collections.abc import Callable
from functools import cache

import brotli  # type: ignore[import-untyped]
import zstandard

BLOCK_BYTES = 1 << 20
BLOCKS_IN_BOMB = 1 << 10
OPENING = b"<!doctype html><title>Bomb</title><h1 class='name'>Bomb</h1><p class='text'>"
_BLOCK = b" " * BLOCK_BYTES
_LAST_BLOCK = b"\x03\x00"  # an empty deflate block that says it is the last (RFC 1951, 3.2.3)


def _deflated(blocks: int) -> bytes:
    """Deflate data that unpacks to the opening and blocks of spaces: one block, compressed once and repeated."""
    return _flushed(OPENING) + _flushed(_BLOCK) * blocks + _LAST_BLOCK


def _flushed(data: bytes) -> bytes:
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    return packer.compress(data) + packer.flush(zlib.Z_FULL_FLUSH)


def _checksum(update: Callable[[bytes, int], int], start: int, blocks: int) -> int:
    value = update(OPENING, start)
    for _ in range(blocks):
        value = update(_BLOCK, value)
    return value


def _gzip(blocks: int) -> bytes:
    """RFC 1952: a header, the data, checksum and length."""
    length = (blocks * BLOCK_BYTES + len(OPENING)) & 0xFFFFFFFF
    trailer = _checksum(zlib.crc32, 0, blocks).to_bytes(4, "little") + length.to_bytes(4, "little")
    return b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x02\xff" + _deflated(blocks) + trailer


def _zlib(blocks: int) -> bytes:
    """RFC 1950, which HTTP calls deflate."""
    return b"\x78\xda" + _deflated(blocks) + _checksum(zlib.adler32, 1, blocks).to_bytes(4, "big")


def _brotli(blocks: int) -> bytes:
    packer = brotli.Compressor(quality=1)
    parts = [packer.process(OPENING), *(packer.process(_BLOCK) for _ in range(blocks)), packer.finish()]
    return b"".join(parts)


def _zstd(blocks: int) -> bytes:
    packer = zstandard.ZstdCompressor(level=1).compressobj()
    parts = [packer.compress(OPENING), *(packer.compress(_BLOCK) for _ in range(blocks)), packer.flush()]
    return b"".join(parts)


_MAKERS = {"gzip": _gzip, "deflate": _zlib, "br": _brotli, "zstd": _zstd}
ENCODINGS = tuple(_MAKERS)


@cache
def bomb(encoding: str, *, blocks: int = BLOCKS_IN_BOMB) -> bytes:
    """The body for one content encoding, which unpacks to the opening and so many megabytes of spaces."""
    return _MAKERS[encoding](blocks)


def doubly_packed() -> bytes:
    """The gzip bomb, compressed once more: for `Content-Encoding: gzip, gzip`."""
    packer = zlib.compressobj(9, zlib.DEFLATED, 31)
    return packer.compress(bomb("gzip")) + packer.flush()
