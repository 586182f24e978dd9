"""Addresses in a page made absolute the way a browser does (WHATWG)."""

from ada_url import join_url as _join

from crawler_node.urls.parse import plain_form


def join_url(base_url: str, href: str) -> str | None:
    """`href` as the absolute URL a browser would open, None when it is none."""
    href = href.strip()
    plain = plain_form(href, base_url)
    if plain is not None:
        return plain
    try:
        joined: str = _join(base_url, href)
    except ValueError:
        return None
    return joined
