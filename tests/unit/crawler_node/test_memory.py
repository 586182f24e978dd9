"""A process that reads pages keeps pieces of memory at hand, and says so in the C library's own words."""

import os
import subprocess
import sys

import pytest

from crawler_node.memory import reading_environment

KEPT = "glibc.malloc.tcache_count=1000"


@pytest.mark.parametrize(
    ("chosen", "expected"),
    [
        ({}, KEPT),
        ({"GLIBC_TUNABLES": ""}, KEPT),
        ({"GLIBC_TUNABLES": "glibc.malloc.arena_max=2"}, f"glibc.malloc.arena_max=2:{KEPT}"),
        ({"GLIBC_TUNABLES": "glibc.malloc.tcache_count=9"}, "glibc.malloc.tcache_count=9"),
    ],
)
def test_what_the_operator_chose_stays(chosen: dict[str, str], expected: str) -> None:
    environment = reading_environment({"PATH": "/bin", **chosen})
    assert environment == {"PATH": "/bin", "GLIBC_TUNABLES": expected}


def test_a_process_that_settled_still_finds_cycles() -> None:
    program = (
        "import gc, weakref\n"
        "from crawler_node.memory import settle\n"
        "settle()\n"
        "class Node: pass\n"
        "first = Node(); first.other = Node(); first.other.other = first\n"
        "seen = weakref.ref(first); del first\n"
        "things = [[] for _ in range(10_000)]\n"
        "print(gc.get_freeze_count() > 0, seen() is None)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], env=reading_environment(os.environ), capture_output=True, text=True, check=True
    )
    assert (done.stdout.split(), done.stderr) == (["True", "True"], "")
