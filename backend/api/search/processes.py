"""Search processes: the web process hands questions to them, so searches use every core and its loop stays free.

They keep indexes open, follow generations and know no database: what they need of an indexer (`Served`) is sent once.
The two ends speak through a pair of sockets, in messages with their length before them. A process that dies is started
anew and its questions asked again, once; when the web process ends, however it ends, its search processes do.
"""

import asyncio
import logging
import pickle
import signal
import socket
import subprocess
from collections import OrderedDict, deque
from collections.abc import Callable, Sequence
from multiprocessing.connection import Connection
from typing import Any, Final

from backend.api.search.answering import Answer, Answers, Question, answered
from backend.apps.search.answer_bytes import to_json
from backend.apps.search.served import Served

log = logging.getLogger(__name__)

MAX_SERVED: Final = 64
"""Indexers whose settings a search process remembers; both ends forget the oldest at the same moment."""
IN_FLIGHT: Final = 2
"""So many questions are sent to a process at once: the next is there when it has answered one."""
PATIENCE_SECONDS: Final = 15.0
"""A question that is not answered by then never will be: searches end themselves after two seconds."""
TRIES: Final = 2
RESTART_SECONDS: Final = 1.0
"""A process that never answered is started anew after so long, and twice as long each time."""
MAX_RESTART_SECONDS: Final = 30.0
LENGTH_BYTES: Final = 4
READY: Final = b"ready"
AWAY: Final = Answer(
    503,
    to_json(
        {
            "code": "search_away",
            "detail": "The process that searches ended unexpectedly and is started again. Try again in a moment.",
            "fields": {},
        }
    ),
)


# --- the search process


def serve_questions(connection: Connection) -> None:
    """Say that everything is loaded, then answer one question after another until the web process is gone."""
    known: OrderedDict[int, Served] = OrderedDict()
    connection.send_bytes(READY)
    while True:
        try:
            message = connection.recv_bytes()
        except (EOFError, OSError):
            return
        number, settings, kind, asked = pickle.loads(message)  # noqa: S301 - from the process that started this one
        if settings is not None:
            _remember(known, number, pickle.loads(settings))  # noqa: S301
        status, body, was_kept = answered(Question(known[number], kind, asked))
        try:
            connection.send_bytes(b"%03d%d%b" % (status, was_kept, body))
        except OSError:
            return


def _remember(known: "OrderedDict[int, Any]", number: int, value: Any) -> None:
    known[number] = value
    while len(known) > MAX_SERVED:
        known.popitem(last=False)


# --- the web process


class _Asked:
    """A question on its way."""

    __slots__ = ("answer", "question", "timer", "tries")

    def __init__(self, question: Question, answer: "asyncio.Future[Answer]") -> None:
        self.question = question
        self.answer = answer
        self.timer: asyncio.TimerHandle | None = None
        self.tries = 0

    def settle(self, answer: Answer) -> None:
        if self.timer is not None:
            self.timer.cancel()
        if not self.answer.done():
            self.answer.set_result(answer)


class _Line(asyncio.Protocol):
    """One search process, and the questions it has not answered yet."""

    def __init__(self, command: Sequence[str], *, on_answer: Callable[[], None], on_end: Callable[["_Line"], None]):
        ours, theirs = socket.socketpair()
        with theirs:
            self.process = subprocess.Popen([*command, str(theirs.fileno())], pass_fds=[theirs.fileno()])  # noqa: S603
        self._socket = ours
        self._on_answer = on_answer
        self._on_end = on_end
        self._transport: Any = None
        self._received = bytearray()
        self._known: OrderedDict[int, None] = OrderedDict()
        self.in_flight: deque[_Asked] = deque()
        self.is_ready = False
        self.has_answered = False

    async def connect(self) -> None:
        loop = asyncio.get_running_loop()
        self._transport, _ = await loop.create_unix_connection(lambda: self, sock=self._socket)

    def send(self, asked: _Asked) -> None:
        served, kind, wanted = asked.question
        settings = None
        if served.number not in self._known:
            _remember(self._known, served.number, None)
            settings = pickle.dumps(served)
        message = pickle.dumps((served.number, settings, kind, wanted))
        asked.tries += 1
        self.in_flight.append(asked)
        self._transport.write(len(message).to_bytes(LENGTH_BYTES, "big") + message)

    def data_received(self, data: bytes) -> None:
        received = self._received
        received += data
        while len(received) >= LENGTH_BYTES:
            end = LENGTH_BYTES + int.from_bytes(received[:LENGTH_BYTES], "big")
            if len(received) < end:
                break
            message = bytes(received[LENGTH_BYTES:end])
            del received[:end]
            if message == READY:
                self.is_ready = True
                continue
            self.has_answered = True
            self.in_flight.popleft().settle(Answer(int(message[:3]), message[4:], message[3:4] == b"1"))
        self._on_answer()

    def connection_lost(self, exc: Exception | None) -> None:
        self._on_end(self)

    def kill(self) -> None:
        self.process.kill()

    def bury(self) -> int:
        """End the process if it has not ended, and say how it did."""
        self.process.kill()
        return self.process.wait()

    def close(self) -> None:
        if self._transport is not None:
            self._transport.close()
        self._socket.close()


