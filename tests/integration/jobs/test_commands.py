"""The commands for people who know PBS, and the same as JSON."""

import json
from datetime import UTC, datetime, timedelta
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError

from backend.apps.housekeeping.deleting import delete_runner
from backend.apps.jobs.clock import database_now
from backend.apps.jobs.models import HeadLease, Job, JobState, Placement, PlacementState
from backend.apps.nodes.models import Node
from backend.apps.nodes.reasons import NO_HEAD
from backend.apps.nodes.services import head_has_left, register_localhost
from backend.apps.runners.models import CrawlUrl, LogLine, Runner, RunnerStatus, UrlState
from backend.apps.runners.services import start_runner
from backend.config.management.commands import logs
from backend.config.management.commands.qsub import read_length, read_moment
from tests.integration.runners.kept_pages import shop_crawler

pytestmark = pytest.mark.django_db


@pytest.fixture
def job(db: None) -> Job:
    register_localhost(version="1", now=database_now())
    return start_runner(crawler=shop_crawler(), user=None).jobs.get()


def told(*words: str) -> str:
    out = StringIO()
    call_command(*words, stdout=out, stderr=StringIO())
    return out.getvalue()


def told_json(*words: str) -> Any:
    return json.loads(told(*words, "--json"))


def test_qstat_shows_a_table_for_people_and_everything_with_f(job: Job) -> None:
    Job.objects.filter(pk=job.pk).update(reason="Waiting: no node with a free slot.")
    lines = told("qstat").splitlines()
    assert lines[0].split() == [
        "JOB",
        "STATE",
        "NAME",
        "PROJECT",
        "OWNER",
        "PRIORITY",
        "WORKERS",
        "NODES",
        "PAGES",
        "REASON",
    ]
    assert lines[2].startswith(f"{job.pk} ")
    assert lines[2].endswith("Waiting: no node with a free slot.")
    assert "Submitted." in told("qstat", "-f")
    [row] = told_json("qstat")
    assert (row["job"], row["state"], row["workers"]) == (job.pk, "Q", "0/1")
    [whole] = told_json("qstat", "-f", str(job.pk))
    assert [step["state"] for step in whole["transitions"]] == ["queued"]


def test_qstat_f_tells_people_who_started_a_job_and_where_each_worker_is(job: Job, django_user_model: Any) -> None:
    Runner.objects.filter(pk=job.runner_id).update(created_by=django_user_model.objects.create(username="ada"))
    fence = {"fence": 1, "placed_at": database_now()}
    localhost = Node.objects.get()
    Placement.objects.create(job=job, node=localhost, worker=1, **fence)
    live = {"pages": 3, "urls": ["https://shop.example/a", "https://shop.example/b"]}
    Placement.objects.create(job=job, node=localhost, worker=2, live=live, **fence)
    lines = [line.strip() for line in told("qstat", "-f").splitlines()]
    assert {"owner = ada", "nodes = localhost", "Worker 2 is at https://shop.example/b"} <= set(lines)
    [heads] = [line.split() for line in lines if line.startswith("WORKER")]
    assert heads == ["WORKER", "NODE", "STATE", "NOTE", "PAGES"]
    assert told_json("qstat")[0]["owner"] == "ada"


def test_a_worker_that_is_gone_is_nowhere_and_does_nothing(job: Job) -> None:
    now = database_now()
    live = {"pages": 3, "lane": "http", "pages_per_minute": 9.0, "stage": "crawling", "memory_bytes": 5}
    live |= {"urls": ["https://shop.example/a"]}
    terms = {"job": job, "node": Node.objects.get(), "worker": 1, "placed_at": now, "live": live}
    Placement.objects.create(fence=1, state=PlacementState.LOST, ended_at=now, **terms)
    assert "is at" not in told("qstat", "-f")
    [placement] = told_json("qstat", "-f")[0]["placements"]
    assert (placement["pages"], placement["lane"]) == (3, "http")
    assert not {"stage", "urls", "pages_per_minute", "memory_bytes"} & set(placement)


def test_qhold_qrls_and_qdel_change_the_state(job: Job) -> None:
    assert told_json("qhold", str(job.pk))[0]["state"] == "H"
    assert told_json("qrls", str(job.pk))[0]["state"] == "Q"
    assert told("qdel", str(job.pk)).strip() == f"Job {job.pk} is cancelled."
    assert told("qstat").strip() == "No job is waiting or running."
    assert told_json("qstat", "--all")[0]["state"] == "F"
    with pytest.raises(CommandError, match="It has ended already"):
        told("qdel", str(job.pk))


def told_with_error(*words: str) -> tuple[str, str]:
    """What was printed before the command failed, and why it did."""
    out = StringIO()
    with pytest.raises(CommandError) as failed:
        call_command(*words, stdout=out, stderr=StringIO())
    return out.getvalue(), str(failed.value)


