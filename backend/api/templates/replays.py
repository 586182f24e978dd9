"""Shapes of a replay: a template's action chain on one page, step by step."""

import base64
from typing import Any

from rest_framework import serializers

from backend.api.strict_fields import StrictFieldsMixin
from backend.api.templates.previews import PreviewSerializer
from backend.api.templates.serializers import ActionSerializer
from backend.apps.templates.replaying import ReplayedTemplate
from crawler_node.browser.replay import ReplayedStep, StepOutcome


class ReplayRequestSerializer(StrictFieldsMixin, serializers.Serializer):
    """Where to replay the chain, and whether as it is being edited or as a crawler would run it."""

    url = serializers.CharField(max_length=5_000)
    actions = ActionSerializer(
        many=True,
        required=False,
        max_length=100,
        help_text="The chain as it is being edited, instead of the stored one.",
    )
    crawler = serializers.IntegerField(
        required=False,
        allow_null=True,
        default=None,
        help_text="Lends its login, cookies, headers, proxies and user agent.",
    )


class ReplayStepSerializer(serializers.Serializer):
    place = serializers.IntegerField(help_text="0 is the opening of the page, 1 the first action.")
    type = serializers.CharField(help_text="`open`, or the type of the action.")
    sentence = serializers.CharField(help_text="What was done, or why not; never what was typed.")
    outcome = serializers.ChoiceField(
        choices=[str(outcome) for outcome in StepOutcome], help_text="Skipped: the chain had ended before."
    )
    optional = serializers.BooleanField(help_text="Whether the chain goes on when it fails.")
    milliseconds = serializers.FloatField()
    picture = serializers.CharField(
        allow_blank=True, help_text="The page afterwards as a `data:image/jpeg` address; empty where there is none."
    )

    def to_representation(self, step: ReplayedStep) -> dict[str, Any]:
        return {
            "place": step.place,
            "type": step.type,
            "sentence": step.sentence,
            "outcome": str(step.outcome),
            "optional": step.is_optional,
            "milliseconds": round(step.seconds * 1000, 3),
            "picture": picture_address(step.picture),
        }


class ReplaySerializer(serializers.Serializer):
    """The steps, and what the template makes of the page after them. `failure` says why there is no page."""

    failure = serializers.CharField(allow_blank=True)
    milliseconds = serializers.FloatField(help_text="All of it, with the start of the browser.")
    steps = ReplayStepSerializer(many=True)
    preview = PreviewSerializer(allow_null=True)

    def to_representation(self, found: ReplayedTemplate) -> dict[str, Any]:
        return {
            "failure": found.replay.failure,
            "milliseconds": round(found.replay.seconds * 1000, 3),
            "steps": ReplayStepSerializer(found.replay.steps, many=True).data,
            "preview": None if found.preview is None else PreviewSerializer(found.preview).data,
        }


def picture_address(picture: bytes) -> str:
    return f"data:image/jpeg;base64,{base64.b64encode(picture).decode()}" if picture else ""
