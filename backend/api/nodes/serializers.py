"""Shape of nodes."""

from rest_framework import serializers

from backend.apps.nodes.models import Node


class NodeSerializer(serializers.ModelSerializer):
    labels = serializers.ListField(child=serializers.CharField())
    load = serializers.FloatField(required=False, help_text="Load average of the last minute.")
    memory_free_bytes = serializers.IntegerField(required=False)
    disk_free_bytes = serializers.IntegerField(required=False)
    running_workers = serializers.IntegerField(required=False)
    is_draining = serializers.BooleanField(required=False)

    class Meta:
        model = Node
        fields = [
            *("id", "name", "address", "state", "cores", "memory_bytes", "http_slots", "browser_slots", "labels"),
            *("version", "heartbeat_at", "registered_at", "load", "memory_free_bytes", "disk_free_bytes"),
            *("running_workers", "is_draining"),
        ]
