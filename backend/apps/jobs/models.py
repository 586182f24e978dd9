"""What the head node schedules: jobs, where they were placed, and how they came to their state."""

from typing import Any

from django.db import models
from django.db.models import Q

from backend.apps.indexers.models import Indexer
from backend.apps.model_parts import Timed, at_least, ends_after_start, one_of
from backend.apps.nodes.models import Node
from backend.apps.projects.models import Project
from backend.apps.runners.models import Runner


class JobKind(models.TextChoices):
    RUNNER = "runner"
    INDEX = "index"


class JobState(models.TextChoices):
    QUEUED = "queued"
    HELD = "held"
    RUNNING = "running"
    EXITING = "exiting"
    FINISHED = "finished"


class Wish(models.TextChoices):
    RUN = "run"
    PAUSE = "pause"
    STOP = "stop"


class Ending(models.TextChoices):
    """What the work itself said; empty while it has more to do."""

    NONE = ""
    COMPLETED = "completed"
    EXIT = "exit"


class Job(Timed):
    """One unit of work of the head node: a runner or an index build."""

    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="jobs")
    kind = models.CharField(max_length=10, choices=JobKind.choices)
    runner = models.ForeignKey(Runner, on_delete=models.CASCADE, null=True, related_name="jobs")
    indexer = models.ForeignKey(Indexer, on_delete=models.CASCADE, null=True, related_name="jobs")
    state = models.CharField(max_length=10, choices=JobState.choices, default=JobState.QUEUED)
    reason = models.TextField(blank=True, default="", help_text="Why it is in this state, as a sentence.")
    wish = models.CharField(max_length=5, choices=Wish.choices, default=Wish.RUN)
    wished_at = models.DateTimeField(null=True)
    wish_reason = models.TextField(blank=True, default="", help_text="Why, where it was not a person's wish.")
    resume_at = models.DateTimeField(null=True, help_text="When a pause ends by itself; empty where people end it.")
    ending = models.CharField(max_length=10, choices=Ending.choices, blank=True, default=Ending.NONE)
    crashes = models.PositiveIntegerField(default=0, help_text="Workers that vanished since the work last went on.")
    crash_mark = models.BigIntegerField(default=-1, help_text="How far the work was at the last crash.")
    crash_fence = models.BigIntegerField(default=0, help_text="The newest placement when the last crash was counted.")
    crashing_since = models.DateTimeField(null=True, help_text="When the first of these crashes was counted.")
    priority = models.IntegerField(default=0)
    requested_workers = models.IntegerField(default=1)
    slots_per_worker = models.IntegerField(default=1, help_text="Slots of a node that each of its workers takes.")
    requested_node = models.ForeignKey(Node, on_delete=models.SET_NULL, null=True, related_name="requested_jobs")
    needs_browser = models.BooleanField(default=False)
    wall_time_seconds = models.FloatField(null=True, help_text="How long it may run; pauses do not count.")
    ran_seconds = models.FloatField(default=0.0, help_text="How long it ran before running_since.")
    running_since = models.DateTimeField(null=True)
    earliest_start = models.DateTimeField(null=True)
    started_at = models.DateTimeField(null=True)
    finished_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["-id"]
        indexes = [
            models.Index(fields=["state", "-priority", "id"], name="job_queue"),
            models.Index(fields=["project", "-id"], name="job_newest_of_project"),
        ]
        constraints = [
            one_of("job", "kind", JobKind),
            one_of("job", "state", JobState),
            one_of("job", "wish", Wish),
            one_of("job", "ending", Ending),
            at_least("job", "requested_workers", 1),
            at_least("job", "slots_per_worker", 1),
            ends_after_start("job"),
            models.CheckConstraint(
                condition=Q(kind=JobKind.RUNNER, runner__isnull=False, indexer__isnull=True)
                | Q(kind=JobKind.INDEX, runner__isnull=True, indexer__isnull=False),
                name="job_has_what_its_kind_says",
            ),
            models.UniqueConstraint(
                fields=["runner"], condition=~Q(state=JobState.FINISHED), name="job_one_open_per_runner"
            ),
            models.UniqueConstraint(
                fields=["indexer"], condition=~Q(state=JobState.FINISHED), name="job_one_open_per_indexer"
            ),
        ]

    def __str__(self) -> str:
        return f"job {self.pk} ({self.kind}, {self.state})"

    @property
    def owner(self) -> str:
        """Who started it; empty where that was no person: an index that follows a crawl, a command at the terminal."""
        person = self.runner.created_by if self.runner is not None else None
        return person.get_username() if person is not None else ""


