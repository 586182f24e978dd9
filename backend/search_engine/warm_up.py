"""Compile every kernel once, so that no query waits for a compiler: `python -m backend.search_engine.warm_up`.

Kernels have explicit signatures and `cache=True`: importing their module compiles them, or finds them on the disk.
"""

from importlib import import_module
from pkgutil import walk_packages

import backend.search_engine


def warm_up() -> list[str]:
    """Import every module of the search engine; their names."""
    package = backend.search_engine
    names = [module.name for module in walk_packages(package.__path__, f"{package.__name__}.")]
    wanted = [name for name in names if name != __name__]
    for name in wanted:
        import_module(name)
    return wanted


if __name__ == "__main__":
    warm_up()
