"""Answers of the site: pages made once and kept, with validators that conditional requests can use."""

import hashlib
from collections.abc import Callable
from dataclasses import dataclass

from aiohttp import web

from backend.demo_site.catalogue.reviews import NEWEST_DAY
from backend.demo_site.dates import http_date

MAX_KEPT = 10_000  # addresses with made-up query strings must not fill the memory
LAST_MODIFIED = http_date(NEWEST_DAY)


@dataclass(frozen=True, slots=True)
class Rendered:
    """A finished body with the headers that describe it."""

    body: bytes
    content_type: str
    etag: str


class PageCache:
    """Bodies that never change, each made when it is first asked for."""

    def __init__(self) -> None:
        self._rendered: dict[str, Rendered] = {}

    def get(self, key: str, make: Callable[[], str | bytes], content_type: str) -> Rendered:
        """What `make` returned at the first call for this key."""
        found = self._rendered.get(key)
        if found is None:
            if len(self._rendered) >= MAX_KEPT:
                self._rendered.clear()
            found = self._rendered[key] = render(make(), content_type)
        return found


PAGES = web.AppKey("pages", PageCache)


def render(content: str | bytes, content_type: str, *, charset: str = "utf-8") -> Rendered:
    """The content as bytes, under an entity tag that follows from them."""
    body = content if isinstance(content, bytes) else content.encode(charset, "xmlcharrefreplace")
    return Rendered(body, content_type, f'"{hashlib.sha1(body, usedforsecurity=False).hexdigest()[:16]}"')


def cached_html(request: web.Request, make: Callable[[], str], *, charset: str = "utf-8") -> web.Response:
    """The page of this address: rendered once, then kept; 304 when the client already has it."""
    pages = request.app[PAGES]
    content_type = f"text/html; charset={charset}"
    return conditional(request, pages.get(request.path_qs, lambda: make().encode(charset), content_type))


def cached_file(request: web.Request, make: Callable[[], str | bytes], content_type: str) -> web.Response:
    """A picture, style sheet or script under this path, rendered once."""
    return conditional(request, request.app[PAGES].get(request.path, make, content_type))


def conditional(request: web.Request, rendered: Rendered, *, last_modified: str = LAST_MODIFIED) -> web.Response:
    """The body, or 304 without it when the client's validator still holds (RFC 9110, 13.2.2)."""
    headers = {"ETag": rendered.etag, "Last-Modified": last_modified}
    if is_unmodified(request, rendered.etag, last_modified):
        return web.Response(status=304, headers=headers)
    return web.Response(body=rendered.body, headers={**headers, "Content-Type": rendered.content_type})


def is_unmodified(request: web.Request, etag: str, last_modified: str) -> bool:
    """If-None-Match decides when it is there, else If-Modified-Since."""
    wanted = request.headers.get("If-None-Match")
    if wanted is not None:
        return wanted == "*" or etag in (tag.strip().removeprefix("W/") for tag in wanted.split(","))
    return request.headers.get("If-Modified-Since") == last_modified


def not_found(sentence: str) -> web.Response:
    """A plain 404 that says what is missing."""
    return web.Response(status=404, text=sentence)
