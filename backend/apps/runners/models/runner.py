"""One run of a crawler, as people see it: status, statistics, log."""

from django.conf import settings
from django.db import models

from backend.apps.crawlers.models import Crawler
from backend.apps.model_parts import Timed, at_least, ends_after_start, left_to_sweeper, one_of


class RunnerStatus(models.TextChoices):
    """One that is LOST has lost its last worker, with its node or alone, and waits for the next: it has not ended."""

    NEW = "new"
    QUEUED = "queued"
    RUNNING = "running"
    PAUSED = "paused"
    COMPLETED = "completed"
    EXIT = "exit"
    LOST = "lost"


class Runner(Timed):
    """`specification` is the crawler and template as they were when this run started: later edits do not touch it."""

    crawler = models.ForeignKey(Crawler, on_delete=models.CASCADE, related_name="runners")
    number = models.PositiveIntegerField(help_text="1 for the crawler's first run.")
    status = models.CharField(max_length=10, choices=RunnerStatus.choices, default=RunnerStatus.NEW)
    reason = models.TextField(blank=True, default="", help_text="Why it has this status, as a sentence.")
    specification = models.JSONField(blank=True, default=dict)
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+")
    started_at = models.DateTimeField(null=True)
    finished_at = models.DateTimeField(null=True)
    pruned_at = models.DateTimeField(null=True, help_text="When its pages, frontier and log were deleted.")

    class Meta:
        ordering = ["-id"]
        indexes = [
            models.Index(fields=["status", "id"], name="runner_by_status"),
            models.Index(fields=["crawler", "-id"], name="runner_newest_of_crawler"),
        ]
        constraints = [
            one_of("runner", "status", RunnerStatus),
            at_least("runner", "number", 1),
            ends_after_start("runner"),
            models.UniqueConstraint(fields=["crawler", "number"], name="runner_number_unique_in_crawler"),
        ]

    def __str__(self) -> str:
        return f"{self.crawler} #{self.number}"


class LogLevel(models.TextChoices):
    DEBUG = "debug"
    INFO = "info"
    WARNING = "warning"
    ERROR = "error"


class LogLine(models.Model):
    """A sentence for people about something that happened in a run."""

    runner = left_to_sweeper(Runner, related_name="log")
    at = models.DateTimeField()
    level = models.CharField(max_length=7, choices=LogLevel.choices, default=LogLevel.INFO)
    message = models.TextField()
    url = models.TextField(blank=True, default="")

    class Meta:
        ordering = ["-id"]
        indexes = [models.Index(fields=["runner", "-id"], name="log_newest_of_runner")]
        constraints = [one_of("log_line", "level", LogLevel)]

    def __str__(self) -> str:
        return self.message
