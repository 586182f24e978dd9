"""Events are made of what is written anyway, each change once."""

import json
from datetime import timedelta

import pytest
from django.utils import timezone

from backend.apps.events.collecting import RETENTION, collect_events
from backend.apps.events.models import Event, EventCursor
from backend.apps.events.retention import sweep_events
from backend.apps.events.selectors import Wanted, events_between, is_swept, visible_projects
from backend.apps.indexers.models import BuildState, IndexBuild, Indexer, IndexerStatus, IndexLogLine
from backend.apps.jobs.models import Job, JobKind, JobState
from backend.apps.jobs.services import move_job
from backend.apps.nodes.models import Node
from backend.apps.projects.models import Membership
from backend.apps.runners.models import CrawlState, LogLine, Runner
from backend.apps.runners.services import start_runner
from tests.integration.runners.kept_pages import shop_crawler

pytestmark = pytest.mark.django_db


def collect() -> list[tuple[str, dict]]:
    last = Event.objects.order_by("-pk").values_list("pk", flat=True).first() or 0
    collect_events(now=timezone.now())
    return list(Event.objects.filter(pk__gt=last).order_by("pk").values_list("kind", "data"))


def begin() -> Runner:
    """A cursor at the present, then a run that was just submitted."""
    collect()
    return start_runner(crawler=shop_crawler(), user=None)


def count(runner: Runner, **statistics: int) -> None:
    CrawlState.objects.filter(runner=runner).update(statistics=json.dumps(statistics))


def test_a_submitted_run_is_a_job_event_and_a_runner_event() -> None:
    runner = begin()
    (job_kind, job), (runner_kind, progress) = collect()
    assert (job_kind, job["state"], job["runner"], job["reason"]) == ("job", "queued", runner.pk, "Submitted.")
    assert (runner_kind, progress["runner"], progress["status"]) == ("runner", runner.pk, "queued")
    assert progress["statistics"]["pages"] == 0
    assert collect() == []


def test_progress_is_told_when_it_moves_and_only_the_last_is_kept() -> None:
    runner = begin()
    collect()
    for pages in (1, 5):
        count(runner, pages=pages, documents=2)
        ((kind, data),) = collect()
        assert (kind, data["statistics"]["pages"]) == ("runner", pages)
    assert Event.objects.filter(kind="runner", runner=runner.pk).count() == 1


def log_position() -> int:
    return EventCursor.objects.get().position["log"]["position"]


def test_rows_that_are_too_old_to_be_told_are_read_once() -> None:
    """Nobody listened for days: what was written meanwhile is passed over, and never looked at again."""
    runner = begin()
    long_ago = timezone.now() - RETENTION - timedelta(hours=1)
    old = [LogLine.objects.create(runner=runner, at=long_ago, message="old") for _ in range(3)]
    assert "log" not in [kind for kind, _ in collect()]
    assert log_position() == old[-1].pk
    fresh = LogLine.objects.create(runner=runner, at=timezone.now(), message="new")
    LogLine.objects.create(runner=runner, at=long_ago, message="written late")
    assert [data["message"] for kind, data in collect() if kind == "log"] == ["new"]
    assert log_position() < fresh.pk
    assert collect() == []


def test_the_end_of_a_run_is_told_and_then_it_is_left_alone() -> None:
    runner = begin()
    collect()
    Runner.objects.filter(pk=runner.pk).update(status="completed", reason="Everything was fetched.")
    ((kind, data),) = collect()
    assert (kind, data["status"], data["reason"]) == ("runner", "completed", "Everything was fetched.")
    assert EventCursor.objects.get().position["runners"] == {}


def test_every_transition_of_a_job_is_told() -> None:
    runner = begin()
    collect()
    job = Job.objects.get(runner=runner)
    now = timezone.now()
    move_job(job_id=job.pk, come_from=[JobState.QUEUED], state=JobState.RUNNING, reason="It starts.", now=now)
    move_job(job_id=job.pk, come_from=[JobState.RUNNING], state=JobState.HELD, reason="Paused.", now=now)
    found = [(data["state"], data["reason"]) for kind, data in collect() if kind == "job"]
    assert found == [("running", "It starts."), ("held", "Paused.")]


