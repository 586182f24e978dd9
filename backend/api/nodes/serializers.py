"""Shape of nodes."""

from rest_framework import serializers

from backend.apps.nodes.models import Node


class NodeSerializer(serializers.ModelSerializer):
    labels = serializers.ListField(child=serializers.CharField())

    class Meta:
        model = Node
        fields = [
            *("id", "name", "address", "state", "cores", "memory_bytes", "http_slots", "browser_slots", "labels"),
            *("version", "heartbeat_at", "registered_at"),
        ]
