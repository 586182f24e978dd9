"""A template as the project file and a runner's specification write it: every key."""

from typing import Any

from backend.apps.templates.models import Action, Inspector, Template
from backend.apps.templates.services import INSPECTOR_FIELDS, TEMPLATE_FIELDS

Description = dict[str, Any]


def describe_template(template: Template) -> Description:
    own = {field: getattr(template, field) for field in TEMPLATE_FIELDS}
    inspectors = [describe_inspector(inspector) for inspector in template.inspectors.all()]
    return {**own, "inspectors": inspectors, "actions": [describe_action(action) for action in template.actions.all()]}


def describe_inspector(inspector: Inspector) -> Description:
    return {field: getattr(inspector, field) for field in INSPECTOR_FIELDS}


def describe_action(action: Action) -> Description:
    own = {"type": action.type, **action.parameters}
    return {**own, "optional": action.optional, "timeout_seconds": action.timeout_seconds}
