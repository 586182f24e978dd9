"""From the events table to open streams: one reader a process, however many pages are open."""

import asyncio
import contextlib
import itertools
import logging
import random
import signal
import threading
from collections.abc import AsyncIterator, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Final
from weakref import WeakKeyDictionary

from django.db import Error as DatabaseFailure
from django.db import close_old_connections

from backend.apps.events.collecting import collect_events
from backend.apps.events.selectors import (
    Projects,
    Told,
    Wanted,
    events_between,
    is_swept,
    latest_event,
    visible_projects,
    written,
)
from backend.apps.jobs.clock import database_now
from backend.apps.nodes.selectors import judged_nodes

log = logging.getLogger(__name__)

POLL_SECONDS: Final = 1.0
REFRESH_SECONDS: Final = 10.0
HEARTBEAT_SECONDS: Final = 15.0
# A stream ends after about this long; the browser asks again by itself, and is asked who it is.
LIFETIME_SECONDS: Final = 15 * 60.0
MAX_STREAMS: Final = 1_000
MAX_WAITING: Final = 1_000
MAX_REPLAYED: Final = 1_000
BATCH_EVENTS: Final = 500
HEARTBEAT: Final = b": still here\n\n"
END: Final = None


class Listener:
    """One open stream. `queue` has what is to be sent; END closes it."""

    def __init__(self, user_id: int, projects: Projects, wanted: Wanted) -> None:
        self.user_id = user_id
        self.projects = projects
        self.wanted = wanted
        self.queue: asyncio.Queue[bytes | None] = asyncio.Queue()
        self._is_over = False

    def end(self) -> None:
        """Send what waits, then close."""
        if not self._is_over:
            self._is_over = True
            self.queue.put_nowait(END)

    def offer(self, event: Told) -> None:
        """Send an event if it is for this stream; who reads too slowly is let go, and resumes by the last id."""
        if self._is_over or not self.wanted.takes(event, self.projects):
            return
        if self.queue.qsize() >= MAX_WAITING:
            self.end()
        else:
            self.queue.put_nowait(event.text)


class EventFeed:
    """Polls while anybody listens. All database work is done in one thread of its own."""

    def __init__(self) -> None:
        self._listeners: set[Listener] = set()
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="events")
        self._task: asyncio.Task[None] | None = None
        self._joining = asyncio.Lock()
        self._last = 0

    @property
    def listeners(self) -> int:
        """How many streams are open."""
        return len(self._listeners)

    async def stream(self, user_id: int, projects: Projects, wanted: Wanted, after: int | None) -> AsyncIterator[bytes]:
        """What a stream sends, from the event after `after` on, or from now on."""
        listener = Listener(user_id, projects, wanted)
        until = await self._join(listener)
        try:
            yield b"retry: 2000\n\n"
            if after is not None:
                for text in await self._in_thread(_missed, after, until, listener):
                    yield text
            yield f"id: {until}\n\n".encode()  # who loses the stream before its first event knows where to go on
            async for text in _told(listener):
                yield text
        finally:
            self._leave(listener)

    def close(self) -> None:
        """End all streams in good order."""
        for listener in self._listeners:
            listener.end()

    async def _join(self, listener: Listener) -> int:
        """The listener is told everything after the event whose id this returns."""
        async with self._joining:
            if not self._listeners:
                self._last = await self._in_thread(latest_event)
            self._listeners.add(listener)
            if self._task is None or self._task.done():
                self._task = asyncio.create_task(self._poll())
                _close_at_shutdown(self)
            return self._last

    def _leave(self, listener: Listener) -> None:
        self._listeners.discard(listener)
        if not self._listeners and self._task is not None:
            self._task.cancel()
            self._task = None

    async def _poll(self) -> None:
        try:
            for round_number in itertools.count():
                with _patience():
                    if round_number % int(REFRESH_SECONDS / POLL_SECONDS) == 0:
                        await self._refresh_rights()
                    await self._spread_news()
                await asyncio.sleep(POLL_SECONDS)
        finally:
            self.close()

    async def _spread_news(self) -> None:
        for event in await self._in_thread(_news, self._last):
            self._last = event.id
            for listener in self._listeners:
                listener.offer(event)

    async def _refresh_rights(self) -> None:
        """One question for everybody: whoever lost a project hears no more of it, who may not sign in of nothing."""
        asked = list(self._listeners)  # who joins meanwhile was let in just now
        rights = await self._in_thread(visible_projects, [listener.user_id for listener in asked])
        for listener in asked:
            if listener.user_id in rights:
                listener.projects = rights[listener.user_id]
            else:
                listener.end()

    async def _in_thread(self, work: Callable[..., Any], *arguments: Any) -> Any:
        return await asyncio.get_running_loop().run_in_executor(self._thread, _with_connection, work, arguments)


