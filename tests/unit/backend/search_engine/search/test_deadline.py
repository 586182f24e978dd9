"""A question's time is its own: what loading kernels takes is not counted."""

import time

import pytest

from backend.search_engine import compiler
from backend.search_engine.compilation import Kernel
from backend.search_engine.errors import DeadlineExceededError
from backend.search_engine.search.deadline import Deadline
from backend.search_engine.signatures import I8


def plus_one(value: int) -> int:
    return value + 1


def test_time_that_is_up_is_up() -> None:
    deadline = Deadline(0.01)
    time.sleep(0.02)
    with pytest.raises(DeadlineExceededError):
        deadline.check()


def test_loading_kernels_is_not_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    def load_slowly(kernel: Kernel) -> object:
        time.sleep(0.2)
        return kernel.py_func

    monkeypatch.setattr(compiler, "compile_kernel", load_slowly)
    kernel = Kernel(plus_one, I8(I8), is_inlined=False)
    deadline = Deadline(0.1)
    assert kernel(1) == 2
    deadline.check()
    time.sleep(0.11)
    with pytest.raises(DeadlineExceededError):
        deadline.check()


def test_no_deadline_is_never_up() -> None:
    Deadline(None).check()
