"""The tables of a crawl: its state, its hosts, and every URL it knows; written by `crawl_store`, in batches.

Moments are seconds on the store's clock. Hot columns only: what was fetched is in `documents.Page`.
"""

from django.db import models
from django.db.models import Q

from backend.apps.model_parts import left_to_sweeper
from backend.apps.runners.models.runner import Runner


class UrlState(models.IntegerChoices):
    QUEUED = 0
    LEASED = 1
    DONE = 2
    REDIRECTED = 3
    FAILED = 4
    SKIPPED = 5


class CrawlState(models.Model):
    """One row a runner, locked by every `lease` and `commit`: counts are exact, politeness holds over all workers."""

    runner = models.OneToOneField(Runner, on_delete=models.CASCADE, primary_key=True, related_name="crawl_state")
    wish = models.CharField(max_length=5, default="run")
    fence = models.BigIntegerField(default=0)
    ran_seconds = models.FloatField(default=0.0)
    running_since = models.FloatField(null=True)
    statistics = models.TextField(default="{}")

    class Meta:
        constraints = [models.CheckConstraint(condition=Q(wish__in=["run", "pause", "stop"]), name="crawl_wish_valid")]

    def __str__(self) -> str:
        return f"crawl state of {self.runner_id}"


class CrawlHost(models.Model):
    """One host of a runner: when it may next be asked, what it taught us, and how many of its URLs wait."""

    runner = left_to_sweeper(Runner, related_name="+", db_index=False)
    host = models.CharField(max_length=300)
    queued = models.BigIntegerField(default=0)
    next_slot = models.FloatField(default=0.0)
    crawl_delay_seconds = models.FloatField(default=0.0)
    penalty_seconds = models.FloatField(default=0.0)
    latency_seconds = models.FloatField(default=0.0)
    best_latency_seconds = models.FloatField(default=0.0)
    recent_requests = models.IntegerField(default=0)
    recent_failures = models.IntegerField(default=0)
    pages = models.BigIntegerField(default=0)
    robots_text = models.TextField(null=True)  # NULL: not known or the host could not say
    robots_until = models.FloatField(default=0.0)
    asking_until = models.FloatField(default=0.0)
    owner = models.CharField(max_length=200, blank=True, default="", help_text="The worker that last got its URLs.")
    cookies = models.TextField(blank=True, default="")
    news = models.BigIntegerField(default=0, help_text="Grows when robots or cookies change, so workers are told once.")
    shut = models.CharField(max_length=20, blank=True, default="")

    class Meta:
        constraints = [models.UniqueConstraint(fields=["runner", "host"], name="crawl_host_unique")]
        indexes = [models.Index(fields=["runner", "next_slot"], condition=Q(queued__gt=0), name="crawl_host_ready")]

    def __str__(self) -> str:
        return self.host


class CrawlUrl(models.Model):
    """One URL of a runner's frontier. Its id is its number: among URLs of one rank the older goes first."""

    runner = left_to_sweeper(Runner, related_name="+", db_index=False)
    key = models.BinaryField(max_length=16)
    host = left_to_sweeper(CrawlHost, related_name="+", db_index=False)
    url = models.TextField()
    state = models.SmallIntegerField(choices=UrlState.choices)
    rank = models.FloatField()
    depth = models.IntegerField()
    available_at = models.FloatField(default=0.0)
    attempt = models.IntegerField(default=0)
    broken = models.IntegerField(default=0)
    fence = models.BigIntegerField(default=0)
    worker = models.CharField(max_length=200, blank=True, default="")
    expires_at = models.FloatField(default=0.0)
    refusal = models.CharField(max_length=20, blank=True, default="")
    kind = models.CharField(max_length=10, default="page")
    hops = models.SmallIntegerField(default=0)
    etag = models.TextField(blank=True, default="")
    last_modified = models.TextField(blank=True, default="")
    anchor = models.TextField(blank=True, default="")
    found_on = models.BigIntegerField(null=True, help_text="The frontier row of the page that first led here.")
    found_at = models.FloatField(default=0.0)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["runner", "key"], name="crawl_url_unique"),
            models.CheckConstraint(condition=Q(state__in=UrlState.values), name="crawl_url_state_valid"),
        ]
        indexes = [
            models.Index(fields=["host", "rank", "id"], condition=Q(state=UrlState.QUEUED), name="crawl_url_queue"),
            models.Index(fields=["runner", "expires_at"], condition=Q(state=UrlState.LEASED), name="crawl_url_leased"),
            models.Index(
                fields=["runner", "available_at"],
                condition=Q(state=UrlState.QUEUED, available_at__gt=0),
                name="crawl_url_waiting",
            ),
            models.Index(fields=["runner", "id"], condition=Q(state=UrlState.FAILED), name="crawl_url_failed"),
        ]

    def __str__(self) -> str:
        return self.url


class CrawlPattern(models.Model):
    """How many URLs of one suspicious pattern were queued."""

    runner = left_to_sweeper(Runner, related_name="+", db_index=False)
    pattern = models.BigIntegerField()
    count = models.BigIntegerField(default=0)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["runner", "pattern"], name="crawl_pattern_unique")]

    def __str__(self) -> str:
        return f"{self.pattern}: {self.count}"


class RunnerMinute(models.Model):
    """What a runner did in one minute, for charts."""

    runner = left_to_sweeper(Runner, related_name="minutes", db_index=False)
    minute = models.BigIntegerField(help_text="Minutes since 1970.")
    pages = models.IntegerField(default=0)
    documents = models.IntegerField(default=0)
    failed = models.IntegerField(default=0)
    bytes = models.BigIntegerField(default=0)
    requests = models.IntegerField(default=0)

    class Meta:
        ordering = ["minute"]
        constraints = [models.UniqueConstraint(fields=["runner", "minute"], name="runner_minute_unique")]

    def __str__(self) -> str:
        return f"{self.runner_id} @ {self.minute}"
