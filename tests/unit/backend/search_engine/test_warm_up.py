"""Set-up leaves no kernel to be compiled by a request."""

import json
import subprocess
import sys
from pathlib import Path

import backend.search_engine
from backend.search_engine.warm_up import warm_up

ROOT = Path(backend.search_engine.__file__).parent

LOAD_ALL = """
import json
from backend.search_engine.warm_up import warm_up
print(json.dumps([sum(kernel.load().stats.cache_misses.values()) for kernel in warm_up()]))
"""


def test_compiles_the_kernels_of_every_module() -> None:
    with_kernels = {
        "backend.search_engine." + ".".join(path.relative_to(ROOT).with_suffix("").parts)
        for path in ROOT.rglob("*.py")
        if "\n@kernel(" in path.read_text(encoding="utf-8")
    }
    kernels = warm_up()
    assert {kernel.py_func.__module__ for kernel in kernels} == with_kernels
    for kernel in kernels:
        assert len(kernel.load().nopython_signatures) == 1
        assert not kernel.load()._can_compile


def test_another_process_then_compiles_nothing() -> None:
    kernels = warm_up()
    run = subprocess.run([sys.executable, "-c", LOAD_ALL], check=True, capture_output=True, text=True)
    assert json.loads(run.stdout) == [0] * len(kernels)
