"""Compile every kernel once: `python -m backend.search_engine.warm_up`. Set-up calls it; no request ever compiles.

Compiled code is kept beside the modules (`__pycache__`), or in the user's cache where the tree is read only.
"""

import importlib
import pkgutil
import sys
import time

import backend.search_engine


def warm_up() -> list[str]:
    """Import every module of the search engine: kernels have explicit signatures, importing compiles or loads them."""
    found = pkgutil.walk_packages(backend.search_engine.__path__, f"{backend.search_engine.__name__}.")
    names = [each.name for each in found if not each.name.endswith("__main__")]
    for name in names:
        importlib.import_module(name)
    return names


def main() -> None:
    """Warm up and say how long it took."""
    began = time.perf_counter()
    names = warm_up()
    sys.stdout.write(f"{len(names)} modules ready in {time.perf_counter() - began:.1f} s\n")


if __name__ == "__main__":
    main()