class ProcessAnswers:
    """`count` processes, started at once; questions wait in one queue. To be used from one event loop.

    While none of them is ready, `meanwhile` answers; without it questions wait.
    """

    def __init__(
        self,
        command: Sequence[str],
        *,
        count: int,
        patience_seconds: float = PATIENCE_SECONDS,
        meanwhile: Answers | None = None,
    ) -> None:
        self._command = command
        self._meanwhile = meanwhile
        self._patience_seconds = patience_seconds
        self._waiting: deque[_Asked] = deque()
        self._pause_seconds = RESTART_SECONDS
        self._is_closed = False
        self._tasks: set[asyncio.Task[None]] = set()
        self._lines = [self._new_line() for _ in range(count)]
        self._is_connected = False

    @property
    def pids(self) -> list[int]:
        """Of the processes that run."""
        return [line.process.pid for line in self._lines]

    async def answer(self, question: Question) -> Answer:
        loop = asyncio.get_running_loop()
        if not self._is_connected:
            self._is_connected = True
            for line in self._lines:
                await line.connect()
        if self._meanwhile is not None and not any(line.is_ready for line in self._lines):
            return await self._meanwhile.answer(question)
        asked = _Asked(question, loop.create_future())
        asked.timer = loop.call_later(self._patience_seconds, self._give_up, asked)
        self._waiting.append(asked)
        self._hand_out()
        return await asked.answer

    def close(self) -> None:
        """End the processes and wait for them."""
        self._is_closed = True
        for line in self._lines:
            line.close()
            line.bury()

    def _new_line(self) -> _Line:
        return _Line(self._command, on_answer=self._hand_out, on_end=self._replace)

    def _hand_out(self) -> None:
        while self._waiting:
            line = self._free_line(self._waiting[0])
            if line is None:
                return
            asked = self._waiting.popleft()
            if not asked.answer.done():
                line.send(asked)

    def _free_line(self, asked: _Asked) -> _Line | None:
        """The process with the least to do; of equals always the same for a question, whose lists it has at hand."""
        open_lines = [line for line in self._lines if line.is_ready and len(line.in_flight) < IN_FLIGHT]
        if not open_lines:
            return None
        least = min(len(line.in_flight) for line in open_lines)
        equal = [line for line in open_lines if len(line.in_flight) == least]
        return equal[hash(asked.question.asked) % len(equal)]

    def _give_up(self, asked: _Asked) -> None:
        """End the process that does not answer; whatever waits behind the question is asked elsewhere."""
        asked.tries = TRIES
        asked.settle(AWAY)
        for line in self._lines:
            if line.in_flight and line.in_flight[0] is asked:
                log.error("A search process did not answer for %s seconds; it is ended.", self._patience_seconds)
                line.kill()

    def _replace(self, line: _Line) -> None:
        """A process has ended: ask its questions again, and start another."""
        line.close()
        if self._is_closed or line not in self._lines:
            return
        self._lines.remove(line)
        for asked in reversed(line.in_flight):
            if asked.tries >= TRIES:
                asked.settle(AWAY)
            else:
                self._waiting.appendleft(asked)
        pause = 0.0 if line.has_answered else self._pause_seconds
        self._pause_seconds = min(2 * pause, MAX_RESTART_SECONDS) or RESTART_SECONDS
        task = asyncio.ensure_future(self._start_another(line, pause))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        self._hand_out()

    async def _start_another(self, ended: _Line, pause_seconds: float) -> None:
        status = await asyncio.get_running_loop().run_in_executor(None, ended.bury)
        log.error("Search process %s ended unexpectedly (%s).", ended.process.pid, status)
        await asyncio.sleep(pause_seconds)
        if self._is_closed:
            return
        line = self._new_line()
        await line.connect()
        self._lines.append(line)
        self._hand_out()


def run_search_process(descriptor: int) -> None:
    """Answer what comes through an inherited socket.

    Whoever stops the server signals the whole group, and the web process still answers what is under way: this one ends
    with it, and by no signal but SIGKILL.
    """
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    serve_questions(Connection(descriptor))
