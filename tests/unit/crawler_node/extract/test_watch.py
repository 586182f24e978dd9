"""The owner of a process learns which page hangs, even while native code holds the process."""

import subprocess
import sys
import time
from pathlib import Path

import pytest

from crawler_node.extract.watch import PageWatch, WatchReader

WORKER = """
import sys
from pathlib import Path
from crawler_node.extract.parsing import parse_page
from crawler_node.extract.selectors import compile_selector
from crawler_node.extract.watch import PageWatch

watch = PageWatch(Path(sys.argv[1]))
page = parse_page(b"<li>x</li>" * 400, url="http://s.test/")
with watch.page("http://s.test/fine", b"lease-1"):
    compile_selector("//li").select(page.root)
with watch.page("http://s.test/hangs?ü", b"lease-2"):
    compile_selector(sys.argv[2]).select(page.root)
"""
EXPONENTIAL = "//*[count(//*[count(//*[count(//*[count(//*[count(//*) > 0]) > 0]) > 0]) > 0]) > 0]"


@pytest.fixture
def path(tmp_path):
    return tmp_path / "worker.watch"


def test_an_idle_worker_has_no_page_in_work(path):
    reader = WatchReader(path)
    assert reader.current() is None
    watch = PageWatch(path)
    assert reader.current() is None
    with watch.page("http://s.test/1", b"token"):
        current = reader.current()
        assert (current.url, current.token) == ("http://s.test/1", b"token")
        assert reader.hung(600) is None
        assert reader.hung(-1).url == "http://s.test/1"
    assert reader.current() is None
    watch.close()


def test_a_page_that_raises_is_over_too(path):
    watch = PageWatch(path)
    with pytest.raises(ValueError, match="x"), watch.page("http://s.test/1"):
        raise ValueError("x")
    assert WatchReader(path).current() is None


def test_long_addresses_are_cut_and_shorter_ones_leave_no_rest(path):
    watch = PageWatch(path)
    with watch.page("http://s.test/" + "ü" * 10_000, b"t" * 1_000):
        assert len(WatchReader(path).current().token) == 256
    with watch.page("http://s.test/short", b"2"):
        assert (WatchReader(path).current().url, WatchReader(path).current().token) == ("http://s.test/short", b"2")


def test_a_process_caught_in_native_code_can_be_told_and_ended_from_outside(path):
    root = str(Path(__file__).parents[4])
    command = [sys.executable, "-c", WORKER, str(path), EXPONENTIAL]
    with subprocess.Popen(command, env={"PYTHONPATH": root, "PYTHONUTF8": "1"}) as worker:
        reader = WatchReader(path)
        hung = None
        while (hung is None or hung.token == b"lease-1") and worker.poll() is None:  # a busy machine hangs, too
            time.sleep(0.05)
            hung = reader.hung(0.5)
        worker.kill()
    assert (hung.url, hung.token) == ("http://s.test/hangs?ü", b"lease-2")
    assert "given up" in hung.sentence
