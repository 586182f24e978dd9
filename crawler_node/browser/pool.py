"""A few browsers, started when needed, used again and again, replaced when old or broken, and never waited for."""

import asyncio
import os
import shutil
import tempfile
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import TracebackType
from typing import TypeVar

import psutil

from crawler_node.browser.door import Doors
from crawler_node.browser.options import BrowserOptions
from crawler_node.browser.processes import adopt_orphans
from crawler_node.browser.programs import BrowserPrograms
from crawler_node.browser.session import FOLDER_PREFIX, BrowserSession
from crawler_node.errors import BrowserError

_T = TypeVar("_T")
_CHECK_MEMORY_EVERY = 20
_END_SECONDS = 20.0


class BrowserHungError(BrowserError):
    """A page held its browser for longer than a page may, so the browser was ended."""


class _Slot:
    """A place for one browser, with the thread that talks to it."""

    def __init__(self, make: Callable[[], BrowserSession], options: BrowserOptions) -> None:
        self._make = make
        self._options = options
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="browser")
        self._session: BrowserSession | None = None

    async def run(self, work: Callable[[BrowserSession], _T], *, seconds: float) -> _T:
        """Do some work with the browser, within a time that nothing in the browser can stretch."""
        if self._session is None:
            await self._bounded(self._start, seconds=2 * self._options.start_seconds)
        return await self._bounded(lambda: self._work(work), seconds=seconds)

    async def _bounded(self, call: Callable[[], _T], *, seconds: float) -> _T:
        done = asyncio.get_running_loop().run_in_executor(self._thread, call)
        try:
            return await asyncio.wait_for(asyncio.shield(done), seconds)
        except TimeoutError:
            await self._kill_and_wait(done)
            raise BrowserHungError("The page kept its browser busy without end, so the browser was ended.") from None
        except asyncio.CancelledError:
            await self._kill_and_wait(done)
            raise

    async def _kill_and_wait(self, done: "asyncio.Future[_T]") -> None:
        """The call ends because its browser is gone; its thread is free again."""
        await asyncio.to_thread(self.kill)
        await asyncio.wait([done], timeout=_END_SECONDS)
        if done.done() and not done.cancelled():
            done.exception()

    def _start(self) -> None:
        session = self._session = self._make()
        try:
            session.start()
        except BaseException:
            self.kill()
            raise

    def _work(self, work: Callable[[BrowserSession], _T]) -> _T:
        session = self._session
        if session is None:
            raise BrowserError("The browser was ended.")
        try:
            result = work(session)
        except BrowserError:
            self.kill()
            raise
        if self._is_worn(session):
            self.kill()
        return result

    def _is_worn(self, session: BrowserSession) -> bool:
        if session.page_count >= self._options.pages_per_browser:
            return True
        is_due = session.page_count % _CHECK_MEMORY_EVERY == 0
        return is_due and session.memory_bytes() > self._options.memory_bytes

    def kill(self) -> None:
        """End the browser; the next work gets a new one."""
        session, self._session = self._session, None
        if session is not None:
            session.kill()

    def close(self) -> None:
        """End the browser and its thread."""
        self.kill()
        self._thread.shutdown(wait=True, cancel_futures=True)


class BrowserPool:
    """Browsers for one worker. Use as a context: afterwards none of their processes and files is left."""

    def __init__(self, programs: BrowserPrograms, options: BrowserOptions, *, proxy: str) -> None:
        self._options = options
        self._doors = Doors()
        self._slots = [
            _Slot(lambda: BrowserSession(programs, options, proxy=proxy, doors=self._doors), options)
            for _ in range(options.slots)
        ]
        self._free: asyncio.LifoQueue[_Slot] = asyncio.LifoQueue()
        for slot in reversed(self._slots):
            self._free.put_nowait(slot)

    async def __aenter__(self) -> "BrowserPool":
        adopt_orphans()
        _remove_leftovers()
        await self._doors.__aenter__()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await asyncio.gather(*(asyncio.to_thread(slot.close) for slot in self._slots))
        await self._doors.__aexit__(kind, error, trace)

    async def run(self, work: Callable[[BrowserSession], _T], *, seconds: float | None = None) -> _T:
        """Do some work with a free browser as soon as there is one; raises BrowserError when the browser breaks.

        `seconds` counts from when the browser is had and has started.
        """
        slot = await self._free.get()
        try:
            return await slot.run(work, seconds=seconds or self._options.deadline_seconds)
        finally:
            self._free.put_nowait(slot)


def _remove_leftovers() -> None:
    """Folders of browsers whose worker was killed."""
    for folder in Path(tempfile.gettempdir()).glob(f"{FOLDER_PREFIX}*"):
        pid = folder.name.removeprefix(FOLDER_PREFIX).partition("-")[0]
        if pid.isdigit() and int(pid) != os.getpid() and not psutil.pid_exists(int(pid)):
            shutil.rmtree(folder, ignore_errors=True)