@pytest.mark.parametrize(
    ("command", "done"), [("qhold", "is held until ./gleaner qrls."), ("qdel", "is cancelled."), ("qrls", "goes on.")]
)
def test_of_several_jobs_all_are_tried_and_what_was_done_is_told(job: Job, command: str, done: str) -> None:
    first, second = job.pk, start_runner(crawler=job.runner.crawler, user=None).jobs.get().pk
    out, error = told_with_error(command, str(first), "424242", str(second), "434343", str(first))
    assert out.splitlines() == [f"Job {first} {done}", f"Job {second} {done}"]
    assert [line.partition(". ")[0] for line in error.splitlines()] == [
        "There is no job 424242",
        "There is no job 434343",
    ]


def test_programs_are_told_which_of_several_failed(job: Job) -> None:
    told("qdel", str(job.pk))
    other = start_runner(crawler=job.runner.crawler, user=None).jobs.get()
    out, error = told_with_error("qdel", str(job.pk), str(other.pk), "--json")
    assert error == f"Job {job.pk}: It has ended already."
    done, failed = json.loads(out)
    assert (done["job"], done["state"]) == (other.pk, "F")
    assert failed == {"job": job.pk, "error": error}
    out, error = told_with_error("pause", str(other.runner_id), "--json")
    assert json.loads(out) == [{"runner": other.runner_id, "error": error}]


def test_qstat_shows_those_that_are_there_and_says_which_are_not(job: Job) -> None:
    out, error = told_with_error("qstat", "424242", str(job.pk))
    assert out.splitlines()[2].startswith(f"{job.pk} ")
    assert error.startswith("There is no job 424242.")
    out, _ = told_with_error("qstat", "424242", str(job.pk), "--json")
    assert [row["job"] for row in json.loads(out)] == [job.pk, 424242]
    assert told_with_error("qstat", "424242")[0] == ""


def test_pause_and_resume_speak_of_runs(job: Job) -> None:
    assert told_json("pause", str(job.runner_id))[0]["status"] == RunnerStatus.PAUSED
    assert told_json("resume", str(job.runner_id))[0]["status"] == RunnerStatus.QUEUED


def test_a_run_is_stopped_and_its_failed_pages_are_tried_again(job: Job) -> None:
    run = str(job.runner_id)
    assert told_json("stop", run)[0]["status"] == RunnerStatus.EXIT
    with pytest.raises(CommandError, match="nothing to try again"):
        told("retry", run)
    CrawlUrl.objects.filter(runner=job.runner_id).update(state=UrlState.FAILED)
    assert told("retry", run).strip() == f"Run {run} tries 1 failed page again."
    assert Job.objects.exclude(state=JobState.FINISHED).get().runner_id == job.runner_id


def test_qsub_runs_a_crawler_again_on_the_terms_given(job: Job) -> None:
    words = ["--workers", "3", "--priority", "5", "--node", "localhost", "--slots", "2", "--walltime", "01:30:00"]
    found = told_json("qsub", str(job.runner_id), *words, "--start", "2026-05-01T03:00", "--hold")
    submitted = Job.objects.get(pk=found["job"])
    assert (submitted.runner.crawler, submitted.runner.number) == (job.runner.crawler, job.runner.number + 1)
    assert (submitted.requested_workers, submitted.priority, submitted.slots_per_worker) == (3, 5, 2)
    assert (submitted.wall_time_seconds, submitted.requested_node.name) == (5400.0, "localhost")
    assert (submitted.earliest_start, submitted.state) == (datetime(2026, 5, 1, 3, tzinfo=UTC), JobState.HELD)


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["--node", "nowhere"], "There is no node “nowhere”"),
        (["--walltime", "soon"], "no length of time"),
        (["--start", "tomorrow"], "no moment"),
        (["--start", "0001-01-01T00:00+10:00"], "no moment"),
        (["--start", "9999-12-31T23:59-10:00"], "no moment"),
        (["--walltime", "999999999999:00:00"], "at most ten years"),
        (["--workers", "0"], "at least 1"),
        (["--slots", "99999999999"], "at most"),
        (["--priority", "99999999999"], "from -1000 to 1000"),
        (["--allow-network", "nonsense/99"], "nonsense"),
    ],
)
def test_qsub_refuses_odd_terms_and_submits_nothing(job: Job, words: list[str], sentence: str) -> None:
    with pytest.raises(CommandError, match=sentence):
        told("qsub", str(job.runner_id), *words)
    assert Job.objects.count() == 1


def test_qsub_says_what_is_wrong_with_a_file(job: Job, tmp_path: Path) -> None:
    broken = tmp_path / "broken.json"
    broken.write_text("{", encoding="utf-8")
    with pytest.raises(CommandError, match=r"nowhere\.json is neither a file that is there nor the number of a run"):
        told("qsub", "nowhere.json")
    with pytest.raises(CommandError, match="is neither a file that is there nor the number of a run"):
        told("qsub", '{"version": 1, "name": "' + "x" * 300)
    with pytest.raises(CommandError, match=r"cannot be read \(Is a directory\). Check the path."):
        told("qsub", str(tmp_path))
    with pytest.raises(CommandError, match="This is not JSON"):
        told("qsub", str(broken))
    assert Job.objects.count() == 1


