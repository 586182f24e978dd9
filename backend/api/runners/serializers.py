"""Shapes of runners and their logs."""

from rest_framework import serializers

from backend.apps.runners.models import LogLine, Runner


class RunnerSerializer(serializers.ModelSerializer):
    crawler_name = serializers.CharField(source="crawler.name", read_only=True)
    project = serializers.IntegerField(source="crawler.project_id", read_only=True)
    statistics = serializers.DictField(read_only=True)

    class Meta:
        model = Runner
        fields = [
            *("id", "project", "crawler", "crawler_name", "number", "status", "reason", "started_at", "finished_at"),
            *("statistics", "created_at", "updated_at"),
        ]
        read_only_fields = fields


class LogLineSerializer(serializers.ModelSerializer):
    class Meta:
        model = LogLine
        fields = ["id", "at", "level", "message", "url"]
