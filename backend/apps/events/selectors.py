"""Reads of events, and of who may see them."""

import json
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from django.db.models import Max, Q

from backend.apps.accounts.models import User
from backend.apps.events.models import Event, EventCursor
from backend.apps.projects.models import Membership

Projects = frozenset[int] | None
"""The projects that somebody may see; None means all of them."""


class Told(NamedTuple):
    """An event as it is sent, and what decides to whom."""

    id: int
    kind: str
    project: int | None
    runner: int | None
    text: bytes


class Wanted(NamedTuple):
    """Which events a stream is for; None is any."""

    project: int | None = None
    runner: int | None = None
    kinds: frozenset[str] | None = None

    def takes(self, event: Told, projects: Projects) -> bool:
        """Whether an event belongs in a stream of somebody who may see these projects."""
        if event.project is not None and projects is not None and event.project not in projects:
            return False
        if self.project is not None and event.project not in (None, self.project):
            return False
        if self.runner is not None and event.runner != self.runner:
            return False
        return self.kinds is None or event.kind in self.kinds


def latest_event() -> int:
    """The id of the newest event, 0 without any."""
    return Event.objects.aggregate(newest=Max("pk"))["newest"] or 0


def events_between(after: int, until: int | None, *, limit: int, projects: Projects = None) -> list[Told]:
    """The oldest events with `after` < id ≤ `until`, of these projects and of none."""
    rows = Event.objects.filter(pk__gt=after).order_by("pk")
    if until is not None:
        rows = rows.filter(pk__lte=until)
    if projects is not None:
        rows = rows.filter(Q(project__in=projects) | Q(project=None))
    fields = ("pk", "kind", "project_id", "runner", "data")
    return [
        Told(pk, kind, project, runner, written(kind, data, pk))
        for pk, kind, project, runner, data in rows.values_list(*fields)[:limit]
    ]


def is_swept(after: int) -> bool:
    """Whether events that came after this one are gone by now, or it is an event of another database."""
    swept = EventCursor.objects.filter(pk=1).values_list("swept", flat=True).first() or 0
    return after < swept or after > latest_event()


def written(kind: str, data: object, identity: int) -> bytes:
    """An event in the words of server-sent events."""
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    return f"id: {identity}\nevent: {kind}\ndata: {text}\n\n".encode()


def visible_projects(user_ids: Iterable[int]) -> Mapping[int, Projects]:
    """What each of these people may see now; those who may no longer sign in are missing."""
    people = list(User.objects.filter(pk__in=set(user_ids), is_active=True).values_list("pk", "is_superuser"))
    found: dict[int, set[int]] = {user: set() for user, is_admin in people if not is_admin}
    for user, project in Membership.objects.filter(user__in=list(found)).values_list("user_id", "project_id"):
        found[user].add(project)
    return {user: None if is_admin else frozenset(found[user]) for user, is_admin in people}