def test_what_waits_while_no_head_node_runs_says_so(job: Job) -> None:
    run = str(job.runner_id)
    assert told("qstat").splitlines()[-1] == NO_HEAD
    assert told("qstat", "-f").splitlines()[-1] == NO_HEAD
    told("qhold", str(job.pk))
    assert NO_HEAD not in told("qstat")
    for words in (("qrls", str(job.pk)), ("qsub", run)):
        errors = StringIO()
        call_command(*words, stdout=StringIO(), stderr=errors)
        assert errors.getvalue().strip() == NO_HEAD
    HeadLease.objects.create(pk=1, head="here", expires_at=database_now() + timedelta(minutes=1))
    assert NO_HEAD not in told("qstat")


def test_the_machine_itself_is_always_a_node() -> None:
    assert f"localhost: {NO_HEAD}" in told("nodes").splitlines()


def test_lengths_and_moments() -> None:
    assert (read_length("90"), read_length("01:30"), read_length("02:00:00")) == (90.0, 90.0, 7200.0)
    assert read_moment("2026-05-01T03:00+02:00") == datetime(2026, 5, 1, 1, tzinfo=UTC)


def test_nodes_shows_what_they_have_to_give_and_drains(job: Job) -> None:
    assert "No head node runs" not in told("nodes")
    head_has_left()
    assert told_json("nodes")[0]["state"] == "offline"
    assert f"localhost: {NO_HEAD}" in told("nodes").splitlines()
    register_localhost(version="1", now=database_now())
    told("nodes", "drain", "localhost")
    assert told_json("nodes")[0]["state"] == "draining"
    assert told_json("nodes", "undrain", "localhost")["state"] == "online"
    with pytest.raises(CommandError, match="There is no node “x”"):
        told("nodes", "drain", "x")


def test_an_invitation_needs_redis_and_postgres(job: Job, settings: Any) -> None:
    settings.REDIS_URL = ""
    with pytest.raises(CommandError, match="GLEANER_REDIS_URL"):
        told("nodes", "invite", "n1")
    assert not Node.objects.filter(name="n1").exists()


def test_logs_prints_the_oldest_line_first(job: Job) -> None:
    at = datetime(2026, 1, 1, tzinfo=UTC)
    for message in ("one", "two", "three"):
        LogLine.objects.create(runner=job.runner, at=at, message=message)
    assert told("logs", str(job.runner_id), "-n", "2").splitlines() == [
        "2026-01-01 00:00:00 info    two",
        "2026-01-01 00:00:00 info    three",
    ]
    assert [json.loads(line)["message"] for line in told("logs", str(job.runner_id), "--json").splitlines()] == [
        *("one", "two", "three")
    ]


def test_logs_follows_also_lines_that_were_committed_late(job: Job, monkeypatch: pytest.MonkeyPatch) -> None:
    """On PostgreSQL a line of a lower number may become visible after one of a higher number."""
    runner, now = job.runner, database_now()
    LogLine.objects.create(pk=501, runner=runner, at=now, message="early")
    LogLine.objects.create(pk=505, runner=runner, at=now, message="higher")
    looks = iter([{"pk": 503, "message": "late"}, {"pk": 506, "message": "last"}])

    def meanwhile(_: float) -> None:
        line = next(looks)
        LogLine.objects.create(runner=runner, at=now, **line)
        if line["message"] == "last":
            Runner.objects.filter(pk=runner.pk).update(status=RunnerStatus.EXIT)

    monkeypatch.setattr(logs.time, "sleep", meanwhile)
    lines = told("logs", str(runner.pk), "-f", "-n", "1", "--json").splitlines()
    assert [json.loads(line)["message"] for line in lines] == ["higher", "late", "last"]


def test_logs_follows_no_run_that_was_deleted(job: Job, monkeypatch: pytest.MonkeyPatch) -> None:
    LogLine.objects.create(runner=job.runner, at=database_now(), message="one")
    looks: list[float] = []

    def meanwhile(seconds: float) -> None:
        looks.append(seconds)
        assert len(looks) == 1, "it goes on for ever"
        delete_runner(runner=job.runner)

    monkeypatch.setattr(logs.time, "sleep", meanwhile)
    assert [line.split()[-1] for line in told("logs", str(job.runner_id), "-f").splitlines()] == ["one"]


def test_an_empty_log_says_what_would_be_in_it(job: Job) -> None:
    said = StringIO()
    call_command("logs", str(job.runner_id), stdout=StringIO(), stderr=said)
    assert said.getvalue() == (
        f"The log of run {job.runner_id} is empty: only what does not go as expected is written there.\n"
    )
    assert told("logs", str(job.runner_id)) == told("logs", str(job.runner_id), "--json") == ""


def test_logs_may_begin_with_no_line_and_not_with_fewer(job: Job) -> None:
    LogLine.objects.create(runner=job.runner, at=database_now(), message="one")
    assert told("logs", str(job.runner_id), "-n", "0") == ""
    assert told("logs", str(job.runner_id), "-n", "9" * 20).rstrip().endswith("one")
    with pytest.raises(CommandError, match="no number of lines"):
        told("logs", str(job.runner_id), "-n=-1")
