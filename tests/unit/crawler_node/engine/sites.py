"""Sites of a few pages for whole crawls, each written down in its test."""

from aiohttp import web

from tests.unit.crawler_node.fetch.conftest import Handler


def page(*links: str, head: str = "", status: int = 200, headers: dict[str, str] | None = None) -> Handler:
    body = f"<html><head>{head}</head><body><h1>A page</h1>"
    body += "".join(f'<a href="{link}">{link}</a>' for link in links)

    async def serve(request: web.Request) -> web.Response:
        text = f"{body}<p>{request.path_qs}</p>"
        return web.Response(text=text, content_type="text/html", status=status, headers=headers)

    return serve


def robots(text: str) -> Handler:
    async def serve(request: web.Request) -> web.Response:
        return web.Response(text=text)

    return serve


def xml(body: str) -> Handler:
    async def serve(request: web.Request) -> web.Response:
        text = body.replace("HERE", f"http://{request.host}")
        return web.Response(text=text, content_type="application/xml")

    return serve
