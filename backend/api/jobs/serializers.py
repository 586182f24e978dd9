"""Shapes of jobs, placements and transitions."""

from rest_framework import serializers

from backend.apps.jobs.models import Job, JobTransition, Placement


class PlacementSerializer(serializers.ModelSerializer):
    node_name = serializers.CharField(source="node.name", read_only=True)

    class Meta:
        model = Placement
        fields = ["id", "node", "node_name", "worker", "state", "placed_at", "heartbeat_at", "ended_at"]


class TransitionSerializer(serializers.ModelSerializer):
    class Meta:
        model = JobTransition
        fields = ["state", "reason", "at"]


class JobSerializer(serializers.ModelSerializer):
    placements = PlacementSerializer(many=True, read_only=True)
    transitions = TransitionSerializer(many=True, read_only=True)

    class Meta:
        model = Job
        fields = [
            *("id", "project", "kind", "runner", "indexer", "state", "reason", "priority", "requested_workers"),
            *("requested_node", "needs_browser", "wall_time_seconds", "earliest_start", "started_at", "finished_at"),
            *("placements", "transitions", "created_at", "updated_at"),
        ]
