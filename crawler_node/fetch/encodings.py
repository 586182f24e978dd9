"""HTTP content codings, undone under a cap: a bomb costs what the cap allows and not a byte more."""

import sys
import zlib
from collections.abc import Callable

import brotli  # type: ignore[import-untyped]

# Both come with aiohttp's "speedups".
if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

ACCEPT_ENCODING = "gzip, deflate, br, zstd"
# The largest window a web server may use (RFC 8878, 3.1.1.1.2); more would let a small body reserve gigabytes.
_ZSTD_OPTIONS: dict[int, int] = {zstd.DecompressionParameter.window_log_max: 23}
_STEP_BYTES = 1 << 20


class UndecodableBodyError(ValueError):
    """The body is not what its Content-Encoding says, or ends too early."""


class BodyTooBigError(ValueError):
    """The body is longer than the cap once it is decompressed."""


def decode_body(body: bytes, content_encoding: str, *, max_bytes: int) -> bytes:
    """The body as the page's author wrote it; codings are undone in reverse order of their application."""
    codings = [coding.strip().lower() for coding in content_encoding.split(",") if coding.strip()]
    if len(codings) > 3:
        raise UndecodableBodyError(f"{len(codings)} codings")
    for coding in reversed(codings):
        if coding == "identity":
            continue
        decode = _DECODERS.get(coding)
        if decode is None:
            raise UndecodableBodyError(f"unknown coding {coding}")
        if body:
            body = decode(body, max_bytes)
    if len(body) > max_bytes:
        raise BodyTooBigError
    return body


def _gunzip(body: bytes, max_bytes: int) -> bytes:
    parts: list[bytes] = []
    size = 0
    while body:  # a gzip stream may have several members
        body, part = _inflate_one(body, max_bytes - size, 31)
        parts.append(part)
        size += len(part)
        if not body.startswith(b"\x1f\x8b"):
            break
    return b"".join(parts)


def _inflate(body: bytes, max_bytes: int) -> bytes:
    """RFC 9110 means zlib by `deflate`; some servers send the bare stream."""
    try:
        return _inflate_one(body, max_bytes, 15)[1]
    except UndecodableBodyError:
        return _inflate_one(body, max_bytes, -15)[1]


def _inflate_one(body: bytes, max_bytes: int, window_bits: int) -> tuple[bytes, bytes]:
    stream = zlib.decompressobj(window_bits)
    try:
        part = stream.decompress(body, max_bytes + 1)
    except zlib.error as error:
        raise UndecodableBodyError(str(error)) from None
    if len(part) > max_bytes:
        raise BodyTooBigError
    if not stream.eof:
        raise UndecodableBodyError("it ends too early")
    return stream.unused_data, part


def _pump(step: Callable[[bytes], bytes], is_finished: Callable[[], bool], body: bytes, max_bytes: int) -> bytes:
    parts: list[bytes] = []
    size, data = 0, body
    while True:
        part = step(data)
        data = b""
        size += len(part)
        if size > max_bytes:
            raise BodyTooBigError
        parts.append(part)
        if is_finished():
            return b"".join(parts)
        if not part:
            raise UndecodableBodyError("it ends too early")


def _unbrotli(body: bytes, max_bytes: int) -> bytes:
    stream = brotli.Decompressor()
    try:
        return _pump(
            lambda data: bytes(stream.process(data, output_buffer_limit=_STEP_BYTES)),
            stream.is_finished,
            body,
            max_bytes,
        )
    except brotli.error as error:
        raise UndecodableBodyError(str(error)) from None


def _unzstd(body: bytes, max_bytes: int) -> bytes:
    stream = zstd.ZstdDecompressor(options=_ZSTD_OPTIONS)
    try:
        return _pump(
            lambda data: stream.decompress(data, _STEP_BYTES),
            lambda: stream.eof,
            body,
            max_bytes,
        )
    except zstd.ZstdError as error:
        raise UndecodableBodyError(str(error)) from None


_DECODERS: dict[str, Callable[[bytes, int], bytes]] = {
    "gzip": _gunzip,
    "x-gzip": _gunzip,
    "deflate": _inflate,
    "br": _unbrotli,
    "zstd": _unzstd,
}