@contextlib.contextmanager
def _patience() -> Iterator[None]:
    """A database that does not answer now is asked again later."""
    try:
        yield
    except DatabaseFailure as error:
        log.warning("Events could not be read (%s); trying again.", error)


def _with_connection(work: Callable[..., Any], arguments: tuple[Any, ...]) -> Any:
    close_old_connections()
    try:
        return work(*arguments)
    finally:
        close_old_connections()


def _news(last: int) -> list[Told]:
    now = database_now()
    judged_nodes(now=now)
    collect_events(now=now)
    return events_between(last, None, limit=BATCH_EVENTS)


def _missed(after: int, until: int, listener: Listener) -> list[bytes]:
    """What a returning listener has not seen; where that is no longer known, the advice to load everything again."""
    events = [] if is_swept(after) else events_between(after, until, limit=MAX_REPLAYED + 1, projects=listener.projects)
    if is_swept(after) or len(events) > MAX_REPLAYED:
        return [written("reset", {"reason": "Too much has happened since. Load the page's data again."}, until)]
    return [event.text for event in events if listener.wanted.takes(event, listener.projects)]


async def _told(listener: Listener) -> AsyncIterator[bytes]:
    """Events as they come, joined when several wait; a sign of life when none do; the end after a while."""
    loop = asyncio.get_running_loop()
    ends_at = loop.time() + LIFETIME_SECONDS * random.uniform(0.9, 1.1)  # noqa: S311 - not all at once
    while loop.time() < ends_at:
        try:
            async with asyncio.timeout(HEARTBEAT_SECONDS):
                texts = [await listener.queue.get()]
        except TimeoutError:
            texts = [HEARTBEAT]
        with contextlib.suppress(asyncio.QueueEmpty):
            while True:
                texts.append(listener.queue.get_nowait())
        yield b"".join(text for text in texts if text is not END)
        if END in texts:
            return


_feeds: WeakKeyDictionary[asyncio.AbstractEventLoop, EventFeed] = WeakKeyDictionary()


def event_feed() -> EventFeed:
    """The feed of the running loop."""
    return _feeds.setdefault(asyncio.get_running_loop(), EventFeed())


def open_streams() -> int:
    """How many streams this process serves."""
    return sum(feed.listeners for feed in list(_feeds.values()))


async def stream_events(
    user_id: int, projects: Projects, wanted: Wanted, after: int | None = None
) -> AsyncIterator[bytes]:
    """`EventFeed.stream` of whatever loop serves the answer."""
    async with contextlib.aclosing(event_feed().stream(user_id, projects, wanted, after)) as texts:
        async for text in texts:
            yield text


_watched: set[asyncio.AbstractEventLoop] = set()


def _close_at_shutdown(feed: EventFeed) -> None:
    """A server that is asked to end waits for its answers to finish; ours would never. So they hear of it, too."""
    loop = asyncio.get_running_loop()
    if loop in _watched or threading.current_thread() is not threading.main_thread():
        return
    _watched.add(loop)
    for number in (signal.SIGTERM, signal.SIGINT):
        before = signal.getsignal(number)
        if callable(before):
            signal.signal(number, _also_closing(feed, loop, before))


def _also_closing(
    feed: EventFeed, loop: asyncio.AbstractEventLoop, before: Callable[[int, Any], Any]
) -> Callable[[int, Any], None]:
    def handle(number: int, frame: Any) -> None:
        if not loop.is_closed():
            loop.call_soon_threadsafe(feed.close)
        before(number, frame)

    return handle
