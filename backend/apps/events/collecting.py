"""Where events come from: job transitions, runners, indexers, nodes, log lines, read from tables that hold them anyway.

Nothing that crawls or schedules writes an event or waits for one. Whoever wants to show events calls `collect_events`;
any number of processes may, and each change becomes one event.
"""

import hashlib
import json
from collections.abc import Iterable, Iterator
from datetime import datetime, timedelta
from typing import Any

from django.db import transaction
from django.db.models import Max, Q

from backend.apps.events.models import Event, EventCursor, EventKind
from backend.apps.events.tails import Tail
from backend.apps.indexers.models import BuildState, IndexBuild, Indexer, IndexerStatus, IndexLogLine
from backend.apps.indexers.selectors import eta_seconds
from backend.apps.jobs.models import Job, JobState, JobTransition
from backend.apps.nodes.models import Node
from backend.apps.runners.models import LogLine, Runner, RunnerStatus
from backend.apps.runners.selectors import describe_statistics
from crawler_node.contracts import Statistics

RETENTION = timedelta(days=1)
BATCH_ROWS = 500
INDEXING = (IndexerStatus.DICTIONARY, IndexerStatus.INDEXING)
LIVE = (RunnerStatus.QUEUED, RunnerStatus.RUNNING, RunnerStatus.PAUSED, RunnerStatus.LOST)
Builds = dict[tuple[int, str], IndexBuild]
NODE_FIELDS = ("name", "state", "cores", "http_slots", "browser_slots", "labels", "version")


def collect_events(*, now: datetime) -> int:
    """Make events of what changed since anybody last did; how many. 0 also when another process was quicker.

    Reads a few rows by index; writes only when there is something to tell. After a long time without listeners it
    catches up in several calls, with what is not older than events are kept.
    """
    cursor = EventCursor.objects.filter(pk=1).first() or _first_cursor()
    before = json.dumps(cursor.position, sort_keys=True)
    changes = _Changes(cursor.position, now)
    events = list(changes.find())
    after = changes.position()
    if not events and json.dumps(after, sort_keys=True) == before:
        return 0
    return len(events) if _store(cursor, after, events) else 0


@transaction.atomic
def _store(cursor: EventCursor, position: dict[str, Any], events: list[Event]) -> bool:
    ours = EventCursor.objects.filter(pk=1, version=cursor.version)
    if not ours.update(version=cursor.version + 1, position=position):
        return False
    runners = [event.runner for event in events if event.kind == EventKind.RUNNER]
    indexers = [event.indexer for event in events if event.kind == EventKind.INDEXER]
    Event.objects.filter(kind=EventKind.RUNNER, runner__in=runners).delete()
    Event.objects.filter(kind=EventKind.INDEXER, indexer__in=indexers).delete()
    Event.objects.bulk_create(events)
    return True


def _first_cursor() -> EventCursor:
    """Events begin when somebody first asks for them."""
    position = {
        "jobs": Tail(_last_id(JobTransition)).to_json(),
        "log": Tail(_last_id(LogLine)).to_json(),
        "index_log": Tail(_last_id(IndexLogLine)).to_json(),
        "runners": {},
        "indexers": {},
        "nodes": {},
    }
    cursor, _ = EventCursor.objects.get_or_create(pk=1, defaults={"position": position})
    return cursor


def _last_id(model: type) -> int:
    return model._default_manager.aggregate(last=Max("pk"))["last"] or 0


