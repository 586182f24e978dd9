"""A hostile expression or page costs at most its budget, and the next trial works as if nothing had been."""

import os
import signal
import subprocess
import sys
import threading
import time
from datetime import UTC, datetime
from pathlib import Path

import psutil
import pytest

from crawler_node.extract import errors
from crawler_node.extract.bounded import BoundedPool
from crawler_node.extract.trials import SelectorTrial
from tests.processes import still_running

PAGE = b"<h1>Title</h1>" + b"<ul>" + b"<li>item</li>" * 400 + b"</ul>"
# Each level multiplies the work by the number of elements: 400 ** 6 steps.
EXPONENTIAL = "//*[count(//*[count(//*[count(//*[count(//*[count(//*) > 0]) > 0]) > 0]) > 0]) > 0]"
# Harmless on most pages, quadratic on this one.
SLOW_PAGE = b"<ul>" + b"<li>item</li>" * 300_000 + b"</ul>"
QUADRATIC = "//li[count(preceding-sibling::li) = count(following-sibling::li)]"


@pytest.fixture(scope="module")
def pool():
    with BoundedPool(size=1, budget_seconds=2) as opened:
        yield opened


def title(pool):
    return pool.try_selector("//h1", PAGE, url="http://s.test/")


def test_a_selector_is_tried(pool):
    assert title(pool) == SelectorTrial(1, ("Title",))
    assert pool.try_selector("//li/text()", PAGE, url="http://s.test/") == SelectorTrial(400, ("item",) * 20)


def test_a_truly_exponential_xpath_is_stopped_and_the_next_trial_works(pool):
    with pytest.raises(errors.BudgetError, match="took more than 2 s"):
        pool.try_selector(EXPONENTIAL, PAGE, url="http://s.test/")
    assert title(pool).count == 1


def test_a_slow_page_is_stopped_and_the_same_selector_works_elsewhere(pool):
    with pytest.raises(errors.BudgetError, match="took more than 2 s"):
        pool.try_selector(QUADRATIC, SLOW_PAGE, url="http://s.test/")
    assert pool.try_selector(QUADRATIC, b"<ul><li>1<li>2<li>3</ul>", url="http://s.test/").samples == ("2",)


def test_a_page_that_takes_all_memory_ends_its_child_only():
    with BoundedPool(size=1, budget_seconds=120, memory_bytes=400 << 20) as small:
        with pytest.raises(errors.BudgetError, match="memory"):
            small.try_selector("//b", b"<b>x</b>" * 4_000_000, url="http://s.test/")
        assert title(small).count == 1


def test_a_child_that_was_killed_while_idle_is_replaced(pool):
    title(pool)
    children = [child for child in psutil.Process().children() if "bounded_child" in " ".join(child.cmdline())]
    newest = max(children, key=psutil.Process.create_time)
    os.kill(newest.pid, signal.SIGKILL)
    psutil.wait_procs([newest])
    assert title(pool).count == 1


def test_faults_of_people_come_back_as_they_are(pool):
    with pytest.raises(errors.SelectorError, match="never closed") as caught:
        pool.try_selector("//a[", PAGE, url="http://s.test/")
    assert caught.value.position == 3
    with pytest.raises(errors.PageError, match="empty"):
        pool.try_selector("//a", b"", url="http://s.test/")
    template = {"name": "t", "inspectors": [{"name": "a", "selector": "//a", "cleanup": [{"pattern": "("}]}]}
    with pytest.raises(errors.TemplateError) as caught:
        pool.try_template(template, PAGE, url="http://s.test/")
    assert (caught.value.field, caught.value.position) == ("inspectors.0.cleanup.0", 0)


def test_a_template_is_tried_with_everything_it_tells(pool):
    inspectors = [
        {"name": "name", "selector": "b", "required": True},
        {"name": "when", "selector": "i", "type": "date", "required": True},
        {"name": "price", "selector": "u", "fallbacks": ["s"], "type": "price"},
    ]
    body = "<li><b>Ä</b><i>yesterday</i><s>€ 5 – 6</s></li><li><b>B</b></li>".encode()
    template = {"name": "t", "item_scope": "//li", "inspectors": inspectors}
    found = pool.try_template(template, body, url="http://s.test/", now=datetime(2011, 3, 10, tzinfo=UTC))
    assert [document.values for document in found.documents] == [
        {"name": "Ä", "when": "2011-03-09", "price": {"amount": 5, "currency": "EUR"}},
        {"name": "B", "when": None, "price": None},
    ]
    assert found.documents[0].fired == {"name": 0, "when": 0, "price": 1}
    assert [miss.sentence for miss in found.misses] == ["Item 2 has no “when”, which is required."]
    assert [notice.field for notice in found.notices] == ["price"]
    assert found.items == 2


def test_many_threads_share_few_children(pool):
    found = []
    threads = [threading.Thread(target=lambda: found.append(title(pool).count)) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [1] * 8


def test_closing_leaves_no_process_behind():
    closing = BoundedPool(size=2)
    title(closing)
    before = {child.pid for child in psutil.Process().children() if "bounded_child" in " ".join(child.cmdline())}
    closing.close()
    after = {child.pid for child in psutil.Process().children() if "bounded_child" in " ".join(child.cmdline())}
    assert len(before - after) == 1


OWNER = """
import sys
from crawler_node.extract.bounded import BoundedPool
pool = BoundedPool(size=1, budget_seconds=20.0)
pool.try_selector("//h1", b"<h1>x</h1>", url="http://s.test/")
child = pool._places.get()
print(child._process.pid, flush=True)
child.ask({"trial": "selector", "selector": sys.argv[1], "url": "", "content_type": "",
           "budget_seconds": float(sys.argv[2])}, b"<li>x</li>" * 400, 600)
"""


def is_caught(child: psutil.Process) -> bool:
    """Wait until the child computes; False when it had ended before anybody looked."""
    try:
        at_start = child.cpu_times().user
        while child.cpu_times().user < at_start + 0.3 and child.status() != psutil.STATUS_ZOMBIE:
            time.sleep(0.05)
        return child.status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


def test_a_child_caught_in_native_code_ends_though_its_owner_is_dead():
    root = str(Path(__file__).parents[4])
    for budget_seconds in (1, 10, 60):  # until there is time enough to kill its owner
        command = [sys.executable, "-c", OWNER, EXPONENTIAL, str(budget_seconds)]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env={"PYTHONPATH": root}) as owner:
            child = psutil.Process(int(owner.stdout.readline()))
            was_caught = is_caught(child)
            owner.kill()
        if was_caught:
            break
    alive = still_running([child], patience_seconds=240)
    for process in alive:
        process.kill()
    assert alive == []
