"""How a process that reads pages keeps its memory: a page makes and drops thousands of small things, and no cycles."""

import gc
from collections.abc import Mapping

COLLECTED_AFTER = (5_000, 20, 50)
_TUNABLES = "GLIBC_TUNABLES"
_KEPT_CHUNKS = "glibc.malloc.tcache_count=1000"


def reading_environment(environment: Mapping[str, str]) -> dict[str, str]:
    """The environment for such a process: freed pieces of trees are kept at hand for the next tree, by size.

    The C library would keep seven of a size, and merge and cut up the rest anew for every page. Other C libraries do
    not look at this; what an operator chose for it stays.
    """
    chosen = environment.get(_TUNABLES, "")
    if "glibc.malloc.tcache_count" in chosen:
        return dict(environment)
    return {**environment, _TUNABLES: f"{chosen}:{_KEPT_CHUNKS}" if chosen else _KEPT_CHUNKS}


def settle() -> None:
    """Call when everything is loaded: it stays, so that no later collection needs to look at it, and few are needed."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(*COLLECTED_AFTER)
