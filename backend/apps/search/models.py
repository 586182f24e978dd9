"""What people judged of an indexer's answers, and searches for better settings."""

from django.conf import settings
from django.db import models

from backend.apps.indexers.models import Indexer
from backend.apps.model_parts import Timed, between, not_empty, one_of

MAX_GRADE = 3


class JudgedQuery(Timed):
    """A query whose wanted answers are known."""

    indexer = models.ForeignKey(Indexer, on_delete=models.CASCADE, related_name="judged_queries")
    text = models.CharField(max_length=500)

    class Meta:
        ordering = ["text", "id"]
        constraints = [
            not_empty("judged_query", "text"),
            models.UniqueConstraint(
                fields=["indexer", "text"],
                name="judged_query_unique_in_indexer",
                violation_error_message="This indexer has that query already.",
            ),
        ]

    def __str__(self) -> str:
        return self.text


class Judgement(models.Model):
    """How good a document is for a query: 0 not at all, 3 exactly what was wanted."""

    query = models.ForeignKey(JudgedQuery, on_delete=models.CASCADE, related_name="judgements")
    document_key = models.CharField(max_length=200)
    grade = models.PositiveSmallIntegerField()
    judged_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+")
    judged_at = models.DateTimeField(auto_now=True)

    class Meta:
        ordering = ["-grade", "document_key"]
        constraints = [
            not_empty("judgement", "document_key"),
            between("judgement", "grade", 0, MAX_GRADE),
            models.UniqueConstraint(fields=["query", "document_key"], name="judgement_once_in_query"),
        ]

    def __str__(self) -> str:
        return f"{self.document_key}: {self.grade}"


class TuningState(models.TextChoices):
    WAITING = "waiting"
    RUNNING = "running"
    DONE = "done"
    STOPPED = "stopped"
    FAILED = "failed"


class Tuning(Timed):
    """One search for better settings. `heartbeat_at` grows while somebody works on it, or waits to do so."""

    indexer = models.ForeignKey(Indexer, on_delete=models.CASCADE, related_name="tunings")
    state = models.CharField(max_length=7, choices=TuningState.choices, default=TuningState.WAITING)
    reason = models.TextField(blank=True, default="", help_text="Why it has this state, as a sentence.")
    seconds = models.FloatField(help_text="How long it may take.")
    progress = models.FloatField(default=0.0, help_text="0 to 1.")
    trials = models.PositiveIntegerField(default=0)
    heartbeat_at = models.DateTimeField()
    result = models.JSONField(null=True)

    class Meta:
        ordering = ["-id"]
        constraints = [one_of("tuning", "state", TuningState), between("tuning", "progress", 0, 1)]

    def __str__(self) -> str:
        return f"tuning {self.pk} of {self.indexer_id}"