class _Changes:
    """What changed since a position."""

    def __init__(self, position: dict[str, Any], now: datetime) -> None:
        self._now = now
        self._jobs = Tail.from_json(position["jobs"])
        self._log = Tail.from_json(position["log"])
        self._index_log = _index_tail(position)
        self._runners: dict[str, str] = dict(position["runners"])
        self._indexers: dict[str, str] = dict(position.get("indexers", {}))
        self._nodes: dict[str, str] = dict(position["nodes"])

    def position(self) -> dict[str, Any]:
        return {
            "jobs": self._jobs.to_json(),
            "log": self._log.to_json(),
            "index_log": self._index_log.to_json(),
            "runners": self._runners,
            "indexers": self._indexers,
            "nodes": self._nodes,
        }

    def find(self) -> Iterator[Event]:
        yield from self._job_events()
        yield from self._runner_events()
        yield from self._indexer_events()
        yield from self._node_events()
        yield from self._log_events()

    def _job_events(self) -> Iterator[Event]:
        fields = ("state", "reason", "job_id", "job__kind", "job__runner_id", "job__indexer_id", "job__project_id")
        for _, at, state, reason, job, kind, runner, indexer, project in self._fresh(JobTransition, self._jobs, fields):
            data = {"job": job, "kind": kind, "runner": runner, "indexer": indexer, "state": state, "reason": reason}
            yield Event(kind=EventKind.JOB, project_id=project, runner=runner, data=data, at=at)

    def _log_events(self) -> Iterator[Event]:
        fields = ("level", "message", "url", "runner_id", "runner__crawler__project_id")
        for _, at, level, message, url, runner, project in self._fresh(LogLine, self._log, fields):
            data = {"runner": runner, "at": at.isoformat(), "level": level, "message": message, "url": url}
            yield Event(kind=EventKind.LOG, project_id=project, runner=runner, data=data, at=at)
        fields = ("level", "message", "indexer_id", "indexer__project_id")
        for _, at, level, message, indexer, project in self._fresh(IndexLogLine, self._index_log, fields):
            data = {"indexer": indexer, "at": at.isoformat(), "level": level, "message": message, "url": ""}
            yield Event(kind=EventKind.LOG, project_id=project, indexer=indexer, data=data, at=at)

    def _fresh(self, model: type, tail: Tail, fields: Iterable[str]) -> list[tuple[Any, ...]]:
        limit = BATCH_ROWS + len(tail.seen)
        told = model._default_manager.filter(pk__gt=tail.position, at__gt=self._now - RETENTION).order_by("pk")
        rows = list(told.values_list("pk", "at", *fields)[:limit])
        fresh = tail.take(rows, self._now)
        if len(rows) < limit:
            self._skip_old(model, tail, below=next((row[0] for row in rows if row[0] > tail.position), None))
        return fresh

    def _skip_old(self, model: type, tail: Tail, *, below: int | None) -> None:
        """Past rows that are too old to be told, or every call would read all of them again."""
        old = model._default_manager.filter(pk__gt=tail.position, at__lte=self._now - RETENTION)
        if below is not None:
            old = old.filter(pk__lt=below)
        if (last := old.order_by("-pk").values_list("pk", flat=True).first()) is not None:
            tail.skip_to(last)

    def _runner_events(self) -> Iterator[Event]:
        """Of runs under way, and once more of those that were when we last looked."""
        wanted = Q(status__in=LIVE) | Q(pk__in=[int(known) for known in self._runners])
        fields = ("pk", "crawler_id", "crawler__project_id", "status", "reason", "crawl_state__statistics")
        found: dict[str, str] = {}
        for runner, crawler, project, status, reason, statistics in Runner.objects.filter(wanted).values_list(*fields):
            sign = _digest(status, reason, statistics)
            if status in LIVE:
                found[str(runner)] = sign
            if self._runners.get(str(runner)) != sign:
                counts = describe_statistics(Statistics(**json.loads(statistics or "{}")))
                data = {"runner": runner, "crawler": crawler, "status": status, "reason": reason, "statistics": counts}
                yield Event(kind=EventKind.RUNNER, project_id=project, runner=runner, data=data, at=self._now)
        self._runners = found

    def _indexer_events(self) -> Iterator[Event]:
        """Of indexers that are built or follow crawls, and once more of those that were when we last looked."""
        building = IndexBuild.objects.filter(state=BuildState.BUILDING).values_list("indexer", flat=True)
        at_work = {*building, *_indexers_with_jobs()}
        known = {int(indexer) for indexer in self._indexers}
        wanted = list(Indexer.objects.filter(Q(status__in=INDEXING) | Q(pk__in=at_work | known)))
        builds = _builds_of(wanted)
        found: dict[str, str] = {}
        for indexer in wanted:
            data = _indexer_data(indexer, builds)
            sign = _digest(data)
            if indexer.pk in at_work or indexer.status in INDEXING:
                found[str(indexer.pk)] = sign
            if self._indexers.get(str(indexer.pk)) != sign:
                yield Event(
                    kind=EventKind.INDEXER, project_id=indexer.project_id, indexer=indexer.pk, data=data, at=self._now
                )
        self._indexers = found

    def _node_events(self) -> Iterator[Event]:
        found: dict[str, str] = {}
        for node in Node.objects.values("pk", *NODE_FIELDS):
            identity = node.pop("pk")
            found[str(identity)] = _digest(*node.values())
            if self._nodes.get(str(identity)) != found[str(identity)]:
                yield Event(kind=EventKind.NODE, data={"node": identity, **node}, at=self._now)
        for identity in self._nodes.keys() - found.keys():
            yield Event(kind=EventKind.NODE, data={"node": int(identity), "state": "gone"}, at=self._now)
        self._nodes = found


def _index_tail(position: dict[str, Any]) -> Tail:
    """A position that was written before indexers were told about begins with the present."""
    told = position.get("index_log")
    return Tail(_last_id(IndexLogLine)) if told is None else Tail.from_json(told)


def _indexers_with_jobs() -> Iterable[int]:
    """Those that somebody works on or is about to: a job that follows crawls changes what is served."""
    jobs = Job.objects.filter(indexer__isnull=False).exclude(state=JobState.FINISHED)
    return jobs.values_list("indexer", flat=True)


def _builds_of(indexers: Iterable[Indexer]) -> Builds:
    """What is built and what is served, by indexer and state."""
    builds = IndexBuild.objects.filter(indexer__in=indexers, state__in=(BuildState.BUILDING, BuildState.SERVED))
    return {(build.indexer_id, build.state): build for build in builds}


def _indexer_data(indexer: Indexer, builds: Builds) -> dict[str, Any]:
    build, served = (builds.get((indexer.pk, state)) for state in (BuildState.BUILDING, BuildState.SERVED))
    return {
        "indexer": indexer.pk,
        "status": indexer.status,
        "reason": indexer.reason,
        "served": indexer.served_build,
        "documents": served.documents if served is not None else 0,
        "build": _build_data(build) if build is not None else None,
    }


def _build_data(build: IndexBuild) -> dict[str, Any]:
    fields = ("name", "done", "total", "documents", "documents_per_second")
    return {name: getattr(build, name) for name in fields} | {"eta_seconds": eta_seconds(build)}


def _digest(*values: object) -> str:
    return hashlib.blake2b(repr(values).encode(), digest_size=8).hexdigest()
