"""Shapes of projects, members and secrets."""

from rest_framework import serializers

from backend.api.strict_fields import StrictFieldsMixin
from backend.apps.projects.models import Membership, Project, Role, Secret


class CountsSerializer(serializers.Serializer):
    templates = serializers.IntegerField()
    crawlers = serializers.IntegerField()
    runners = serializers.IntegerField()
    documents = serializers.IntegerField()
    indexers = serializers.IntegerField()
    dictionaries = serializers.IntegerField()


class ProjectSerializer(StrictFieldsMixin, serializers.ModelSerializer):
    role = serializers.ChoiceField(choices=Role.choices, read_only=True, help_text="The caller's role.")
    counts = CountsSerializer(read_only=True)

    class Meta:
        model = Project
        fields = ["id", "name", "description", "role", "counts", "created_at", "updated_at"]


class MembershipSerializer(StrictFieldsMixin, serializers.ModelSerializer):
    username = serializers.CharField(source="user.username", max_length=150)

    class Meta:
        model = Membership
        fields = ["id", "username", "role"]


class RoleSerializer(StrictFieldsMixin, serializers.ModelSerializer):
    class Meta:
        model = Membership
        fields = ["role"]
        extra_kwargs = {"role": {"required": True}}


class SecretSerializer(StrictFieldsMixin, serializers.ModelSerializer):
    """The value goes in and never comes out."""

    value = serializers.CharField(write_only=True, max_length=5_000, trim_whitespace=False)

    class Meta:
        model = Secret
        fields = ["id", "name", "value", "updated_at"]


class SecretValueSerializer(StrictFieldsMixin, serializers.Serializer):
    value = serializers.CharField(write_only=True, max_length=5_000, trim_whitespace=False)


class NamesByNounSerializer(serializers.Serializer):
    templates = serializers.ListField(child=serializers.CharField())
    crawlers = serializers.ListField(child=serializers.CharField())
    dictionaries = serializers.ListField(child=serializers.CharField())
    indexers = serializers.ListField(child=serializers.CharField())


class ImportReportSerializer(serializers.Serializer):
    project = serializers.IntegerField()
    created = NamesByNounSerializer()
    updated = NamesByNounSerializer()
    unchanged = NamesByNounSerializer()
    missing_secrets = serializers.ListField(child=serializers.CharField())


class KindOfRowsSerializer(serializers.Serializer):
    kind = serializers.ChoiceField(choices=["documents", "versions", "pages", "page_contents", "frontier", "log"])
    rows = serializers.IntegerField()
    bytes = serializers.IntegerField(help_text="About what they take.")
    is_estimate = serializers.BooleanField(help_text="Whether there are so many rows that they were not counted.")


class StorageSerializer(serializers.Serializer):
    kinds = KindOfRowsSerializer(many=True)
    rows = serializers.IntegerField()
    bytes = serializers.IntegerField()
