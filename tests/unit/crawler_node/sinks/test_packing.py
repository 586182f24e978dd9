"""Packed links and pages come out as they went in."""

import struct

import pytest
import zstandard
from hypothesis import given
from hypothesis import strategies as st

from crawler_node.sinks import (
    NO_LINKS,
    LinkColumns,
    PackedLink,
    pack_links,
    pack_page,
    unpack_columns,
    unpack_links,
    unpack_page,
)

LINK = st.builds(PackedLink, st.binary(min_size=16, max_size=16), st.text(max_size=50), st.booleans())
LINKS = st.lists(LINK, max_size=20)


@given(LINKS)
def test_links_survive_packing(links: list[PackedLink]) -> None:
    expected = [
        PackedLink(link.key, link.anchor.replace("\0", "").encode("utf-8", "replace").decode(), link.nofollow)
        for link in links
    ]
    assert unpack_links(pack_links(links)) == expected


def test_links_come_by_column_too() -> None:
    packed = pack_links([PackedLink(b"k" * 16, "Home"), PackedLink(b"l" * 16, "", True)])
    assert unpack_columns(packed) == LinkColumns(b"k" * 16 + b"l" * 16, b"\0\1", ["Home", ""])
    assert unpack_columns(b"") == unpack_columns(NO_LINKS) == LinkColumns(b"", b"", [])


def test_links_of_the_format_without_nofollow_are_read() -> None:
    plain = struct.pack("<I", 2) + b"k" * 16 + b"l" * 16 + "Zurück\0".encode()
    packed = b"\x01" + zstandard.compress(plain)
    assert unpack_links(packed) == [PackedLink(b"k" * 16, "Zurück"), PackedLink(b"l" * 16, "")]


def test_long_anchors_are_cut() -> None:
    (link,) = unpack_links(pack_links([PackedLink(b"k" * 16, "x" * 1000)]))
    assert link.anchor == "x" * 300


def test_pages_survive_packing() -> None:
    body = b"<p>gleaning</p>" * 1000
    packed = pack_page(body)
    assert len(packed) < len(body) // 10
    assert unpack_page(packed) == body


def test_another_versions_value_is_not_misread() -> None:
    with pytest.raises(ValueError, match="another version"):
        unpack_page(b"\x07rest")
