"""A question's time is its own: what loading kernels takes is not counted."""

import pytest

from backend.search_engine import compilation, compiler
from backend.search_engine.compilation import Kernel
from backend.search_engine.errors import DeadlineExceededError
from backend.search_engine.search import deadline as deadline_module
from backend.search_engine.search.deadline import Deadline
from backend.search_engine.signatures import I8


class Clock:
    """Time that passes when it is told to."""

    def __init__(self) -> None:
        self.now = 100.0

    def monotonic(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    for module in (compilation, deadline_module):
        monkeypatch.setattr(module, "time", clock)
    return clock


def plus_one(value: int) -> int:
    return value + 1


def test_time_that_is_up_is_up(clock: Clock) -> None:
    deadline = Deadline(5)
    clock.now += 5
    deadline.check()
    clock.now += 0.1
    with pytest.raises(DeadlineExceededError, match="longer than 5 s"):
        deadline.check()


def test_loading_kernels_is_not_counted(clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    def load_slowly(kernel: Kernel) -> object:
        clock.now += 60
        return kernel.py_func

    monkeypatch.setattr(compiler, "compile_kernel", load_slowly)
    kernel = Kernel(plus_one, I8(I8), is_inlined=False)
    deadline = Deadline(5)
    assert [kernel(1), kernel(2)] == [2, 3]
    clock.now += 4
    deadline.check()
    clock.now += 2
    with pytest.raises(DeadlineExceededError):
        deadline.check()


def test_no_deadline_is_never_up(clock: Clock) -> None:
    deadline = Deadline(None)
    clock.now += 1e9
    deadline.check()
