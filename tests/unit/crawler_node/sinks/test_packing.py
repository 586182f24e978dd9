"""Packed links and pages come out as they went in."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crawler_node.sinks import PackedLink, pack_links, pack_page, unpack_links, unpack_page

LINKS = st.lists(st.builds(PackedLink, st.binary(min_size=16, max_size=16), st.text(max_size=50)), max_size=20)


@given(LINKS)
def test_links_survive_packing(links: list[PackedLink]) -> None:
    expected = [
        PackedLink(link.key, link.anchor.replace("\0", "").encode("utf-8", "replace").decode()) for link in links
    ]
    assert unpack_links(pack_links(links)) == expected


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
