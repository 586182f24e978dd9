"""A machine that executes runners, as it last told us about itself."""

from django.db import models

from backend.apps.model_parts import at_least, not_empty, one_of


class NodeState(models.TextChoices):
    ONLINE = "online"
    BUSY = "busy"
    DRAINING = "draining"
    OFFLINE = "offline"
    LOST = "lost"


class LauncherKind(models.TextChoices):
    """How workers reach a node."""

    LOCAL = "local"
    CELERY = "celery"


class Node(models.Model):
    """`state` is judged from the rest by whoever looks; `token_hash` is empty once its invitation was revoked."""

    name = models.CharField(max_length=100, unique=True)
    address = models.CharField(max_length=200, blank=True, default="")
    state = models.CharField(max_length=10, choices=NodeState.choices, default=NodeState.OFFLINE)
    cores = models.PositiveIntegerField(default=1)
    memory_bytes = models.BigIntegerField(default=0)
    http_slots = models.IntegerField(default=1)
    browser_slots = models.IntegerField(default=0)
    labels = models.JSONField(blank=True, default=list)
    version = models.CharField(max_length=50, blank=True, default="")
    launcher = models.CharField(max_length=10, choices=LauncherKind.choices, default=LauncherKind.CELERY)
    token_hash = models.CharField(max_length=64, blank=True, default="")
    is_draining = models.BooleanField(default=False, help_text="It finishes what it has and gets nothing new.")
    has_left = models.BooleanField(default=True, help_text="Its agent said good-bye, or has never been there.")
    load = models.FloatField(default=0.0, help_text="Load average of the last minute.")
    memory_free_bytes = models.BigIntegerField(default=0)
    disk_free_bytes = models.BigIntegerField(default=0)
    running_workers = models.PositiveIntegerField(default=0)
    heartbeat_at = models.DateTimeField(null=True)
    registered_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["name"]
        indexes = [models.Index(fields=["state", "heartbeat_at"], name="node_by_heartbeat")]
        constraints = [
            not_empty("node"),
            one_of("node", "state", NodeState),
            one_of("node", "launcher", LauncherKind),
            at_least("node", "memory_bytes", 0),
            at_least("node", "http_slots", 0),
            at_least("node", "browser_slots", 0),
        ]

    def __str__(self) -> str:
        return self.name
