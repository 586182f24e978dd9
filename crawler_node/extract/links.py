"""Addresses in a page made absolute the way a browser does (WHATWG)."""

from ada_url import join_url as _join


def join_url(base_url: str, href: str) -> str | None:
    """`href` as the absolute URL a browser would open, None when it is none."""
    try:
        joined: str = _join(base_url, href.strip())
    except ValueError:
        return None
    return joined
