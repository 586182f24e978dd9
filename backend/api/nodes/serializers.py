"""Shapes of nodes and invitations."""

from rest_framework import serializers

from backend.api.strict_fields import StrictFieldsMixin
from backend.apps.nodes.models import Node
from backend.apps.nodes.reasons import reason_of


class NodeSerializer(serializers.ModelSerializer):
    labels = serializers.ListField(child=serializers.CharField())
    load = serializers.FloatField(required=False, help_text="Load average of the last minute.")
    memory_free_bytes = serializers.IntegerField(required=False)
    disk_free_bytes = serializers.IntegerField(required=False)
    running_workers = serializers.IntegerField(required=False)
    is_draining = serializers.BooleanField(required=False)
    reason = serializers.SerializerMethodField(
        help_text="What its state means and what to do about it, as a sentence; empty where the state says it all."
    )
    is_invited = serializers.SerializerMethodField(
        help_text="Whether its invitation is valid; the head node's own machine has none."
    )

    class Meta:
        model = Node
        fields = [
            *("id", "name", "address", "state", "cores", "memory_bytes", "http_slots", "browser_slots", "labels"),
            *("version", "heartbeat_at", "registered_at", "load", "memory_free_bytes", "disk_free_bytes"),
            *("running_workers", "is_draining", "is_invited", "reason"),
        ]

    def get_reason(self, node: Node) -> str:
        return reason_of(node)

    def get_is_invited(self, node: Node) -> bool:
        return bool(node.token_hash)


class NewInvitationSerializer(StrictFieldsMixin, serializers.Serializer):
    name = serializers.CharField(max_length=63)
    host = serializers.CharField(
        max_length=260,
        required=False,
        allow_blank=True,
        default="",
        help_text="The address under which the new machine reaches PostgreSQL and Redis, where ours is not.",
    )


class InvitationSerializer(serializers.Serializer):
    """Secret, and told this once."""

    name = serializers.CharField()
    command = serializers.CharField(help_text="To be pasted on the new machine, in a clone of Gleaner.")
    is_local_only = serializers.BooleanField(
        help_text="PostgreSQL or Redis is reached on this machine only: let them listen elsewhere and give a host."
    )
