"""What may be a seed."""

import re

from crawler_node.urls.parse import normalize, parse_url

HOST_AND_PORT = re.compile(r"(localhost|[\w-]+\.[\w.-]+):\d+(?![^/?#])")
"""To a parser `localhost:8000` is an address of the scheme `localhost`; people mean a host and its port."""
HERE = re.compile(r"(localhost|127\.[\d.]+|\[::1\])(?![^:/?#])")
"""What is served on one's own machine is hardly ever served encrypted."""


def check_seed(url: str) -> str | None:
    """None for a good seed, else a sentence that says what is wrong and what to write instead."""
    text = url.strip()
    if not text:
        return "A start address is empty. Write one like https://example.com/."
    if parse_url(text) is not None:
        return None
    href = normalize(text)
    lacks_scheme = "://" not in text and (href is None or HOST_AND_PORT.match(text) is not None)
    if lacks_scheme and (meant := _with_scheme(text)):
        return f"“{text}” does not say how to reach it. Did you mean {meant}?"
    if href is None or lacks_scheme or href.startswith(("http:", "https:")):
        return f"“{text}” is not a web address. Write one like https://example.com/."
    scheme = href.partition(":")[0]
    return f"“{text}” begins with {scheme}:, but only http:// and https:// addresses can be crawled."


def _with_scheme(text: str) -> str | None:
    """The address that is meant by one whose beginning was left out."""
    rest = text.removeprefix("//")
    meant = f"{'http' if HERE.match(rest) else 'https'}://{rest}"
    return meant if parse_url(meant) is not None else None
