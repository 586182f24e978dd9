"""Search processes: the answers of the web process, on every core; a dead process costs nobody an answer."""

import asyncio
import os
import signal
import sys
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import psutil
import pytest

from backend.api.search.answering import Answer, Question, answered
from backend.api.search.processes import ProcessAnswers
from backend.apps.indexers.models import Indexer
from backend.apps.search.served import SERVED, Served
from backend.apps.search.wishes import wish_of_json
from backend.search_engine.index import IndexWriter
from tests.integration.search.shelf import indexed
from tests.processes import still_running

COMMAND = [sys.executable, "-m", "backend.config.search_process"]
DYING = [sys.executable, "-c", "raise SystemExit(1)"]
MUTE = [
    sys.executable,
    "-c",
    "import sys, time; from multiprocessing.connection import Connection;"
    "line = Connection(int(sys.argv[1])); line.send_bytes(b'ready'); time.sleep(600)",
]


@pytest.fixture
def served(shop: Indexer) -> Served:
    return SERVED.get(shop)


@pytest.fixture
async def processes() -> AsyncIterator[ProcessAnswers]:
    made = ProcessAnswers(COMMAND, count=2, patience_seconds=120)
    yield made
    found = [psutil.Process(pid) for pid in made.pids]
    made.close()
    assert not still_running(found, patience_seconds=120)


def without_time(body: bytes) -> bytes:
    return body.rpartition(b',"ms"')[0] or body


QUESTIONS: tuple[tuple[str, Any], ...] = (
    ("search", "q=samsung+ssd&facet=brand&filter=price:<100"),
    ("search", "q=tea&explain=1&formula=text%20-%20price&weights=title:2"),
    ("search", "q=samsang"),
    ("search", "sort=nothing"),
    ("search", wish_of_json({"q": "drive", "filters": [{"field": "brand", "values": ["Acme"]}]})),
    ("suggest", "q=sam"),
    ("similar", "doc=1"),
    ("similar", "doc=999"),
)


async def test_a_process_answers_as_the_web_process_does(processes: ProcessAnswers, served: Served) -> None:
    first = await processes.answer(Question(served, "search", "q=samsang"))
    assert b'"corrected":"samsung"' in first.body  # the very first question after a start
    for kind, asked in QUESTIONS:
        question = Question(served, kind, asked)
        here, there = answered(question), await processes.answer(question)
        assert (there.status, without_time(there.body)) == (here.status, without_time(here.body)), asked


async def test_many_questions_at_once_are_all_answered_by_all_processes(
    processes: ProcessAnswers, served: Served
) -> None:
    asked = [f"q=tea&page={number}" for number in range(1, 60)]
    answers = await asyncio.gather(*(processes.answer(Question(served, "search", each)) for each in asked))
    assert [answer.status for answer in answers] == [200] * len(asked)
    pages = [answer.body.partition(b'"page":')[2].partition(b",")[0] for answer in answers]
    assert pages == [str(number).encode() for number in range(1, 60)]
    times = [psutil.Process(pid).cpu_times().user for pid in processes.pids]
    assert min(times) > 0


async def test_a_process_follows_the_index(processes: ProcessAnswers, served: Served) -> None:
    assert b'"total":3' in (await processes.answer(Question(served, "search", "q=tea"))).body
    with IndexWriter(served.folder, served.index.searcher.snapshot.schema) as writer:
        writer.put("7", indexed("7", {"name": "Black tea"}))
        writer.commit()
    for _ in range(2400):
        if b'"total":4' in (await processes.answer(Question(served, "search", "q=tea"))).body:
            return
        await asyncio.sleep(0.05)
    raise AssertionError("the new document did not appear")


