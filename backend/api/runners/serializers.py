"""Shapes of runners and their logs."""

from dataclasses import fields
from typing import Any

from rest_framework import serializers

from backend.api.strict_fields import StrictFieldsMixin
from backend.apps.crawlers.models import MAX_WORKERS, Crawler
from backend.apps.jobs.selectors import cooperation_of
from backend.apps.jobs.services import MAX_PRIORITY, MAX_WALL_TIME_SECONDS, Terms
from backend.apps.nodes.models import Node
from backend.apps.runners.models import LogLine, Runner, RunnerMinute
from backend.apps.runners.selectors import statistics_of


class CooperationSerializer(serializers.Serializer):
    """How well the workers of a run worked together."""

    workers = serializers.IntegerField(help_text="Those that began.")
    overlap = serializers.FloatField(help_text="Pages fetched in vain for each page kept; 0 is wanted.")
    coverage = serializers.FloatField(help_text="Share of the known pages that were fetched.")
    quality = serializers.FloatField(help_text="Share of the fetched pages that gave documents.")
    balance = serializers.FloatField(help_text="An average worker's pages for each of the busiest one's; 1 is even.")
    speedup = serializers.FloatField(help_text="Pages for each page of the busiest worker; all the workers are ideal.")
    round_trips_per_page = serializers.FloatField(help_text="Questions to the database for each page.")
    frontier_queries_per_page = serializers.FloatField(help_text="Those of them that coordinate the workers.")


class StatisticsSerializer(serializers.Serializer):
    """What a run did so far: exact at every moment."""

    pages = serializers.IntegerField()
    documents = serializers.IntegerField()
    new_documents = serializers.IntegerField()
    changed_documents = serializers.IntegerField()
    duplicate_documents = serializers.IntegerField()
    missing_fields = serializers.IntegerField()
    missing = serializers.DictField(child=serializers.IntegerField(), help_text="Misses of required fields, by field.")
    fallbacks = serializers.DictField(
        child=serializers.IntegerField(), help_text="Values that only a fallback selector found, by field."
    )
    documents_per_page = serializers.FloatField()
    failed = serializers.IntegerField()
    retries = serializers.IntegerField()
    redirects = serializers.IntegerField()
    unchanged_pages = serializers.IntegerField()
    duplicate_pages = serializers.IntegerField()
    fruitful_pages = serializers.IntegerField(help_text="Those that gave at least one document.")
    requests = serializers.IntegerField()
    queued = serializers.IntegerField()
    leased = serializers.IntegerField()
    skipped = serializers.IntegerField()
    sitemaps = serializers.IntegerField()
    links_collected = serializers.IntegerField()
    links_visited = serializers.IntegerField()
    links_refused = serializers.DictField(
        child=serializers.IntegerField(), help_text="Links not followed, by reason; `duplicate` are the links_visited."
    )
    urls_refused = serializers.DictField(child=serializers.IntegerField())
    http_codes = serializers.DictField(child=serializers.IntegerField())
    lanes = serializers.DictField(child=serializers.IntegerField(), help_text="Pages by the lane they came through.")
    failures = serializers.DictField(child=serializers.IntegerField())
    bytes = serializers.IntegerField()
    average_load_ms = serializers.FloatField()
    average_processing_ms = serializers.FloatField(help_text="Of pages that were read: unchanged ones are not.")
    average_page_bytes = serializers.FloatField(help_text="Of pages that were sent: unchanged ones are not.")
    progress = serializers.FloatField(help_text="Share of the known pages that is done, 0 to 1.")
    cooperation = CooperationSerializer(required=False, help_text="Told for one run, not in lists.")


class RunnerSerializer(serializers.ModelSerializer):
    crawler_name = serializers.CharField(source="crawler.name", read_only=True)
    project = serializers.IntegerField(source="crawler.project_id", read_only=True)
    statistics = serializers.SerializerMethodField()

    class Meta:
        model = Runner
        fields = [
            *("id", "project", "crawler", "crawler_name", "number", "status", "reason", "started_at", "finished_at"),
            *("statistics", "created_at", "updated_at"),
        ]
        read_only_fields = fields

    def get_statistics(self, runner: Runner) -> StatisticsSerializer:
        found: Any = statistics_of(runner)
        return {**found, "cooperation": cooperation_of(runner, found)} if self.parent is None else found


class NewRunnerSerializer(StrictFieldsMixin, serializers.Serializer):
    crawler = serializers.PrimaryKeyRelatedField(queryset=Crawler.objects.all())
    workers = serializers.IntegerField(required=False, min_value=1, max_value=MAX_WORKERS)
    priority = serializers.IntegerField(
        required=False, min_value=-MAX_PRIORITY, max_value=MAX_PRIORITY, help_text="Higher goes first."
    )
    node = serializers.PrimaryKeyRelatedField(
        queryset=Node.objects.all(), required=False, allow_null=True, help_text="Only there; null: where there is room."
    )
    slots_per_worker = serializers.IntegerField(
        required=False, min_value=1, max_value=MAX_WORKERS, help_text="Slots of a node that each of its workers takes."
    )
    wall_time_seconds = serializers.IntegerField(
        required=False,
        allow_null=True,
        min_value=1,
        max_value=MAX_WALL_TIME_SECONDS,
        help_text="How long it may run; pauses do not count.",
    )
    earliest_start = serializers.DateTimeField(required=False, allow_null=True, help_text="Not before that moment.")
    hold = serializers.BooleanField(required=False, help_text="It waits until somebody releases it.")

    def terms(self) -> Terms:
        """What was said about how it shall run; the rest as ever."""
        given = {**self.validated_data, "is_held": self.validated_data.get("hold", False)}
        return Terms(**{each.name: given[each.name] for each in fields(Terms) if each.name in given})


class RetriedSerializer(serializers.Serializer):
    pages = serializers.IntegerField(help_text="How many failed pages are tried again.")


class LogLineSerializer(serializers.ModelSerializer):
    class Meta:
        model = LogLine
        fields = ["id", "at", "level", "message", "url"]


class MinuteSerializer(serializers.ModelSerializer):
    class Meta:
        model = RunnerMinute
        fields = ["minute", "pages", "documents", "failed", "bytes", "requests"]
