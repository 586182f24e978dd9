"""Kernels are loaded when they are first called, whoever calls; what changes in any part of one makes it new."""

import json
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import FunctionType
from typing import Any

import numpy as np
import pytest

from backend.search_engine.compilation import Kernel
from backend.search_engine.compiler import fingerprint
from backend.search_engine.signatures import I8, R_U1, TWO_I8, W_F8
from tests.unit.backend.search_engine.corpus import WORDS, make_documents, write_index

FIRST_QUESTION = """
import json, sys
from pathlib import Path
from backend.search_engine.compilation import every_kernel
from backend.search_engine.index import open_snapshot
from backend.search_engine.query import parse_query
from backend.search_engine.search import Searcher
before = "numba" in sys.modules
found = len(Searcher(open_snapshot(Path(sys.argv[1]))).search(parse_query(sys.argv[2])))
loaded = [repr(each) for each in every_kernel() if each.is_loaded]
lazy = ["numba.np.arraymath", "scipy.linalg", "lark", "rapidfuzz", "simplemma"]
print(json.dumps([before, found, loaded, [name for name in lazy if name in sys.modules]]))
"""
COMMANDS = """
import importlib, json, pkgutil, sys
import django
django.setup()
import backend.config.management.commands as commands
import backend.config.urls
names = [each.name for each in pkgutil.iter_modules(commands.__path__)]
for name in names:
    importlib.import_module(f"{commands.__name__}.{name}")
print(json.dumps([names, "numba" in sys.modules]))
"""


def run_python(code: str, *arguments: str, **environment: str) -> Any:
    run = subprocess.run(
        [sys.executable, "-c", code, *arguments],
        check=True,
        capture_output=True,
        text=True,
        env={**os.environ, **environment},
    )
    return json.loads(run.stdout.splitlines()[-1])


def test_a_first_question_loads_its_own_kernels_and_nothing_else(tmp_path: Path) -> None:
    write_index(tmp_path, make_documents(50))
    run_python(FIRST_QUESTION, str(tmp_path), WORDS[0])  # may compile
    had_numba, found, loaded, others = run_python(FIRST_QUESTION, str(tmp_path), WORDS[0])
    assert (had_numba, others) == (False, [])
    assert found == 10
    assert 1 < len(loaded) < 8


LOAD_SOME = """
import json
import backend.search_engine.search
from backend.search_engine.compilation import every_kernel, load_kernels
load_kernels("backend.search_engine.kernels", "backend.search_engine.text.scan")
print(json.dumps(sorted({each.py_func.__module__ for each in every_kernel() if each.is_loaded})))
"""


def test_kernels_are_loaded_ahead_by_module_and_package() -> None:
    run_python(LOAD_SOME)  # may compile, and then loads what the kernels call, too
    names = (
        "kernels.frequencies",
        "kernels.heap",
        "kernels.intersection",
        "kernels.phrase",
        "kernels.union",
        "text.scan",
    )
    assert run_python(LOAD_SOME) == [f"backend.search_engine.{name}" for name in names]


LOAD_FROM_READ_ONLY_TREE = """
import json, sys
from pathlib import Path
from numba.core import caching
from backend.search_engine.kernels import heap
from backend.search_engine.compilation import every_kernel, load_kernels
if len(sys.argv) > 1:
    def refuse(self):
        raise PermissionError
    caching.InTreeCacheLocator.ensure_cache_path = refuse
load_kernels("backend.search_engine.kernels")
loaded = [each for each in every_kernel() if each.is_loaded]
print(json.dumps([len(loaded), [str(file) for folder in sys.argv[1:] for file in Path(folder).rglob("*.nbc")]]))
"""


def test_what_was_compiled_before_the_tree_became_read_only_is_not_compiled_again(tmp_path: Path) -> None:
    loaded, _ = run_python(LOAD_FROM_READ_ONLY_TREE)
    assert loaded
    assert run_python(LOAD_FROM_READ_ONLY_TREE, str(tmp_path), XDG_CACHE_HOME=str(tmp_path)) == [loaded, []]


def test_no_command_and_no_page_loads_numba_to_start(tmp_path: Path) -> None:
    settings = {"DJANGO_SETTINGS_MODULE": "backend.config.settings", "GLEANER_VAR": str(tmp_path)}
    names, has_numba = run_python(COMMANDS, **settings)
    assert {"crawl", "qsub", "work", "head", "search"} <= set(names)
    assert not has_numba


def add_three(value: int) -> int:
    return value + 3


def twice(value: int) -> int:
    return inner(value) * FACTOR


inner = Kernel(add_three, I8(I8), is_inlined=False)  # type: ignore[arg-type]
FACTOR = 2


def test_many_threads_may_call_a_kernel_first() -> None:
    fresh = Kernel(twice, I8(I8), is_inlined=False)  # type: ignore[arg-type]
    with ThreadPoolExecutor(8) as threads:
        assert list(threads.map(fresh, range(8))) == [2 * (value + 3) for value in range(8)]


def with_globals(**changed: object) -> FunctionType:
    return FunctionType(twice.__code__, {"inner": inner, "FACTOR": 2, "np": np, **changed})


def add_four(value: int) -> int:
    return value + 4


@pytest.mark.parametrize("changed", [{"FACTOR": 3}, {"inner": Kernel(add_four, I8(I8), is_inlined=False)}])  # type: ignore[arg-type]
def test_a_change_in_what_a_kernel_uses_changes_its_fingerprint(changed: dict[str, object]) -> None:
    assert fingerprint(with_globals(**changed)) != fingerprint(with_globals())


def test_a_change_in_what_a_kernel_does_not_use_does_not() -> None:
    assert fingerprint(with_globals(other=1)) == fingerprint(with_globals())


CONSTANT = "LIMIT = {}\n"
KERNEL = """
import sys
sys.path.insert(0, sys.argv[1])
from backend.search_engine.compilation import kernel
from backend.search_engine.signatures import I8
from constant import LIMIT

@kernel(I8(I8))
def add_limit(value):
    return value + LIMIT
"""
ASK = """
import json, sys
sys.path.insert(0, sys.argv[1])
from adding import add_limit
print(json.dumps([add_limit(1), sum(add_limit.load().stats.cache_hits.values())]))
"""


def test_compiled_code_is_found_again_until_a_constant_of_another_module_changes(tmp_path: Path) -> None:
    (tmp_path / "adding.py").write_text(KERNEL)
    (tmp_path / "constant.py").write_text(CONSTANT.format(5))
    answers = [run_python(ASK, str(tmp_path)) for _ in range(2)]
    (tmp_path / "constant.py").write_text(CONSTANT.format(50))
    answers += [run_python(ASK, str(tmp_path)) for _ in range(2)]
    assert answers == [[6, 0], [6, 1], [51, 0], [51, 1]]


def test_a_signature_is_text_that_numba_reads() -> None:
    assert TWO_I8(R_U1, W_F8) == "UniTuple(int64, 2)(Array(uint8, 1, 'C', readonly=True), Array(float64, 1, 'C'))"
