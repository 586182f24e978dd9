"""A few browsers, started when needed, used again and again, replaced when old or broken, and never waited for."""

import asyncio
import contextlib
import os
import shutil
import tempfile
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import TracebackType
from typing import TypeVar

import psutil

from crawler_node.browser.door import Doors
from crawler_node.browser.machine import MachineSlots, TakenLock
from crawler_node.browser.options import BrowserOptions
from crawler_node.browser.processes import adopt_orphans
from crawler_node.browser.programs import BrowserPrograms
from crawler_node.browser.session import FOLDER_PREFIX, BrowserSession
from crawler_node.errors import BrowserBusyError, BrowserError

_T = TypeVar("_T")
_CHECK_MEMORY_EVERY = 20
_END_SECONDS = 20.0
# A browser that has lived so long is given up when another worker of the machine has none.
_OWN_SECONDS = 20.0
# It is left to the other one for so long, who looks for it every now and then.
_YIELD_SECONDS = 2.0
_LOOK_SECONDS = 0.2
# A page that was looked at is left when its browser has had nothing else to do for so long.
_LINGER_SECONDS = 0.2
_LEAVE_SECONDS = 20.0
_IDLE_SECONDS = 1.0
# How often it is looked whether a page fills the machine's memory; a look costs some 20 ms of CPU for each browser.
_WATCH_SECONDS = 2.0


class BrowserHungError(BrowserError):
    """A page held its browser for longer than a page may, so the browser was ended."""


class _Slot:
    """A place for one browser, with the thread that talks to it, and a slot of the machine while there is a browser."""

    def __init__(self, make: Callable[[], BrowserSession], options: BrowserOptions) -> None:
        self._make = make
        self._options = options
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="browser")
        self._session: BrowserSession | None = None
        self._lock: TakenLock | None = None
        self._began = 0.0
        self._ended = 0.0
        self._yields_until = 0.0
        self._is_working = False
        self._has_outgrown = False

    @property
    def has_browser(self) -> bool:
        """Whether a browser runs here, or is about to."""
        return self._session is not None or self._lock is not None

    @property
    def is_yielding(self) -> bool:
        """Whether a browser was given up here just now, for another worker."""
        return time.monotonic() < self._yields_until

    @property
    def is_lingering(self) -> bool:
        """Whether the browser still shows a page that nobody looks at."""
        has_page = self._session is not None and self._session.shows_page
        return has_page and time.monotonic() - self._ended >= _LINGER_SECONDS

    async def leave(self) -> None:
        """Leave the page that the browser shows; a browser that does not is ended."""
        with contextlib.suppress(BrowserError):
            await self._bounded(lambda: self._work(BrowserSession.leave), seconds=_LEAVE_SECONDS)

    def reserve(self) -> bool:
        """Whether a browser may be started here now; then `run` must follow."""
        if self._options.machine is None:
            return True
        self._lock = self._options.machine.take()
        return self._lock is not None

    async def run(self, work: Callable[[BrowserSession], _T], *, seconds: float) -> _T:
        """Do some work with the browser, within a time that nothing in the browser can stretch."""
        if self._session is None:
            await self._bounded(self._start, seconds=2 * self._options.start_seconds)
        return await self._bounded(lambda: self._work(work), seconds=seconds)

    async def _bounded(self, call: Callable[[], _T], *, seconds: float) -> _T:
        done = asyncio.get_running_loop().run_in_executor(self._thread, call)
        try:
            async with asyncio.timeout(seconds):  # `wait_for` forgets who is cancelled in the moment it is done
                return await asyncio.shield(done)
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
        if self._options.machine is not None and self._lock is None:
            raise BrowserError("The browser was ended before it started.")
        self._began = time.monotonic()
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
        self._is_working, self._has_outgrown = True, False
        try:
            result = work(session)
        except BrowserError as error:
            self.kill()
            if self._has_outgrown:
                raise BrowserError(_say_outgrown(self._options.memory_bytes)) from error
            raise
        finally:
            self._is_working = False
        self._ended = time.monotonic()
        if self._is_worn(session):
            self.kill()
        elif time.monotonic() - self._began >= _OWN_SECONDS:
            self.give_way()
        return result

    def end_if_outgrown(self) -> None:
        """End the browser in the middle of a page that fills the memory; its page is told so."""
        session = self._session
        if session is None or not self._is_working or session.memory_bytes() <= self._options.memory_bytes:
            return
        if self._is_working and session is self._session:  # looking takes a while
            self._has_outgrown = True
            self.kill()

    def give_way(self) -> None:
        """End the browser where another worker of the machine has none and waits for one."""
        machine = self._options.machine
        if machine is not None and machine.is_waited_for():
            self._yields_until = time.monotonic() + _YIELD_SECONDS
            self.kill()

    def _is_worn(self, session: BrowserSession) -> bool:
        if session.page_count >= self._options.pages_per_browser:
            return True
        is_due = session.page_count % _CHECK_MEMORY_EVERY == 0
        return is_due and session.memory_bytes() > self._options.memory_bytes

    def kill(self) -> None:
        """End the browser; the next work gets a new one."""
        session, self._session = self._session, None
        lock, self._lock = self._lock, None
        if session is not None:
            session.kill()
        if lock is not None:
            lock.release()

    def close(self) -> None:
        """End the browser and its thread."""
        self.kill()
        self._thread.shutdown(wait=True, cancel_futures=True)


