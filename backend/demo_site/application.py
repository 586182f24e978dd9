"""The parts of the site put together into one aiohttp application."""

import asyncio

from aiohttp import web

from backend.demo_site.assets import add_assets
from backend.demo_site.catalogue.products import all_products
from backend.demo_site.changing.routes import add_changing
from backend.demo_site.control import add_control
from backend.demo_site.dynamic.routes import add_dynamic
from backend.demo_site.hostile.routes import add_hostile
from backend.demo_site.index import add_index
from backend.demo_site.magazine.routes import add_magazine
from backend.demo_site.options import SiteOptions
from backend.demo_site.request_log import CONTROL_PREFIX, LOG, Handler, RequestLog, log_requests, log_status
from backend.demo_site.responses import PAGES, PageCache
from backend.demo_site.robots import add_robots
from backend.demo_site.second_shop.routes import add_second_shop
from backend.demo_site.shop.routes import add_shop
from backend.demo_site.sitemaps import add_sitemaps
from backend.demo_site.state import STATE, SiteState
from backend.demo_site.throughput.routes import add_throughput


@web.middleware
async def add_latency(request: web.Request, handler: Handler) -> web.StreamResponse:
    """Answer as late as the control endpoint asked for; that itself answers at once."""
    seconds = request.app[STATE].latency_seconds
    if seconds and not request.path.startswith(CONTROL_PREFIX):
        await asyncio.sleep(seconds)
    return await handler(request)


def build_application(options: SiteOptions, log: RequestLog) -> web.Application:
    """The whole site, ready to be served."""
    all_products()  # now, so that no request has to wait for them and be logged late
    app = web.Application(middlewares=[log_requests, add_latency])
    app[LOG] = log
    app[STATE] = SiteState(robots=options.robots)
    app[PAGES] = PageCache()
    app.on_response_prepare.append(log_status)
    add_assets(app)
    add_control(app)
    add_index(app, throughput_pages=options.pages)
    add_robots(app)
    add_sitemaps(app)
    add_shop(app)
    add_second_shop(app)
    add_magazine(app)
    add_dynamic(app)
    add_changing(app)
    add_hostile(app)
    if options.pages:
        add_throughput(app, options.pages)
    return app
