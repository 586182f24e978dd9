"""HTTP content codings, undone under a cap: a bomb costs what the cap allows and not a byte more."""

import sys
import zlib
from collections.abc import Callable
from typing import NamedTuple, Protocol

import brotli  # type: ignore[import-untyped]

# Both come with aiohttp's "speedups".
if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

ACCEPT_ENCODING = "gzip, deflate, br, zstd"
# The largest window a web server may use (RFC 8878, 3.1.1.1.2); more would let a small body reserve gigabytes.
_ZSTD_OPTIONS: dict[int, int] = {zstd.DecompressionParameter.window_log_max: 23}
# How a frame begins, and one that holds nothing of the body (RFC 8878, 3.1).
_ZSTD_FRAMES = (b"\x28\xb5\x2f\xfd", *(bytes([low, 0x2A, 0x4D, 0x18]) for low in range(0x50, 0x60)))
# What packs nothing: "identity", and what servers write there by mistake (charsets, words of e-mail).
_NO_CODINGS = frozenset({"identity", "none", "utf-8", "utf8", "iso-8859-1", "windows-1252", "binary", "7bit", "8bit"})
_BLANK = b"\xef\xbb\xbf \t\r\n"
_STEP_BYTES = 1 << 20
_PIECE_BYTES = 1 << 18
_MAX_STREAMS = 5_000
_NONSENSE = "its bytes make no sense"


class UndecodableBodyError(ValueError):
    """The body is not what its Content-Encoding says, or ends too early."""


class BodyTooBigError(ValueError):
    """The body is longer than the cap once it is decompressed."""


class _Cap(NamedTuple):
    """How much of a body is taken: `may_cut` takes that much of a longer one, `is_part` one that has lost its end."""

    max_bytes: int
    may_cut: bool
    is_part: bool

    def taken(self, part: bytes, size: int) -> bytes:
        """What of a part is within the cap when `size` bytes came before it; raises unless the rest may be cut."""
        if size + len(part) > self.max_bytes and not self.may_cut:
            raise BodyTooBigError
        return part[: self.max_bytes - size]


class _Stream(Protocol):
    """What zlib and zstd have in common."""

    @property
    def eof(self) -> bool: ...

    @property
    def unused_data(self) -> bytes: ...

    def decompress(self, data: bytes, max_length: int, /) -> bytes: ...


def decode_body(body: bytes, content_encoding: str, *, max_bytes: int, may_cut: bool = False) -> bytes:
    """The body as the page's author wrote it; codings are undone in reverse order of their application.

    With `may_cut` only its first `max_bytes` are wanted: a longer one is cut there, and one that is cut there already
    while it is packed gives what it holds.
    """
    codings = [coding.strip().lower() for coding in content_encoding.split(",") if coding.strip()]
    if len(codings) > 3:
        raise UndecodableBodyError(f"{len(codings)} codings")
    for coding in reversed(codings):
        if coding in _NO_CODINGS:
            continue
        decode = _DECODERS.get(coding)
        if decode is None and body.lstrip(_BLANK)[:1] == b"<":
            continue  # as browsers do: whoever invents a name packs nothing by it
        if decode is None:
            raise UndecodableBodyError(f"unknown coding {coding}")
        if body:
            body = decode(body, _Cap(max_bytes, may_cut, is_part=may_cut and len(body) >= max_bytes))
    if len(body) > max_bytes and not may_cut:
        raise BodyTooBigError
    return body[:max_bytes]


def _unpack(body: bytes, cap: _Cap, open_stream: Callable[[], _Stream], begins: tuple[bytes, ...] = ()) -> bytes:
    """A stream, and those that follow it where they begin as they should."""
    parts: list[bytes] = []
    size = place = 0
    for _ in range(_MAX_STREAMS):
        stream = open_stream()
        while not stream.eof:
            # In pieces: what follows a stream is handed back as a copy, and there may be thousands of them.
            piece = body[place : place + _PIECE_BYTES]
            part = stream.decompress(piece, cap.max_bytes - size + 1)
            taken = cap.taken(part, size)
            parts.append(taken)
            size += len(taken)
            place += len(piece) - len(stream.unused_data)
            if len(taken) < len(part) or (not piece and cap.is_part):
                return b"".join(parts)
            if not piece:
                raise UndecodableBodyError("it ends too early")
        if not begins or not body.startswith(begins, place):
            return b"".join(parts)
    raise UndecodableBodyError(f"it has more than {_MAX_STREAMS:,} parts")


def _gunzip(body: bytes, cap: _Cap) -> bytes:
    try:
        return _unpack(body, cap, lambda: zlib.decompressobj(31), (b"\x1f\x8b",))
    except zlib.error:
        raise UndecodableBodyError(_NONSENSE) from None


def _inflate(body: bytes, cap: _Cap) -> bytes:
    """RFC 9110 means zlib by `deflate`; some servers send the bare stream."""
    try:
        return _unpack(body, cap, lambda: zlib.decompressobj(15))
    except (zlib.error, UndecodableBodyError):
        return _inflate_bare(body, cap)


def _inflate_bare(body: bytes, cap: _Cap) -> bytes:
    try:
        return _unpack(body, cap, lambda: zlib.decompressobj(-15))
    except zlib.error:
        raise UndecodableBodyError(_NONSENSE) from None


def _unbrotli(body: bytes, cap: _Cap) -> bytes:
    stream = brotli.Decompressor()
    parts: list[bytes] = []
    size, data = 0, body
    try:
        while not stream.is_finished():
            part = bytes(stream.process(data, output_buffer_limit=_STEP_BYTES))
            data = b""
            taken = cap.taken(part, size)
            parts.append(taken)
            size += len(taken)
            if len(taken) < len(part) or (not part and cap.is_part):
                break
            if not part and not stream.is_finished():
                raise UndecodableBodyError("it ends too early")
    except brotli.error:
        raise UndecodableBodyError(_NONSENSE) from None
    return b"".join(parts)


def _unzstd(body: bytes, cap: _Cap) -> bytes:
    try:
        return _unpack(body, cap, lambda: zstd.ZstdDecompressor(options=_ZSTD_OPTIONS), _ZSTD_FRAMES)
    except zstd.ZstdError:
        raise UndecodableBodyError(_NONSENSE) from None


_DECODERS: dict[str, Callable[[bytes, _Cap], bytes]] = {
    "gzip": _gunzip,
    "x-gzip": _gunzip,
    "deflate": _inflate,
    "br": _unbrotli,
    "zstd": _unzstd,
}