class BrowserPool:
    """Browsers for one worker. Use as a context: afterwards none of their processes and files is left.

    Where the machine's slots are counted, a browser is started only in a free one. A worker that has none at all says
    that it waits, and then others give up idle browsers at once and busy ones after a while.
    """

    def __init__(self, programs: BrowserPrograms, options: BrowserOptions, *, proxy: str) -> None:
        self._options = options
        self._doors = Doors()
        self._slots = [
            _Slot(lambda: BrowserSession(programs, options, proxy=proxy, doors=self._doors), options)
            for _ in range(options.slots)
        ]
        self._free = list(reversed(self._slots))
        self._is_freed = asyncio.Event()
        self._turn = asyncio.Lock()
        self._idling: list[asyncio.Task[None]] = []

    async def __aenter__(self) -> "BrowserPool":
        adopt_orphans()
        _remove_leftovers()
        await self._doors.__aenter__()
        self._idling += [asyncio.create_task(self._leave_idle()), asyncio.create_task(self._watch_memory())]
        if self._options.machine is not None:
            self._idling.append(asyncio.create_task(self._give_up_idle(self._options.machine)))
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for task in self._idling:
            task.cancel()
        await asyncio.wait(self._idling)
        await asyncio.gather(*(asyncio.to_thread(slot.close) for slot in self._slots))
        await self._doors.__aexit__(kind, error, trace)

    async def run(
        self, work: Callable[[BrowserSession], _T], *, seconds: float | None = None, wait_seconds: float | None = None
    ) -> _T:
        """Do some work with a free browser as soon as there is one; raises BrowserError when the browser breaks.

        `seconds` counts from when the browser is had and has started. Raises BrowserBusyError when none was free for
        `wait_seconds`.
        """
        slot = await self._take_within(wait_seconds)
        try:
            return await slot.run(work, seconds=seconds or self._options.deadline_seconds)
        finally:
            self._put_back(slot)

    # --- slots

    async def _take_within(self, seconds: float | None) -> _Slot:
        try:
            async with asyncio.timeout(seconds):
                return await self._take()
        except TimeoutError:
            raise BrowserBusyError("No browser was free in time. The page is tried again later.") from None

    async def _take(self) -> _Slot:
        """The next free slot, in the order in which it was asked for."""
        async with self._turn:
            waiting: TakenLock | None = None
            try:
                while (slot := self._take_free()) is None:
                    waiting = self._say_waiting(waiting)
                    await self._rest()
                return slot
            finally:
                if waiting is not None:
                    waiting.release()

    def _take_free(self) -> _Slot | None:
        """A slot with a browser rather than one without, the last used first."""
        free = self._free[::-1]
        slot = next((slot for slot in free if slot.has_browser), None)
        if slot is None and free and self._may_start() and free[0].reserve():
            slot = free[0]
        if slot is not None:
            self._free.remove(slot)
        return slot

    def _may_start(self) -> bool:
        """Who has a browser takes no other while somebody has none; who has just given one up leaves it to them."""
        machine = self._options.machine
        if machine is None:
            return True
        return not any(slot.is_yielding for slot in self._slots) and not (self._has_any and machine.is_waited_for())

    @property
    def _has_any(self) -> bool:
        return any(slot.has_browser for slot in self._slots)

    def _say_waiting(self, said: TakenLock | None) -> TakenLock | None:
        """Tell the machine's other workers as long as there is no browser here."""
        machine = self._options.machine
        if machine is None or (said is not None and not self._has_any):
            return said
        if said is not None:
            said.release()
        return None if self._has_any else machine.wait()

    async def _rest(self) -> None:
        """Until a slot is free here; on the machine one may become free at any time."""
        self._is_freed.clear()
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(_LOOK_SECONDS if self._options.machine is not None else None):
                await self._is_freed.wait()

    def _put_back(self, slot: _Slot) -> None:
        self._free.append(slot)
        self._is_freed.set()

    async def _leave_idle(self) -> None:
        """A page that stays goes on asking its site for things, whatever that asked us to wait for."""
        while True:
            await asyncio.sleep(_LOOK_SECONDS)
            while (slot := next((slot for slot in self._free if slot.is_lingering), None)) is not None:
                self._free.remove(slot)
                try:
                    await slot.leave()
                finally:
                    self._put_back(slot)

    async def _watch_memory(self) -> None:
        while True:
            await asyncio.sleep(_WATCH_SECONDS)
            for slot in self._slots:
                if slot not in self._free:
                    await asyncio.to_thread(slot.end_if_outgrown)

    async def _give_up_idle(self, machine: MachineSlots) -> None:
        while True:
            await asyncio.sleep(_IDLE_SECONDS)
            slot = next((slot for slot in self._free if slot.has_browser), None)
            if slot is not None and machine.is_waited_for():
                self._free.remove(slot)
                await asyncio.to_thread(slot.give_way)
                self._put_back(slot)


def _say_outgrown(limit_bytes: int) -> str:
    return f"The page took more than {limit_bytes / 1e6:,.0f} MB of memory, so its browser was ended."


def _remove_leftovers() -> None:
    """Folders of browsers whose worker was killed."""
    for folder in Path(tempfile.gettempdir()).glob(f"{FOLDER_PREFIX}*"):
        pid = folder.name.removeprefix(FOLDER_PREFIX).partition("-")[0]
        if pid.isdigit() and int(pid) != os.getpid() and not psutil.pid_exists(int(pid)):
            shutil.rmtree(folder, ignore_errors=True)
