"""Shape of crawlers."""

from typing import Any

from rest_framework import serializers

from backend.api.strict_fields import StrictFieldsMixin
from backend.apps.crawlers.models import MAX_KEEP_PAGES_MB, MAX_THREADS, MAX_WORKERS, Crawler
from backend.apps.crawlers.services import CRAWLER_FIELDS
from backend.apps.templates.models import Template

MAX_LIMIT = 10**12


def texts(max_length: int = 5_000) -> serializers.ListField:
    return serializers.ListField(child=serializers.CharField(max_length=max_length, allow_blank=True), required=False)


class CrawlerSerializer(StrictFieldsMixin, serializers.ModelSerializer):
    template = serializers.PrimaryKeyRelatedField(queryset=Template.objects.all())
    template_name = serializers.CharField(source="template.name", read_only=True)
    runner_count = serializers.IntegerField(read_only=True)
    seeds = serializers.ListField(child=serializers.CharField(max_length=5_000, allow_blank=True))
    links_scope = texts()
    allow = texts()
    exclude = texts()
    proxies = texts()
    headers = serializers.DictField(child=serializers.CharField(max_length=4_000, allow_blank=True), required=False)

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