async def test_a_killed_process_costs_nobody_an_answer(processes: ProcessAnswers, served: Served) -> None:
    await processes.answer(Question(served, "search", "q=tea"))
    before = processes.pids
    waiting = [
        asyncio.ensure_future(processes.answer(Question(served, "search", f"q=tea&page={n}"))) for n in (1, 2, 3)
    ]
    os.kill(before[0], signal.SIGKILL)
    assert [answer.status for answer in await asyncio.gather(*waiting)] == [200] * 3
    for _ in range(2400):
        if len(processes.pids) == 2 and processes.pids != before:
            break
        await asyncio.sleep(0.05)
    assert len(set(processes.pids) - set(before)) == 1
    assert (await processes.answer(Question(served, "search", "q=tea"))).status == 200


async def test_a_stopping_server_is_served_to_the_end(processes: ProcessAnswers, served: Served) -> None:
    asked = [Question(served, "search", f"q=tea&page={number}") for number in range(1, 9)]
    await asyncio.gather(*map(processes.answer, asked))  # both have begun
    before = processes.pids
    for pid in before:
        os.kill(pid, signal.SIGTERM)  # as whoever stops a group of processes does
    assert (await processes.answer(Question(served, "search", "q=samsung"))).status == 200
    assert processes.pids == before


async def test_processes_that_cannot_start_are_told_of_in_a_sentence(served: Served) -> None:
    processes = ProcessAnswers(DYING, count=1, patience_seconds=0.3)
    answer = await processes.answer(Question(served, "search", "q=tea"))
    assert answer.status == 503
    assert b"Try again" in answer.body
    processes.close()


async def test_a_process_that_never_answers_is_ended(served: Served) -> None:
    processes = ProcessAnswers(MUTE, count=1, patience_seconds=3)
    found = [psutil.Process(pid) for pid in processes.pids]
    assert (await processes.answer(Question(served, "search", "q=tea"))).status == 503
    assert not still_running(found, patience_seconds=120)
    processes.close()


class Counted:
    """Answers at once, and counts."""

    def __init__(self) -> None:
        self.count = 0

    async def answer(self, question: Question) -> Answer:
        self.count += 1
        return Answer(200, b"{}")


async def test_while_no_process_is_ready_somebody_else_answers(served: Served, tmp_path: Path) -> None:
    meanwhile = Counted()
    wait = 'until [ -e "$0" ]; do sleep 0.05; done; exec "$@"'
    processes = ProcessAnswers(["sh", "-c", wait, str(tmp_path / "go"), *COMMAND], count=1, meanwhile=meanwhile)
    question = Question(served, "search", "q=tea")
    assert (await processes.answer(question)).body == b"{}"
    (tmp_path / "go").touch()
    for _ in range(2400):
        if b'"total":3' in (await processes.answer(question)).body:
            break
        await asyncio.sleep(0.05)
    asked = meanwhile.count
    assert (await processes.answer(question)).status == 200
    assert meanwhile.count == asked > 0
    processes.close()


async def test_processes_that_cannot_start_are_done_without(served: Served) -> None:
    meanwhile = Counted()
    processes = ProcessAnswers(DYING, count=1, meanwhile=meanwhile)
    for _ in range(3):
        assert (await processes.answer(Question(served, "search", "q=tea"))).status == 200
        await asyncio.sleep(0.2)
    assert meanwhile.count == 3
    processes.close()


async def test_processes_end_with_who_started_them(tmp_path: Any) -> None:
    code = (
        "import os, sys, time; sys.path.insert(0, os.getcwd());"
        "os.environ['DJANGO_SETTINGS_MODULE'] = 'backend.config.settings';"
        "import django; django.setup();"
        "from backend.api.search.processes import ProcessAnswers;"
        "made = ProcessAnswers([sys.executable, '-m', 'backend.config.search_process'], count=1);"
        "print(made.pids[0], flush=True); time.sleep(600)"
    )
    env = {**os.environ, "GLEANER_VAR": str(tmp_path)}
    parent = await asyncio.create_subprocess_exec(
        sys.executable, "-c", code, env=env, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.DEVNULL
    )
    assert parent.stdout is not None
    child = psutil.Process(int(await parent.stdout.readline()))
    parent.kill()
    await parent.wait()
    assert not still_running([child], patience_seconds=120)
