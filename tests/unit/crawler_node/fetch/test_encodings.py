"""Content codings, honest and hostile."""

import gzip
import random
import zlib
from collections.abc import Callable

import brotli
import pytest
import zstandard

from crawler_node.fetch.encodings import BodyTooBigError, UndecodableBodyError, decode_body

TEXT = b"<p>" + b"gleaning " * 500 + b"</p>"
_raw = zlib.compressobj(wbits=-15)
PACKED = {
    "gzip": gzip.compress(TEXT),
    "x-gzip": gzip.compress(TEXT[:100]) + gzip.compress(TEXT[100:]),
    "deflate": zlib.compress(TEXT),
    "Deflate": _raw.compress(TEXT) + _raw.flush(),
    "br": brotli.compress(TEXT),
    "zstd": zstandard.compress(TEXT),
    "ZSTD": zstandard.compress(TEXT[:99]) + b"\x50\x2a\x4d\x18\x02\0\0\0no" + zstandard.compress(TEXT[99:]),
    "gzip, br": brotli.compress(gzip.compress(TEXT)),
    "identity": TEXT,
    "UTF-8": TEXT,
    "none": TEXT,
    "gzip, utf-8": gzip.compress(TEXT),
    "aws-chunked": TEXT,
    "text/html, gzip": gzip.compress(TEXT),
    "": TEXT,
}


@pytest.mark.parametrize("coding", PACKED)
def test_every_coding_is_undone(coding: str) -> None:
    assert decode_body(PACKED[coding], coding, max_bytes=len(TEXT)) == TEXT


@pytest.mark.parametrize("coding", PACKED)
def test_one_byte_over_the_cap_is_too_big(coding: str) -> None:
    with pytest.raises(BodyTooBigError):
        decode_body(PACKED[coding], coding, max_bytes=len(TEXT) - 1)


@pytest.mark.parametrize("coding", ["gzip", "deflate", "br", "zstd"])
def test_a_body_cut_short_is_not_taken_for_a_page(coding: str) -> None:
    with pytest.raises(UndecodableBodyError):
        decode_body(PACKED[coding][:-6], coding, max_bytes=10**6)


@pytest.mark.parametrize("coding", ["gzip", "deflate", "br", "zstd", "rot13", "gzip,gzip,gzip,gzip"])
def test_what_is_not_so_packed_is_told(coding: str) -> None:
    with pytest.raises(UndecodableBodyError):
        decode_body(b"plain text, not packed at all", coding, max_bytes=10**6)


@pytest.mark.parametrize(
    ("coding", "pack"),
    [
        ("gzip", gzip.compress),
        ("br", lambda body: brotli.compress(body, quality=1)),
        ("zstd", zstandard.compress),
        ("deflate", zlib.compress),
    ],
)
def test_a_bomb_stops_at_the_cap(coding: str, pack: object) -> None:
    bomb = pack(bytes(50_000_000))  # type: ignore[operator]
    with pytest.raises(BodyTooBigError):
        decode_body(bomb, coding, max_bytes=2_000_000)


@pytest.mark.parametrize("coding", PACKED)
def test_of_a_body_that_may_be_cut_the_beginning_is_taken(coding: str) -> None:
    assert decode_body(PACKED[coding], coding, max_bytes=1_000, may_cut=True) == TEXT[:1_000]
    assert decode_body(PACKED[coding], coding, max_bytes=len(TEXT), may_cut=True) == TEXT


NOISE = random.Random(7).randbytes(100_000)


@pytest.mark.parametrize(
    ("coding", "pack"),
    [("gzip", gzip.compress), ("deflate", zlib.compress), ("br", brotli.compress), ("zstd", zstandard.compress)],
)
def test_a_body_that_was_cut_while_packed_gives_what_it_holds(coding: str, pack: Callable[[bytes], bytes]) -> None:
    packed = pack(NOISE)[:80_000]
    found = decode_body(packed, coding, max_bytes=80_000, may_cut=True)
    assert NOISE.startswith(found)
    assert len(found) > 40_000
    with pytest.raises(UndecodableBodyError):
        decode_body(packed, coding, max_bytes=80_001, may_cut=True)


@pytest.mark.parametrize(("coding", "pack"), [("gzip", gzip.compress), ("zstd", zstandard.compress)])
def test_a_body_of_countless_empty_parts_is_not_unpacked_for_ever(coding: str, pack: Callable[[bytes], bytes]) -> None:
    with pytest.raises(UndecodableBodyError, match="more than 5,000 parts"):
        decode_body(pack(b"") * 100_000, coding, max_bytes=10**7)


def test_an_empty_body_needs_no_coding() -> None:
    assert decode_body(b"", "gzip", max_bytes=10) == b""
