"""Trials that cost at most their budget: run in child processes that are killed and replaced when they take too long.

Native code (an XPath, a parse) cannot be interrupted from inside; a process can be ended from outside.
"""

import os
import queue
import select
import signal
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from datetime import datetime
from types import TracebackType
from typing import Any, Self

from crawler_node.extract import errors
from crawler_node.extract.extraction import Extraction
from crawler_node.extract.frames import pack, unpack
from crawler_node.extract.trials import PageTrial, SelectorTrial, to_extraction, to_page_trial, to_selector_trial

BUDGET_SECONDS = 3.0
START_SECONDS = 60.0
END_SECONDS = 10.0
# A trial's budget is CPU time, kept by the kernel. By the clock it may take longer, for others work here too.
CLOCK_FACTOR = 5.0
MEMORY_BYTES = 1 << 30
# How long a trial waits for a free child: whoever asks must not be held for ever by what others try.
WAIT_SECONDS = 30.0


class _Child:
    """One child process. Whoever holds it has it alone."""

    def __init__(self, memory_bytes: int) -> None:
        command = [sys.executable, "-m", "crawler_node.extract.bounded_child", str(memory_bytes)]
        environment = {"PYTHONPATH": os.pathsep.join(filter(None, sys.path)), "PYTHONUTF8": "1"}
        self._process = subprocess.Popen(  # noqa: S603
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=environment,
            bufsize=0,
        )
        try:
            self._receive(START_SECONDS)
        except (TimeoutError, EOFError):
            self.end()
            raise errors.WorkerDied(
                "The process that tries selectors did not start; look at the machine's memory."
            ) from None

    @property
    def is_alive(self) -> bool:
        """Whether the process still runs."""
        return self._process.poll() is None

    @property
    def ran_out_of_time(self) -> bool:
        """Whether the kernel ended the process because its trial had used up its CPU time."""
        try:
            return self._process.wait(END_SECONDS) == -signal.SIGPROF
        except subprocess.TimeoutExpired:
            return False

    def ask(self, message: Mapping[str, Any], body: bytes, seconds: float) -> dict[str, Any]:
        """The child's answer; raises TimeoutError when it takes longer, EOFError when it ended instead."""
        try:
            self._process.stdin.write(pack(dict(message), body))  # type: ignore[union-attr]
        except BrokenPipeError:
            raise EOFError from None
        return self._receive(seconds)

    def _receive(self, seconds: float) -> dict[str, Any]:
        deadline = time.monotonic() + seconds
        return unpack(lambda count: self._read_exactly(count, deadline))[0]

    def _read_exactly(self, count: int, deadline: float) -> bytes:
        descriptor = self._process.stdout.fileno()  # type: ignore[union-attr]
        poll = select.poll()
        poll.register(descriptor, select.POLLIN | select.POLLHUP)
        data = bytearray()
        while len(data) < count:
            left = deadline - time.monotonic()
            if left <= 0 or not poll.poll(left * 1_000):
                raise TimeoutError
            piece = os.read(descriptor, min(count - len(data), 1 << 20))
            if not piece:
                raise EOFError
            data += piece
        return bytes(data)

    def end(self) -> None:
        """Kill the process and wait for its end."""
        self._process.kill()
        for stream in (self._process.stdin, self._process.stdout):
            if stream is not None:
                stream.close()
        self._process.wait()


class BoundedPool:
    """Child processes that try selectors and templates on pages. Safe from many threads; children start when needed.

    A trial that takes more than `budget_seconds` of CPU raises BudgetError, one whose child ends by itself WorkerDied;
    what a person got wrong is raised as the same UserError as outside; BusyError when no child comes free in time.
    `close` ends all children.
    """

    def __init__(
        self, *, size: int = 2, budget_seconds: float = BUDGET_SECONDS, memory_bytes: int = MEMORY_BYTES
    ) -> None:
        self._budget_seconds = budget_seconds
        self._clock_seconds = budget_seconds * CLOCK_FACTOR
        self._memory_bytes = memory_bytes
        # None stands for a child not yet started: a free place.
        self._places: queue.LifoQueue[_Child | None] = queue.LifoQueue()
        self._size = size
        for _ in range(size):
            self._places.put(None)

    def try_selector(self, selector: str, body: bytes, *, url: str, content_type: str = "") -> SelectorTrial:
        """What an XPath finds on a page."""
        message = {"trial": "selector", "selector": selector, "url": url, "content_type": content_type}
        return to_selector_trial(self._run(message, body, f"The selector {selector[:80]}"))

    def try_template(
        self, template: Mapping[str, Any], body: bytes, *, url: str, content_type: str = "", now: datetime | None = None
    ) -> Extraction:
        """What a template, as it stands in a project file, finds on a page."""
        moment = now.isoformat() if now else ""
        message = {
            "trial": "template",
            "template": dict(template),
            "url": url,
            "content_type": content_type,
            "now": moment,
        }
        return to_extraction(self._run(message, body, "The template"))

    def try_page(
        self,
        template: Mapping[str, Any],
        body: bytes,
        *,
        url: str,
        content_type: str = "",
        links_scope: Sequence[str] = (),
        now: datetime | None = None,
    ) -> PageTrial:
        """All that a crawl with this template would read from a page."""
        moment = now.isoformat() if now else ""
        page = {"url": url, "content_type": content_type, "links_scope": list(links_scope), "now": moment}
        return to_page_trial(self._run({"trial": "page", "template": dict(template), **page}, body, "The template"))

    def close(self) -> None:
        """End all children; trials under way are waited for."""
        for _ in range(self._size):
            child = self._places.get()
            if child is not None:
                child.end()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()

    def _run(self, message: dict[str, Any], body: bytes, subject: str) -> dict[str, Any]:
        try:
            place = self._places.get(timeout=WAIT_SECONDS)
        except queue.Empty:
            raise errors.BusyError("Too many trials are under way. Try again in a moment.") from None
        child: _Child | None = None
        kept: _Child | None = None
        try:
            child = place if place is not None and place.is_alive else _Child(self._memory_bytes)
            answer = child.ask({**message, "budget_seconds": self._budget_seconds}, body, self._clock_seconds)
            kept = child
        except TimeoutError:
            raise errors.BudgetError(_too_long(subject, self._budget_seconds)) from None
        except EOFError:
            if child is not None and child.ran_out_of_time:
                raise errors.BudgetError(_too_long(subject, self._budget_seconds)) from None
            raise errors.WorkerDied(f"{subject} needed more memory or time than it may on this page.") from None
        finally:
            for used in {place, child} - {kept, None}:
                used.end()  # type: ignore[union-attr]
            self._places.put(kept)
        return _result(answer)


def _too_long(subject: str, seconds: float) -> str:
    return f"{subject} took more than {seconds:g} s on this page and was stopped. Write a simpler expression."


def _result(answer: dict[str, Any]) -> dict[str, Any]:
    """The answer of a trial, or what it raised, raised here."""
    kind = answer.get("error")
    if kind is None:
        result: dict[str, Any] = answer["answer"]
        return result
    message, position, hint = answer["message"], answer.get("position"), answer.get("hint", "")
    if kind == "TemplateError":
        raise errors.TemplateError(message, field=answer["field"], position=position, hint=hint)
    if kind in {"SelectorError", "CleanupError"}:
        raise getattr(errors, kind)(message, position=position, hint=hint)
    raise {"PageError": errors.PageError, "BudgetError": errors.BudgetError}.get(kind, errors.ExtractError)(message)
