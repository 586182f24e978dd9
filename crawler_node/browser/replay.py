"""A replay: one page and its action chain while somebody looks on, in a process of its own that costs what it may.

The child (`replay_child.py`) tells every step as soon as it is done, so that those are known when a page takes too much
time or memory and everything ends: the child is ended, and its browser with it.
"""

import os
import select
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from enum import StrEnum
from typing import Any

from crawler_node.browser.actions import StepReport
from crawler_node.browser.processes import dies_with_parent
from crawler_node.browser.programs import BrowserPrograms, find_programs
from crawler_node.contracts import FetchedPage
from crawler_node.errors import BrowserMissingError
from crawler_node.extract.frames import pack, unpack

MEMORY_BYTES = 1_500_000_000
MAX_PICTURES_BYTES = 10_000_000
_ROOM_SECONDS = 2.0
_LOOK_SECONDS = 0.5
_END_SECONDS = 10.0


class StepOutcome(StrEnum):
    """What became of a step. One that was not tried, because the chain had ended before, is skipped."""

    OK = "ok"
    FAILED = "failed"
    SKIPPED = "skipped"


@dataclass(frozen=True, slots=True)
class ReplayOrder:
    """What to replay, as plain values: `actions`, `login` and `cookies` as the project file writes them.

    `hidden` are XPaths of fields that no picture may show; `networks` the operator's allow-list.
    """

    url: str
    actions: Sequence[Mapping[str, Any]] = ()
    hidden: tuple[str, ...] = ()
    user_agent: str = "Gleaner"
    headers: Mapping[str, str] = field(default_factory=dict)
    proxies: tuple[str, ...] = ()
    login: Mapping[str, Any] = field(default_factory=dict)
    cookies: Sequence[Mapping[str, Any]] = ()
    networks: tuple[str, ...] = ()
    seconds: float = 90.0
    memory_bytes: int = MEMORY_BYTES


@dataclass(frozen=True, slots=True)
class ReplayedStep:
    """One step: its place in the chain (0 opens the page), what was done as a sentence, and a JPEG of the page then."""

    place: int
    type: str
    sentence: str
    outcome: StepOutcome
    is_optional: bool = False
    seconds: float = 0.0
    picture: bytes = b""


@dataclass(frozen=True, slots=True)
class Replay:
    """Every step in order, and the page after them; `failure` says why there is none."""

    steps: tuple[ReplayedStep, ...]
    page: FetchedPage | None = None
    failure: str = ""
    seconds: float = 0.0


def run_replay(order: ReplayOrder) -> Replay:
    """Blocking, for at most as long as the order allows. Never raises: what goes wrong is told as a failure."""
    try:
        programs = find_programs()
    except BrowserMissingError as error:
        return Replay(_all_steps(order, {}, str(error)), failure=str(error))
    began = time.monotonic()
    steps: dict[int, StepReport] = {}
    page, failure = None, ""
    with _Child(order, programs) as child:
        for message, attachment in child.messages():
            if "place" in message:
                steps[message["place"]] = StepReport(**message, picture=attachment)
            elif "failure" in message:
                failure = message["failure"]
            else:
                page = FetchedPage(**message, body=attachment)
        failure = failure or child.ending
    if page is not None:
        failure = ""
    return Replay(_all_steps(order, steps, failure), page, failure, time.monotonic() - began)


class _Child:
    """The process that replays; it has ended when the context ends. `ending` is why it told no more."""

    def __init__(self, order: ReplayOrder, programs: BrowserPrograms) -> None:
        self._deadline = time.monotonic() + order.seconds + _ROOM_SECONDS
        self._seconds = order.seconds
        self.ending = ""
        self._process = subprocess.Popen(  # noqa: S603
            [*dies_with_parent(), sys.executable, "-m", "crawler_node.browser.replay_child"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env={"PYTHONPATH": os.pathsep.join(filter(None, sys.path)), "PYTHONUTF8": "1"},
            bufsize=0,
        )
        self._write(pack({"order": asdict(order), "programs": asdict(programs)}))

    def __enter__(self) -> "_Child":
        return self

    def __exit__(self, *_: object) -> None:
        for stream in (self._process.stdin, self._process.stdout):
            if stream is not None:
                stream.close()
        self._process.terminate()  # it ends its browser and buries it
        try:
            self._process.wait(_END_SECONDS)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()

    def _write(self, order: bytes) -> None:
        assert self._process.stdin is not None  # noqa: S101 - a pipe
        try:
            self._process.stdin.write(order)
            self._process.stdin.flush()
        except BrokenPipeError:
            self.ending = "The process that replays did not start; look at the machine's memory."

    def messages(self) -> Iterator[tuple[dict[str, Any], bytes]]:
        """What it tells, until it ends or its time is over."""
        while True:
            try:
                yield unpack(self._read_exactly)
            except EOFError:
                self.ending = self.ending or "The browser broke down."
                return
            except TimeoutError:
                self.ending = f"It was not over after {self._seconds:g} s, so the browser was ended."
                return

    def _read_exactly(self, count: int) -> bytes:
        assert self._process.stdout is not None  # noqa: S101 - a pipe
        descriptor = self._process.stdout.fileno()
        poll = select.poll()
        poll.register(descriptor, select.POLLIN | select.POLLHUP)
        data = bytearray()
        while len(data) < count:
            if time.monotonic() >= self._deadline or not threading.main_thread().is_alive():
                raise TimeoutError  # in time, or because the whole program ends
            if not poll.poll(_LOOK_SECONDS * 1_000):
                continue
            piece = os.read(descriptor, min(count - len(data), 1 << 20))
            if not piece:
                raise EOFError
            data += piece
        return bytes(data)


def _all_steps(order: ReplayOrder, told: Mapping[int, StepReport], failure: str) -> tuple[ReplayedStep, ...]:
    """The steps that were told, the one at which everything ended, and those after it."""
    types = ["open", *(str(action["type"]) for action in order.actions)]
    found: list[ReplayedStep] = []
    room, has_ended = MAX_PICTURES_BYTES, False
    for place, name in enumerate(types):
        report = told.get(place)
        is_optional = place > 0 and bool(order.actions[place - 1].get("optional", False))
        if report is not None:
            room -= len(report.picture)
            found.append(_step(report, picture=report.picture if room >= 0 else b""))
            has_ended = report.ends_chain
        elif failure and not has_ended:
            found.append(ReplayedStep(place, name, failure, StepOutcome.FAILED, is_optional))
            has_ended = True
        else:
            found.append(ReplayedStep(place, name, "It was not tried.", StepOutcome.SKIPPED, is_optional))
    return tuple(found)


def _step(report: StepReport, *, picture: bytes) -> ReplayedStep:
    outcome = StepOutcome.OK if report.worked else StepOutcome.FAILED
    return ReplayedStep(
        report.place, report.type, report.sentence, outcome, report.is_optional, report.seconds, picture
    )
