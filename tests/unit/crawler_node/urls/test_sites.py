"""Hosts and the sites they belong to."""

import pytest

from crawler_node.urls import SameSite, registrable_domain, site_of


@pytest.mark.parametrize(
    ("host", "domain"),
    [
        ("shop.example.co.uk", "example.co.uk"),
        ("example.com", "example.com"),
        ("127.0.0.1", "127.0.0.1"),
        ("[::1]", "[::1]"),
        ("localhost", "localhost"),
        ("a.b.xn--bcher-kva.example.de", "example.de"),
        ("alice.github.io", "alice.github.io"),
        ("www.one.myshopify.com", "one.myshopify.com"),
        ("github.io", "github.io"),
    ],
)
def test_registrable_domain(host: str, domain: str) -> None:
    assert registrable_domain(host) == domain


def test_www_is_the_same_host() -> None:
    assert site_of("www.example.com", SameSite.HOST) == site_of("example.com", SameSite.HOST)
    assert site_of("shop.example.com", SameSite.HOST) != site_of("example.com", SameSite.HOST)