def test_log_lines_are_told_once_and_late_ones_too() -> None:
    runner = begin()
    collect()
    now = timezone.now()
    LogLine.objects.create(pk=1001, runner=runner, at=now, message="Second.")
    assert [data["message"] for _, data in collect()] == ["Second."]
    LogLine.objects.create(pk=1000, runner=runner, at=now, level="warning", message="First, committed late.")
    ((kind, data),) = collect()
    assert (kind, data["level"], data["message"]) == ("log", "warning", "First, committed late.")
    assert collect() == []


def test_a_node_is_told_when_it_changes_but_not_for_every_heartbeat() -> None:
    collect()
    node = Node.objects.create(name="n1", state="online")
    ((kind, data),) = collect()
    assert (kind, data["name"], data["state"]) == ("node", "n1", "online")
    Node.objects.filter(pk=node.pk).update(heartbeat_at=timezone.now())
    assert collect() == []
    Node.objects.filter(pk=node.pk).update(state="lost")
    assert [data["state"] for _, data in collect()] == ["lost"]
    identity = node.pk
    node.delete()
    assert collect() == [("node", {"node": identity, "state": "gone"})]


def test_what_happened_before_anybody_asked_is_not_told() -> None:
    runner = start_runner(crawler=shop_crawler(), user=None)
    LogLine.objects.create(runner=runner, at=timezone.now(), message="Old news.")
    assert {kind for kind, _ in collect()} == {"runner"}


def test_two_collectors_tell_each_change_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """The second one begins before the first has written, and ends after it."""
    from backend.apps.events import collecting

    begin()
    store, others = collecting._store, []

    def interrupted(cursor, position, events):
        if not others:
            others.append(1)
            collect_events(now=timezone.now())
        return store(cursor, position, events)

    monkeypatch.setattr(collecting, "_store", interrupted)
    assert collect_events(now=timezone.now()) == 0
    assert Event.objects.filter(kind="job").count() == 1


def test_catching_up_leaves_out_what_is_older_than_events_are_kept() -> None:
    runner = begin()
    collect()
    old = timezone.now() - RETENTION - timedelta(minutes=1)
    LogLine.objects.create(runner=runner, at=old, message="Long ago.")
    LogLine.objects.create(runner=runner, at=timezone.now(), message="Now.")
    assert [data["message"] for _, data in collect()] == ["Now."]


def test_more_than_a_batch_comes_in_several(monkeypatch: pytest.MonkeyPatch) -> None:
    from backend.apps.events import collecting

    monkeypatch.setattr(collecting, "BATCH_ROWS", 3)
    runner = begin()
    collect()
    LogLine.objects.bulk_create(LogLine(runner=runner, at=timezone.now(), message=str(n)) for n in range(7))
    told = [[data["message"] for _, data in collect()] for _ in range(4)]
    assert told == [["0", "1", "2"], ["3", "4", "5"], ["6"], []]


def test_old_events_go_and_who_missed_them_is_told_to_start_afresh() -> None:
    runner = begin()
    collect()
    first = Event.objects.order_by("pk").first()
    Event.objects.filter(pk=first.pk).update(at=timezone.now() - RETENTION * 2)
    count(runner, pages=1)
    collect()
    assert not is_swept(first.pk)
    assert sweep_events(now=timezone.now()) == 1
    assert is_swept(first.pk - 1)
    assert not is_swept(first.pk)
    assert is_swept(10**9)
    assert sweep_events(now=timezone.now()) == 0


def test_there_are_never_more_than_so_many(monkeypatch: pytest.MonkeyPatch) -> None:
    from backend.apps.events import retention

    monkeypatch.setattr(retention, "MAX_EVENTS", 2)
    runner = begin()
    LogLine.objects.bulk_create(LogLine(runner=runner, at=timezone.now(), message=str(n)) for n in range(5))
    collect()
    sweep_events(now=timezone.now())
    assert [event.data["message"] for event in Event.objects.order_by("pk")] == ["3", "4"]


