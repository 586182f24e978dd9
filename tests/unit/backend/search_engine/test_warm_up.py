"""Set-up leaves no kernel to be compiled by a request."""

from pathlib import Path

import backend.search_engine
from backend.search_engine.fuzzy import kernels
from backend.search_engine.warm_up import warm_up

ROOT = Path(backend.search_engine.__file__).parent


def test_imports_every_module():
    files = {path.relative_to(ROOT).with_suffix("") for path in ROOT.rglob("*.py") if path.name != "__init__.py"}
    expected = {".".join(("backend.search_engine", *file.parts)) for file in files} - {"backend.search_engine.warm_up"}
    assert expected <= set(warm_up())


def test_an_imported_kernel_is_compiled_already_and_compiles_nothing_more():
    assert len(kernels.find_near.nopython_signatures) == 1
    assert not kernels.find_near._can_compile
