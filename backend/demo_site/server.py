"""The site on a socket: a server inside an event loop, and one in a thread of its own for tests."""

import asyncio
import threading
from collections.abc import Callable, Mapping
from types import TracebackType
from typing import Self

from aiohttp import web

from backend.demo_site.application import build_application
from backend.demo_site.options import SiteOptions
from backend.demo_site.request_log import RequestLog
from backend.demo_site.state import STATE, SiteState
from backend.demo_site.truth import KINDS, DocumentKind

START_TIMEOUT_SECONDS = 30
SHUTDOWN_SECONDS = 0.1


class SiteServer:
    """One listening socket and what answers on it; lives inside one event loop."""

    def __init__(self, options: SiteOptions) -> None:
        self.log = RequestLog(file=options.log_file)
        self._options = options
        self._app = build_application(options, self.log)
        self._runner = web.AppRunner(self._app, access_log=None, shutdown_timeout=SHUTDOWN_SECONDS)
        self.url = ""

    @property
    def state(self) -> SiteState:
        return self._app[STATE]

    async def start(self) -> None:
        """Listen; afterwards `url` is the address, without a slash at its end."""
        await self._runner.setup()
        site = web.TCPSite(self._runner, self._options.host, self._options.port, backlog=1024)
        await site.start()
        host, port = self._runner.addresses[0][:2]
        self.url = self.log.server = f"http://{host}:{port}"

    async def stop(self) -> None:
        """Close the socket, break off what still streams, close the log."""
        await self._runner.cleanup()
        self.log.close()


class DemoSite:
    """The site in a thread of this process: `with DemoSite() as site:` or `async with`, then `site.url`, `site.log`.

    The log and the knobs are the very objects the server uses.
    """

    def __init__(self, options: SiteOptions | None = None) -> None:
        self._options = options or SiteOptions()
        self._started = threading.Event()
        self._fault: BaseException | None = None
        self._stop: Callable[[], object] = lambda: None
        self._server: SiteServer
        self._thread = threading.Thread(target=self._run, name="demo site", daemon=True)

    @property
    def url(self) -> str:
        """The address, without a slash at its end."""
        return self._server.url

    @property
    def log(self) -> RequestLog:
        return self._server.log

    @property
    def state(self) -> SiteState:
        return self._server.state

    @property
    def truth(self) -> Mapping[str, DocumentKind]:
        """Every kind of document on the site, by name, with every value."""
        return KINDS

    def reset(self) -> None:
        """Forget the log and the counters, and put the knobs back."""
        self.log.clear()
        self.state.reset()

    def start(self) -> Self:
        """Return when the site answers."""
        self._thread.start()
        if not self._started.wait(START_TIMEOUT_SECONDS):
            raise TimeoutError("The demo site did not start.")
        if self._fault is not None:
            raise self._fault
        return self

    def stop(self) -> None:
        """Return when the site's thread has ended."""
        self._stop()
        self._thread.join()

    def _run(self) -> None:
        try:
            asyncio.run(self._serve())
        except BaseException as fault:  # noqa: BLE001 - handed to the thread that waits in start()
            self._fault = fault
        finally:
            self._started.set()

    async def _serve(self) -> None:
        stopped = asyncio.Event()
        loop = asyncio.get_running_loop()
        self._server = SiteServer(self._options)
        await self._server.start()
        self._stop = lambda: loop.call_soon_threadsafe(stopped.set)
        self._started.set()
        await stopped.wait()
        await self._server.stop()

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(
        self, kind: type[BaseException] | None, fault: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()

    async def __aenter__(self) -> Self:
        return await asyncio.to_thread(self.start)

    async def __aexit__(
        self, kind: type[BaseException] | None, fault: BaseException | None, trace: TracebackType | None
    ) -> None:
        await asyncio.to_thread(self.stop)
