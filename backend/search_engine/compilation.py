"""Kernels: functions that Numba compiles at set-up and that a process loads from the disk when it first calls them.

Importing a kernel costs nothing, not even Numba: a process that never searches never loads it, and a first question
waits for its own few kernels. `warm_up` compiles them all.
"""

import threading
import time
from collections.abc import Callable, Sequence
from importlib import import_module
from typing import Any, Final

_loading: Final = threading.RLock()
_kernels: Final[list["Kernel"]] = []
_waits: Final = threading.local()


class Kernel:
    """A function with one signature, to be called from Python and from other kernels."""

    def __init__(self, function: Callable[..., Any], signature: str | None, *, is_inlined: bool) -> None:
        self.py_func: Any = function
        """What was written; Numba inlines this where `targetoptions` say so."""
        self.targetoptions = {"inline": "always"} if is_inlined else {}
        self.signature = signature
        """None when it is only ever inlined into others."""
        self.__doc__ = function.__doc__
        self._dispatcher: Any = None
        self._run: Callable[..., Any] = self._load_and_run

    def __call__(self, *arguments: Any) -> Any:
        return self._run(*arguments)

    def __repr__(self) -> str:
        return f"<Kernel {self.py_func.__module__}.{self.py_func.__name__}>"

    @property
    def is_loaded(self) -> bool:
        """Whether this process has called it, or compiled another that calls it."""
        return self._dispatcher is not None

    def load(self) -> Any:
        """Numba's compiled function, from the disk, or compiled now when it is not there yet."""
        with _loading:
            if self._dispatcher is None:
                self._dispatcher = _compiler().compile_kernel(self)
                self._run = self._dispatcher
            return self._dispatcher

    def _load_and_run(self, *arguments: Any) -> Any:
        began = time.monotonic()
        loaded = self.load()
        _waits.seconds = loading_seconds() + time.monotonic() - began
        return loaded(*arguments)

    @property
    def _numba_type_(self) -> Any:
        """What Numba takes this for where another kernel calls it."""
        return _compiler().type_of(self.load())


class Late:
    """Something of Numba's that kernels use, imported when one of them is compiled."""

    def __init__(self, path: str) -> None:
        self.path = path

    def __call__(self, *_: Any) -> Any:
        """Kernels may; Python may not."""
        raise TypeError(f"{self.path} can be called by kernels only.")

    @property
    def _numba_type_(self) -> Any:
        module, _, name = self.path.rpartition(".")
        return _compiler().type_of(getattr(import_module(module), name))


def kernel(signature: str | Sequence[str], *, is_inlined: bool = False) -> Callable[[Callable[..., Any]], Kernel]:
    """Make a function a kernel of this signature (see `signatures`); only arguments given means that it returns none.

    It releases the GIL. With `is_inlined` its body is put where other kernels call it.
    """
    text = signature if isinstance(signature, str) else f"({', '.join(signature)},)"

    def decorate(function: Callable[..., Any]) -> Kernel:
        made = Kernel(function, text, is_inlined=is_inlined)
        _kernels.append(made)
        return made

    return decorate


def inlined(function: Callable[..., Any]) -> Kernel:
    """Make a function a part of the kernels that call it, for whatever types they have."""
    return Kernel(function, None, is_inlined=True)


def loading_seconds() -> float:
    """How long calls from this thread have waited for kernels in all."""
    return getattr(_waits, "seconds", 0.0)


def every_kernel() -> list[Kernel]:
    """The kernels of all modules imported so far."""
    return list(_kernels)


def load_kernels(*modules: str) -> None:
    """Load the kernels of these modules and packages, as far as they are imported, before anybody waits for them."""
    for each in every_kernel():
        name = each.py_func.__module__
        if any(name == module or name.startswith(f"{module}.") for module in modules):
            each.load()


def _compiler() -> Any:
    return import_module("backend.search_engine.compiler")
