"""URL parsing against the WHATWG's own table where it is at hand, and against ours always."""

import json
import os
from pathlib import Path

import pytest
from ada_url import URL
from hypothesis import assume, given
from hypothesis import strategies as st

from crawler_node.urls.parse import normalize, parse_url, plain_form

# Lines of the table that the standard itself has changed since (hosts that end in a number, `^` in paths, control
# characters in hosts), and punycode labels that ada does not decode: they fail at the name server instead.
CHANGED_SINCE = {
    "http://a.b.c.xn--pokxncvks",
    "http://10.0.0.xn--pokxncvks",
    "http://0..0x300/",
    "http://\x1f!\"$&'()*+,-.;=_`{}~/",
    "http://256.256.256.256.256",
    "http://0177.0.0.0189",
    "file://xn--/p",
    "foo://host/ !\"$%&'()*+,-./:;<=>@[\\]^_`{|}~",
    "wss://host/ !\"$%&'()*+,-./:;<=>@[\\]^_`{|}~",
}


def _whatwg_table() -> Path:
    sites = os.environ.get("GLEANER_REAL_SITES")
    if not sites:
        pytest.skip("GLEANER_REAL_SITES is not set: the WHATWG table lies beside the real sites")
    path = Path(sites).parent / "data" / "whatwg-urltestdata.json"
    if not path.exists():
        pytest.skip(f"no {path.name} beside GLEANER_REAL_SITES")
    return path


def test_agrees_with_every_line_of_the_whatwg_table() -> None:
    cases = [case for case in json.loads(_whatwg_table().read_text()) if isinstance(case, dict)]
    assert len(cases) > 500
    wrong = [case["input"] for case in cases if not _agrees(case)]
    assert set(wrong) <= CHANGED_SINCE


def _agrees(case: dict[str, object]) -> bool:
    base = case.get("base")
    found = normalize(str(case["input"]), None if base is None else str(base))
    if case.get("failure"):
        return found is None
    return found == case["href"]


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("HTTP://Example.COM", "http://example.com/"),
        ("https://example.com:443/a", "https://example.com/a"),
        ("http://example.com:8080/a/../b/./c", "http://example.com:8080/b/c"),
        ("https://user:secret@example.com/", "https://example.com/"),
        ("https://bücher.example/ä?ö=ü#teil", "https://xn--bcher-kva.example/%C3%A4?%C3%B6=%C3%BC"),
        ("http://[::1]:80/x", "http://[::1]/x"),
        ("http://0x7f.1/", "http://127.0.0.1/"),
        ("https:\\\\example.com\\a", "https://example.com/a"),
        (" \n https://example.com/a\tb ", "https://example.com/ab"),
        ("https://example.com/?", "https://example.com/"),
        ("https://example.com/\ud800x", "https://example.com/%EF%BF%BDx"),
    ],
)
def test_takes_urls_apart_as_browsers_do(url: str, expected: str) -> None:
    parsed = parse_url(url)
    assert parsed is not None
    assert parsed.url == expected


ORIGINS = [
    "http://e.com",
    "http://E.com",
    "https://e.com:443",
    "http://e.com:81",
    "http://127.1",
    "http://127.0.0.1:80",
]
ODD_ORIGINS = [
    "http://u@e.com",
    "http://[::1]",
    "http://0x7f.1",
    "http://e..com",
    "http://bü.de",
    "http:/",
    "https://%65.com",
]
PIECES = st.sampled_from(
    ["/", "//", "a", "B9", ".", "..", "?", "=", "&", "#", "%41", " ", "\\", "ä", ":", "@", ";", "\t", "|"]
)
RESTS = st.lists(PIECES, max_size=8).map("".join)


@given(st.sampled_from([*ORIGINS, *ODD_ORIGINS, ""]), RESTS, st.sampled_from([*ORIGINS, *ODD_ORIGINS, None]), RESTS)
def test_what_is_seen_without_parsing_is_what_parsing_finds(
    origin: str, rest: str, base: str | None, path: str
) -> None:
    url, page = origin + rest, None if base is None else base + path
    assume(page is None or normalize(page) is not None)  # a page has an address
    seen = plain_form(url, page)
    assert seen is None or seen == URL(url, page).href


def test_usual_addresses_are_seen_without_parsing() -> None:
    assert plain_form("https://example.com:8443/a/b.html?page=2&x=1") is not None
    assert plain_form("/a?b=c", "http://127.0.0.1:8080/shop/item/1") == "http://127.0.0.1:8080/a?b=c"


@pytest.mark.parametrize("url", ["", "ftp://example.com/", "mailto:a@b.c", "http://", "https://a b/", "/a"])
def test_refuses_what_is_not_an_http_url(url: str) -> None:
    assert parse_url(url) is None


def test_a_host_longer_than_any_name_is_no_web_address() -> None:
    longest = "a" * 249 + ".com"
    assert parse_url(f"https://{longest}.:65535/x") is not None
    assert parse_url(f"https://user:secret@{longest}/x") is not None
    assert parse_url(f"https://{'a' * 404}.com/") is None
    assert parse_url("/x", f"https://{'a' * 404}.com/") is None


def test_knows_host_and_port_apart() -> None:
    parsed = parse_url("https://[2001:db8::1]:8443/")
    assert parsed is not None
    assert (parsed.host, parsed.port, parsed.authority) == ("[2001:db8::1]", 8443, "[2001:db8::1]:8443")
    plain = parse_url("http://example.com/")
    assert plain is not None
    assert (plain.host, plain.port) == ("example.com", 80)