def test_members_hear_of_their_projects_administrators_of_all_the_barred_of_none(django_user_model) -> None:
    runner = begin()
    collect()
    project = runner.crawler.project
    make = django_user_model.objects.create_user
    member, stranger, barred = make("member"), make("stranger"), make("barred", is_active=False)
    admin = make("boss", is_superuser=True)
    Membership.objects.create(project=project, user=member, role="viewer")
    rights = visible_projects([each.pk for each in (member, stranger, barred, admin)])
    assert rights == {member.pk: frozenset({project.pk}), stranger.pk: frozenset(), admin.pk: None}
    events = events_between(0, None, limit=100)
    assert all(Wanted().takes(event, rights[member.pk]) for event in events)
    assert not any(Wanted().takes(event, rights[stranger.pk]) for event in events)
    assert events_between(0, None, limit=100, projects=frozenset()) == []


def test_a_stream_may_be_for_a_project_a_runner_or_some_kinds() -> None:
    runner = begin()
    Node.objects.create(name="n1")
    collect()
    events = events_between(0, None, limit=100)
    project = runner.crawler.project_id

    def kinds(wanted: Wanted) -> list[str]:
        return [event.kind for event in events if wanted.takes(event, None)]

    assert kinds(Wanted(project=project)) == ["job", "runner", "node"]
    assert kinds(Wanted(project=project + 1)) == ["node"]
    assert kinds(Wanted(runner=runner.pk)) == ["job", "runner"]
    assert kinds(Wanted(kinds=frozenset({"job"}))) == ["job"]


def an_indexer() -> Indexer:
    project = shop_crawler().project
    return Indexer.objects.create(project=project, name="Shops")


def test_the_progress_of_a_build_is_told_until_it_is_over_and_only_the_last_is_kept() -> None:
    collect()
    indexer = an_indexer()
    assert collect() == []
    Indexer.objects.filter(pk=indexer.pk).update(status=IndexerStatus.INDEXING)
    build = IndexBuild.objects.create(indexer=indexer, number=1, total=100)
    for done in (10, 60):
        IndexBuild.objects.filter(pk=build.pk).update(done=done)
        ((kind, data),) = collect()
        assert (kind, data["indexer"], data["status"], data["build"]["done"]) == (
            "indexer",
            indexer.pk,
            "indexing",
            done,
        )
        assert collect() == []
    IndexBuild.objects.filter(pk=build.pk).update(state=BuildState.SERVED)
    Indexer.objects.filter(pk=indexer.pk).update(status=IndexerStatus.COMPLETED, served_build="build-1")
    ((_, data),) = collect()
    assert (data["status"], data["served"], data["build"]) == ("completed", "build-1", None)
    assert collect() == []
    assert Event.objects.get(kind="indexer", indexer=indexer.pk).project_id == indexer.project_id


def test_what_a_job_that_follows_crawls_changes_is_told_until_the_job_is_over() -> None:
    indexer = an_indexer()
    build = IndexBuild.objects.create(indexer=indexer, number=1, state=BuildState.SERVED, documents=5)
    Indexer.objects.filter(pk=indexer.pk).update(status=IndexerStatus.COMPLETED, served_build=build.name)
    job = Job.objects.create(project=indexer.project, indexer=indexer, kind=JobKind.INDEX)
    collect()
    for documents in (6, 4):
        IndexBuild.objects.filter(pk=build.pk).update(documents=documents)
        ((kind, data),) = collect()
        assert (kind, data["served"], data["documents"], data["build"]) == ("indexer", "build-1", documents, None)
        assert collect() == []
    Job.objects.filter(pk=job.pk).update(state=JobState.FINISHED)
    collect()
    IndexBuild.objects.filter(pk=build.pk).update(documents=9)
    assert collect() == []


def test_what_an_index_job_logs_is_told_once() -> None:
    collect()
    indexer = an_indexer()
    IndexLogLine.objects.create(indexer=indexer, at=timezone.now(), message="It begins.")
    ((kind, data),) = collect()
    assert (kind, data["indexer"], data["message"], data["level"]) == ("log", indexer.pk, "It begins.", "info")
    assert collect() == []


def test_a_position_from_before_indexers_were_told_about_begins_with_the_present() -> None:
    collect()
    cursor = EventCursor.objects.get()
    EventCursor.objects.update(
        position={name: cursor.position[name] for name in ("jobs", "log", "runners", "nodes")},
    )
    IndexLogLine.objects.create(indexer=an_indexer(), at=timezone.now(), message="Long ago.")
    assert collect() == []
    IndexLogLine.objects.create(indexer=Indexer.objects.get(), at=timezone.now(), message="Now.")
    assert [data["message"] for _, data in collect()] == ["Now."]
