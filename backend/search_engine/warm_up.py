"""Compile every kernel once: `python -m backend.search_engine.warm_up`. Set-up calls it; no request ever compiles.

Compiled code is kept beside the modules (`__pycache__`), or in the user's cache where the tree is read only.
"""

import importlib
import pkgutil
import sys
import time

import backend.search_engine
from backend.search_engine.compilation import Kernel, every_kernel


def warm_up() -> list[Kernel]:
    """Import every module of the search engine and compile or load its kernels, which it returns."""
    for each in pkgutil.walk_packages(backend.search_engine.__path__, f"{backend.search_engine.__name__}."):
        if not each.name.endswith("__main__"):
            importlib.import_module(each.name)
    kernels = every_kernel()
    for kernel in kernels:
        kernel.load()
    return kernels


def main() -> None:
    """Warm up and say how long it took."""
    began = time.perf_counter()
    kernels = warm_up()
    sys.stdout.write(f"{len(kernels)} kernels ready in {time.perf_counter() - began:.1f} s\n")


if __name__ == "__main__":
    main()
