"""A machine that executes runners, as it last told us about itself."""

from django.db import models

from backend.apps.model_parts import at_least, not_empty, one_of


class NodeState(models.TextChoices):
    ONLINE = "online"
    BUSY = "busy"
    DRAINING = "draining"
    OFFLINE = "offline"
    LOST = "lost"


class Node(models.Model):
    name = models.CharField(max_length=100, unique=True)
    address = models.CharField(max_length=200, blank=True, default="")
    state = models.CharField(max_length=10, choices=NodeState.choices, default=NodeState.OFFLINE)
    cores = models.PositiveIntegerField(default=1)
    memory_bytes = models.BigIntegerField(default=0)
    http_slots = models.IntegerField(default=1)
    browser_slots = models.IntegerField(default=0)
    labels = models.JSONField(blank=True, default=list)
    version = models.CharField(max_length=50, blank=True, default="")
    heartbeat_at = models.DateTimeField(null=True)
    registered_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["name"]
        indexes = [models.Index(fields=["state", "heartbeat_at"], name="node_by_heartbeat")]
        constraints = [
            not_empty("node"),
            one_of("node", "state", NodeState),
            at_least("node", "memory_bytes", 0),
            at_least("node", "http_slots", 0),
            at_least("node", "browser_slots", 0),
        ]

    def __str__(self) -> str:
        return self.name
