"""Shapes of templates, inspectors and actions."""

from typing import Any

from rest_framework import serializers

from backend.api.strict_fields import StrictFieldsMixin
from backend.apps.templates.actions import PARAMETER_NAMES
from backend.apps.templates.models import Action, ActionType, Inspector, Template


class CleanupSerializer(StrictFieldsMixin, serializers.Serializer):
    pattern = serializers.CharField(max_length=2_000, trim_whitespace=False)
    replacement = serializers.CharField(
        max_length=2_000, trim_whitespace=False, allow_blank=True, required=False, default=""
    )


class InspectorSerializer(StrictFieldsMixin, serializers.ModelSerializer):
    id = serializers.IntegerField(required=False, help_text="Keeps the inspector when it is renamed.")
    fallbacks = serializers.ListField(child=serializers.CharField(max_length=5_000), required=False, max_length=20)
    cleanup = CleanupSerializer(many=True, required=False, max_length=50)

    class Meta:
        model = Inspector
        fields = [
            *("id", "name", "selector", "fallbacks", "type", "locale", "value", "attribute", "variable", "cleanup"),
            *("required", "multiple", "key"),
        ]
        extra_kwargs = {"selector": {"max_length": 5_000}, "value": {"trim_whitespace": False, "max_length": 10_000}}


class ActionSerializer(StrictFieldsMixin, serializers.ModelSerializer):
    """A step, its parameters beside its type: `{"type": "wait", "seconds": 2}`."""

    type = serializers.ChoiceField(choices=ActionType.choices)
    selector = serializers.CharField(required=False, allow_blank=True, max_length=5_000)
    text = serializers.CharField(required=False, allow_blank=True, max_length=5_000, trim_whitespace=False)
    submit = serializers.BooleanField(required=False)
    key = serializers.CharField(required=False, max_length=20, trim_whitespace=False)
    option = serializers.CharField(required=False, max_length=5_000)
    seconds = serializers.FloatField(required=False)
    times = serializers.IntegerField(required=False)
    max_times = serializers.IntegerField(required=False)
    direction = serializers.ChoiceField(choices=["down", "up"], required=False)
    timeout_seconds = serializers.FloatField(required=False, min_value=0, max_value=3_600)

    class Meta:
        model = Action
        fields = ["id", "type", *PARAMETER_NAMES, "optional", "timeout_seconds"]

    def to_representation(self, action: Action) -> dict[str, Any]:
        own = {"id": action.pk, "type": action.type}
        return {**own, **action.parameters, "optional": action.optional, "timeout_seconds": action.timeout_seconds}

    def validate(self, values: dict[str, Any]) -> dict[str, Any]:
        parameters = {name: values.pop(name) for name in PARAMETER_NAMES if name in values}
        return {**values, "parameters": parameters}


class TemplateSerializer(StrictFieldsMixin, serializers.ModelSerializer):
    inspectors = InspectorSerializer(many=True, required=False)
    actions = ActionSerializer(many=True, required=False)

    class Meta:
        model = Template
        fields = [
            *("id", "project", "name", "description", "item_scope", "inspectors", "actions", "actions_on"),
            "actions_pattern",
            *("created_at", "updated_at"),
        ]
        validators: list[Any] = []  # the service says in a sentence when a name is taken
        extra_kwargs = {"item_scope": {"max_length": 5_000}}
