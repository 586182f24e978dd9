"""Shape of crawlers."""

from typing import Any

from rest_framework import serializers

from backend.api.strict_fields import StrictFieldsMixin
from backend.apps.crawlers.models import (
    MAX_KEEP_PAGES_MB,
    MAX_PAGE_MB,
    MAX_PAGE_SECONDS,
    MAX_THREADS,
    MAX_WORKERS,
    Crawler,
)
from backend.apps.crawlers.services import CRAWLER_FIELDS
from backend.apps.templates.models import Template

MAX_LIMIT = 10**12


def texts(max_length: int = 5_000) -> serializers.ListField:
    return serializers.ListField(child=serializers.CharField(max_length=max_length, allow_blank=True), required=False)


def limit(most: int = MAX_LIMIT) -> serializers.IntegerField:
    return serializers.IntegerField(min_value=1, max_value=most, allow_null=True, default=None)


class AddressesSerializer(StrictFieldsMixin, serializers.Serializer):
    """What counts as the same address."""

    drop_tracking = serializers.BooleanField(default=True)
    drop_session_ids = serializers.BooleanField(default=True)
    sort_parameters = serializers.BooleanField(default=True)
    drop_index_names = serializers.BooleanField(default=True)
    drop_empty_parameters = serializers.BooleanField(default=False)
    keep_fragment = serializers.BooleanField(default=False)
    keep_query = serializers.BooleanField(default=True)
    ignored_parameters = serializers.ListField(child=serializers.CharField(max_length=200), default=list)
    ignore_scheme = serializers.BooleanField(default=False)
    ignore_www = serializers.BooleanField(default=False)


class LimitsSerializer(StrictFieldsMixin, serializers.Serializer):
    """When a run is not worth going on with, and what a host, a kind of address or a page may cost; null: no limit."""

    pages_without_new_document = limit()
    pages_only_duplicate = limit()
    error_rate = serializers.FloatField(min_value=0.001, max_value=1, allow_null=True, default=None)
    error_rate_after = serializers.IntegerField(min_value=1, max_value=MAX_LIMIT, default=100)
    pages_per_host = limit()
    pages_per_pattern = limit()
    requests_per_host = limit(MAX_THREADS)
    page_seconds = serializers.FloatField(min_value=1, max_value=MAX_PAGE_SECONDS, default=30)
    page_mb = serializers.FloatField(min_value=0.01, max_value=MAX_PAGE_MB, default=10)


class BrowserLoginSerializer(StrictFieldsMixin, serializers.Serializer):
    """How a browser signs in. Texts that are typed are kept as secrets and come back as their names."""

    url = serializers.CharField(max_length=5_000, allow_blank=True, default="")
    actions = serializers.ListField(child=serializers.DictField(), default=list, max_length=100)
    logged_out = serializers.CharField(max_length=5_000, allow_blank=True, default="")


class CookieSerializer(StrictFieldsMixin, serializers.Serializer):
    """A cookie of a person's browser. Its value is kept as a secret and comes back as its name."""

    name = serializers.CharField(max_length=200)
    value = serializers.CharField(max_length=5_000, allow_blank=True)
    domain = serializers.CharField(max_length=255)
    path = serializers.CharField(max_length=1_000, default="/")
    secure = serializers.BooleanField(default=False)
    expires = serializers.IntegerField(
        default=None, allow_null=True, min_value=0, help_text="Seconds since 1970; null: it lasts as long as a run."
    )


class CrawlerSerializer(StrictFieldsMixin, serializers.ModelSerializer):
    template = serializers.PrimaryKeyRelatedField(queryset=Template.objects.all())
    template_name = serializers.CharField(source="template.name", read_only=True)
    runner_count = serializers.IntegerField(read_only=True)
    seeds = serializers.ListField(child=serializers.CharField(max_length=5_000, allow_blank=True))
    links_scope = texts()
    allow = texts()
    exclude = texts()
    prefer = texts()
    proxies = texts()
    headers = serializers.DictField(child=serializers.CharField(max_length=4_000, allow_blank=True), required=False)
    addresses = AddressesSerializer(required=False)
    limits = LimitsSerializer(required=False)
    login = BrowserLoginSerializer(required=False)
    cookies = CookieSerializer(many=True, required=False)

    class Meta:
        model = Crawler
        fields = ["id", "project", *CRAWLER_FIELDS, "template_name", "runner_count", "created_at", "updated_at"]
        validators: list[Any] = []
        extra_kwargs = {
            "max_pages": {"min_value": 1, "max_value": MAX_LIMIT},
            "max_documents": {"min_value": 1, "max_value": MAX_LIMIT},
            "max_depth": {"min_value": 0, "max_value": 10_000},
            "workers": {"min_value": 1, "max_value": MAX_WORKERS},
            "threads": {"min_value": 1, "max_value": MAX_THREADS},
            "sleep_ms": {"min_value": 0, "max_value": 24 * 3_600_000},
            "retry": {"min_value": 0, "max_value": 20},
            "keep_pages_mb": {"min_value": 1, "max_value": MAX_KEEP_PAGES_MB},
            "timeout_minutes": {"min_value": 0.01, "max_value": 525_600},
        }

    def get_fields(self) -> dict[str, serializers.Field]:
        fields = super().get_fields()
        if (project := self.context.get("project")) is not None:
            fields["template"].queryset = Template.objects.filter(project=project)
        return fields
