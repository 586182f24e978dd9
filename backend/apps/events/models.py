"""Events: what changed, in the order in which it was noticed."""

from django.db import models
from django.db.models import Q

from backend.apps.model_parts import one_of
from backend.apps.projects.models import Project


class EventKind(models.TextChoices):
    JOB = "job"
    RUNNER = "runner"
    INDEXER = "indexer"
    NODE = "node"
    LOG = "log"


class Event(models.Model):
    """One change. Ids come in commit order: whoever has seen one has seen all before it.

    Only the last event of kind `runner` is kept for each runner, and of kind `indexer` for each indexer: it holds all
    that those before it said.
    """

    kind = models.CharField(max_length=10, choices=EventKind.choices)
    project = models.ForeignKey(
        Project, on_delete=models.CASCADE, null=True, related_name="+", help_text="None: for everybody who signed in."
    )
    runner = models.BigIntegerField(null=True, help_text="The run it is about, where it is about one.")
    indexer = models.BigIntegerField(null=True, help_text="The indexer it is about, where it is about one.")
    data = models.JSONField()
    at = models.DateTimeField()

    class Meta:
        ordering = ["id"]
        indexes = [
            models.Index(fields=["at"], name="event_by_time"),
            models.Index(fields=["runner"], condition=Q(kind=EventKind.RUNNER), name="event_of_runner"),
            models.Index(fields=["indexer"], condition=Q(kind=EventKind.INDEXER), name="event_of_indexer"),
        ]
        constraints = [one_of("event", "kind", EventKind)]

    def __str__(self) -> str:
        return f"{self.kind} event {self.pk}"


class EventCursor(models.Model):
    """The one row that says how far events were collected. Who raises `version` from what he read has the turn."""

    version = models.BigIntegerField(default=0)
    position = models.JSONField(default=dict)
    swept = models.BigIntegerField(default=0, help_text="Events up to this id are gone.")

    class Meta:
        constraints = [models.CheckConstraint(condition=Q(pk=1), name="event_cursor_is_one_row")]

    def __str__(self) -> str:
        return f"version {self.version}"
