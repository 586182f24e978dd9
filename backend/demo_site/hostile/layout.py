"""The frame around hostile pages that are pages at all."""

from collections.abc import Iterable

from aiohttp import web

from backend.demo_site.markup import Markup, fill

_PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>{title}</title>
{head}</head>
<body>
<h1 class="name">{title}</h1>
<p class="text">{text}</p>
{body}</body>
</html>
"""
HTML = "text/html"


def hostile_page(title: str, text: str, body: Markup | None = None, *, head: Markup | None = None) -> Markup:
    """A plain page. It links to nothing but what the caller puts in, so that a crawl from a trap stays in it."""
    return fill(_PAGE, title=title, text=text, body=body, head=head)


def html_answer(page: str, *, status: int = 200, headers: dict[str, str] | None = None) -> web.Response:
    """The page as an answer."""
    return web.Response(text=page, content_type=HTML, status=status, headers=headers)


def link_list(paths: Iterable[str]) -> Markup:
    """Links, each named by its own address."""
    items = [fill('<li><a href="{path}">{path}</a></li>\n', path=path) for path in paths]
    return fill("<ul>\n{items}</ul>\n", items=items)