class JobTransition(models.Model):
    """When a job came into a state, and why."""

    job = models.ForeignKey(Job, on_delete=models.CASCADE, related_name="transitions")
    state = models.CharField(max_length=10, choices=JobState.choices)
    reason = models.TextField(blank=True, default="")
    at = models.DateTimeField()

    class Meta:
        ordering = ["id"]
        constraints = [one_of("transition", "state", JobState)]

    def __str__(self) -> str:
        return f"{self.state} at {self.at:%Y-%m-%d %H:%M:%S}"


MOMENTARY = ("pages_per_minute", "stage", "memory_bytes", "urls")
"""What a worker tells about itself that is over when it is."""


class PlacementState(models.TextChoices):
    PLACED = "placed"
    RUNNING = "running"
    EXITED = "exited"
    LOST = "lost"


class Placement(models.Model):
    """One worker of a job on one node. `fence` grows with every placement: an old worker cannot speak for a new one."""

    job = models.ForeignKey(Job, on_delete=models.CASCADE, related_name="placements")
    node = models.ForeignKey(
        Node, on_delete=models.SET_NULL, null=True, related_name="placements", help_text="None once it was forgotten."
    )
    worker = models.PositiveIntegerField(help_text="1 for the job's first worker.")
    fence = models.BigIntegerField(default=1)
    state = models.CharField(max_length=10, choices=PlacementState.choices, default=PlacementState.PLACED)
    process_id = models.BigIntegerField(null=True)
    process_started = models.FloatField(null=True, help_text="Tells the process from a later one of the same number.")
    machine = models.CharField(max_length=200, blank=True, default="", help_text="The machine's own name for itself.")
    is_kill_wished = models.BooleanField(default=False, help_text="The node's agent shall end it at once.")
    is_gone = models.BooleanField(default=False, help_text="The node's agent has seen that its process is gone.")
    hang = models.JSONField(null=True, help_text="The page that holds it, as the node's agent found it.")
    last_words = models.TextField(blank=True, default="", help_text="The end of the log of a worker that crashed.")
    is_crash = models.BooleanField(default=False, help_text="It ended without being asked to, and not in good order.")
    live = models.JSONField(blank=True, default=dict, help_text="What it does right now, and how much it has done.")
    note = models.TextField(blank=True, default="", help_text="Why it ended, as a sentence.")
    lease_expires_at = models.DateTimeField(null=True)
    heartbeat_at = models.DateTimeField(null=True)
    placed_at = models.DateTimeField()
    ended_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["id"]
        indexes = [models.Index(fields=["node", "state"], name="placement_by_node")]
        constraints = [
            one_of("placement", "state", PlacementState),
            at_least("placement", "fence", 1),
            models.UniqueConstraint(
                fields=["job", "worker"],
                condition=Q(state__in=[PlacementState.PLACED, PlacementState.RUNNING]),
                name="placement_one_live_per_worker",
            ),
        ]

    def __str__(self) -> str:
        return f"worker {self.worker} of job {self.job_id}"

    @property
    def worker_name(self) -> str:
        """The name under which it holds leases: never that of an earlier worker."""
        return f"job-{self.job_id}-worker-{self.worker}-{self.fence}"

    @property
    def facts(self) -> dict[str, Any]:
        """`live`, as far as it is true: who has ended does nothing any more, whatever it said last.

        It is what the worker's node wrote, so it may be anything.
        """
        if not isinstance(self.live, dict):
            return {}
        if self.ended_at is None:
            return self.live
        return {name: value for name, value in self.live.items() if name not in MOMENTARY}


class HeadLease(models.Model):
    """The one row that says which head node acts, and until when."""

    head = models.CharField(max_length=200)
    expires_at = models.DateTimeField()

    class Meta:
        constraints = [models.CheckConstraint(condition=Q(pk=1), name="head_lease_is_one_row")]

    def __str__(self) -> str:
        return f"{self.head} until {self.expires_at:%H:%M:%S}"
