"""A small web server on loopback, and lanes that may reach it and nothing else."""

from collections.abc import AsyncIterator, Awaitable, Callable

import pytest
from aiohttp import web
from aiohttp.test_utils import TestServer
from aiohttp.typedefs import Middleware

from crawler_node.contracts import Lease
from crawler_node.fetch import HttpLane, LaneOptions, parse_allow_networks

Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]


class Site:
    """A running server: what it was asked is in `requests`, where it is in `url(path)`."""

    def __init__(self, server: TestServer, requests: list[web.Request]) -> None:
        self.server = server
        self.requests = requests

    @property
    def port(self) -> int:
        return int(self.server.port or 0)

    def url(self, path: str = "/") -> str:
        return f"http://127.0.0.1:{self.port}{path}"


MakeSite = Callable[[dict[str, Handler]], Awaitable[Site]]


@pytest.fixture
async def make_site() -> AsyncIterator[MakeSite]:
    servers: list[TestServer] = []

    async def make(routes: dict[str, Handler]) -> Site:
        requests: list[web.Request] = []
        app = web.Application(middlewares=[_noting(requests)])
        for path, handler in routes.items():
            app.router.add_route("*", path, handler)
        server = TestServer(app, host="127.0.0.1")
        await server.start_server()
        servers.append(server)
        return Site(server, requests)

    yield make
    for server in servers:
        await server.close()


def _noting(requests: list[web.Request]) -> Middleware:
    @web.middleware
    async def note(request: web.Request, handler: Handler) -> web.StreamResponse:
        requests.append(request)
        return await handler(request)

    return note


def lane_to(*sites: Site, **options: object) -> HttpLane:
    """A lane that may reach these sites only."""
    policy = parse_allow_networks([f"127.0.0.1:{site.port}" for site in sites])
    return HttpLane(LaneOptions(policy=policy, **options))  # type: ignore[arg-type]


def lane_to_port(port: int) -> HttpLane:
    """A lane that may reach one port of loopback only."""
    return HttpLane(LaneOptions(policy=parse_allow_networks(f"127.0.0.1:{port}"), deadline_seconds=10))


def lease(url: str, **options: object) -> Lease:
    return Lease(url, b"k" * 16, "h", 0, 1, 0.0, 1, **options)  # type: ignore[arg-type]
