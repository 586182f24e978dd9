"""Shapes of jobs, placements and transitions."""

from rest_framework import serializers

from backend.apps.jobs.models import Job, JobTransition, Placement

FORGOTTEN = "a forgotten node"


class LiveSerializer(serializers.Serializer):
    """What a worker does right now, and how much it has done; absent until its first sign of life."""

    pages = serializers.IntegerField(required=False)
    pages_per_minute = serializers.FloatField(required=False)
    stage = serializers.CharField(required=False)
    lane = serializers.CharField(required=False)
    memory_bytes = serializers.IntegerField(required=False)
    urls = serializers.ListField(child=serializers.CharField(), required=False)


class PlacementSerializer(serializers.ModelSerializer):
    node_name = serializers.CharField(source="node.name", default=FORGOTTEN, read_only=True)
    note = serializers.CharField(required=False, help_text="Why it ended, as a sentence.")
    live = LiveSerializer(source="facts", required=False)

    class Meta:
        model = Placement
        fields = [
            *("id", "node", "node_name", "worker", "state", "placed_at", "heartbeat_at", "ended_at", "note", "live"),
        ]


class TransitionSerializer(serializers.ModelSerializer):
    class Meta:
        model = JobTransition
        fields = ["state", "reason", "at"]


class JobSerializer(serializers.ModelSerializer):
    subject = serializers.SerializerMethodField(help_text="What it is about: “Shop one #3”, or an indexer's name.")
    owner = serializers.CharField(read_only=True, help_text="Who started it; empty where that was no person.")
    project_name = serializers.CharField(source="project.name", read_only=True)
    requested_node_name = serializers.SerializerMethodField()
    placements = PlacementSerializer(many=True, read_only=True)
    transitions = TransitionSerializer(many=True, read_only=True)

    class Meta:
        model = Job
        fields = [
            *("id", "project", "project_name", "owner", "kind", "runner", "indexer", "subject", "state", "reason"),
            *("priority", "requested_workers", "slots_per_worker", "requested_node", "requested_node_name"),
            *("wall_time_seconds", "earliest_start", "started_at", "finished_at", "placements", "transitions"),
            *("needs_browser", "created_at", "updated_at"),
        ]

    def get_subject(self, job: Job) -> str:
        return f"{job.runner.crawler.name} #{job.runner.number}" if job.runner is not None else job.indexer.name

    def get_requested_node_name(self, job: Job) -> str:
        return job.requested_node.name if job.requested_node is not None else ""
