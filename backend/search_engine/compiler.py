"""Numba's side of `compilation`: kernels as dispatchers, kept on the disk. Imported when the first kernel is loaded.

Two things differ from Numba's own `cache=True`. Loading compiled code skips what only compiling needs: Numba would
first import all that it can compile, scipy.linalg with it. And compiled code is found again only while all that went
into it is the same: Numba looks at a kernel's own file alone and keeps one whose callee or constant changed.
"""

from pathlib import Path
from types import CodeType, FunctionType, ModuleType
from typing import Any

import numba
import xxhash
from numba.core.caching import FunctionCache, IndexDataCacheFile
from numba.core.registry import cpu_target
from numba.core.runtime import rtsys  # type: ignore[attr-defined]
from numba.core.typeinfer import register_dispatcher

from backend.search_engine.compilation import Kernel, Late


class _Cache(FunctionCache):
    """Compiled code beside the module, or in the user's cache where the tree is read only.

    A tree that became read only after it was compiled, as in a container, is still read: Numba would compile anew.
    """

    def load_overload(self, sig: str, target_context: Any) -> Any:
        rtsys.initialize(target_context)
        with self._guard_against_spurious_io_errors():
            return self._load_overload(sig, target_context)

    def _load_overload(self, sig: str, target_context: Any) -> Any:
        found = super()._load_overload(sig, target_context)  # type: ignore[no-untyped-call]
        return self._load_from_tree(sig, target_context) if found is None else found

    def _load_from_tree(self, sig: str, target_context: Any) -> Any:
        tree = Path(self._py_func.__code__.co_filename).parent / "__pycache__"
        if str(tree) == self.cache_path:
            return None
        stamp = self._impl.locator.get_source_stamp()
        file = IndexDataCacheFile(str(tree), self._impl.filename_base, stamp)  # type: ignore[no-untyped-call]
        data = file.load(self._index_key(sig, target_context.codegen()))  # type: ignore[no-untyped-call]
        return None if data is None else self._impl.rebuild(target_context, data)

    def _index_key(self, sig: str, codegen: Any) -> Any:
        return *super()._index_key(sig, codegen), fingerprint(self._py_func)  # type: ignore[no-untyped-call]


def compile_kernel(kernel: Kernel) -> Any:
    """The dispatcher of a kernel, loaded from the disk or compiled and kept there."""
    options: dict[str, Any] = {"nogil": True, **kernel.targetoptions}
    dispatcher = numba.njit(**options)(kernel.py_func)
    if kernel.signature is not None:
        dispatcher._cache = _Cache(kernel.py_func)  # type: ignore[no-untyped-call]
        with register_dispatcher(dispatcher):
            dispatcher.compile(kernel.signature)
        dispatcher.disable_compile()
    return dispatcher


def type_of(value: Any) -> Any:
    """The type of what a kernel finds under a global name, while it is compiled."""
    context = cpu_target.typing_context
    context.refresh()  # it may have been imported just now
    return context.resolve_value_type(value)


def fingerprint(function: FunctionType) -> str:
    """A hash of all code and constants that go into a kernel: its own, and those of the kernels that it calls."""
    parts: dict[object, None] = {}
    waiting = [function]
    while waiting:
        each = waiting.pop()
        if each.__code__ in parts:
            continue
        parts[each.__code__] = None
        for name in each.__code__.co_names:
            value = each.__globals__.get(name)
            if isinstance(value, Kernel):
                waiting.append(value.py_func)
            elif isinstance(value, Late):
                parts[name, value.path] = None
            elif not callable(value) and not isinstance(value, ModuleType):
                parts[name, repr(value)] = None
    return xxhash.xxh3_64_hexdigest("\n".join(map(_text_of, parts)).encode())


def _text_of(part: object) -> str:
    if not isinstance(part, CodeType):
        return repr(part)
    constants = [_text_of(each) for each in part.co_consts]
    return f"{part.co_code.hex()} {part.co_names} {constants}"
