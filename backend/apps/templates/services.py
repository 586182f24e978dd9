"""Writes of templates: a template, its inspectors and its action chain change together or not at all."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.db import transaction
from django.db.models import RestrictedError

from backend.apps.errors import InUse, Invalid
from backend.apps.naming import check_name, copy_name
from backend.apps.ordered_children import matched_children, write_children
from backend.apps.projects.models import Project
from backend.apps.templates.actions import parameters_with_defaults
from backend.apps.templates.models import Action, Inspector, Template
from backend.apps.templates.trying import try_selectors
from backend.apps.templates.validation import check_template

TEMPLATE_FIELDS = ("name", "description", "item_scope", "actions_on", "actions_pattern")
INSPECTOR_FIELDS = (
    *("name", "selector", "fallbacks", "type", "locale", "value", "attribute", "variable", "cleanup"),
    *("required", "multiple", "key"),
)
MAX_FORMER_NAMES = 20
ACTION_FIELDS = ("type", "parameters", "optional", "timeout_seconds")


@transaction.atomic
def save_template(*, values: Mapping[str, Any], project: Project, template: Template | None = None) -> Template:
    """Make a template, or change the given one. Where `inspectors` or `actions` are given, they are the whole list.

    Selectors that may be costly are tried first: one that takes too long on an ordinary page is refused.
    """
    if errors := check_template(values) or try_selectors(values):
        raise Invalid(errors)
    template = template or Template(project=project)
    for field in TEMPLATE_FIELDS:
        if field in values:
            setattr(template, field, values[field])
    check_name(template)
    template.save()
    if "inspectors" in values:
        _write_inspectors(template, values["inspectors"])
    if "actions" in values:
        _write_actions(template, values["actions"])
    return template


def _write_inspectors(template: Template, rows: Sequence[Mapping[str, Any]]) -> None:
    pairs = matched_children(template.inspectors.all(), rows)
    kept = {child.pk for child, _ in pairs if child is not None}
    _delete_inspectors(template, kept)
    _remember_names(pairs)
    write_children(
        pairs, make=Inspector, owner={"template": template}, fields=INSPECTOR_FIELDS, unique=("name", "variable")
    )


def _remember_names(pairs: Sequence[tuple[Inspector | None, Mapping[str, Any]]]) -> None:
    """Documents keep their values under the names of their time. A name that is used again means what it means now."""
    taken = {row.get("name", child.name if child is not None else "") for child, row in pairs}
    for child, _ in pairs:
        if child is not None:
            names = dict.fromkeys((child.name, *child.former_names))
            child.former_names = [name for name in names if name not in taken][:MAX_FORMER_NAMES]


def _delete_inspectors(template: Template, kept: set[int]) -> None:
    try:
        template.inspectors.exclude(pk__in=kept).delete()
    except RestrictedError as error:
        source = next(iter(error.restricted_objects))
        raise InUse(
            f"The inspector “{source.inspector.name}” fills the column “{source.column.name}” of the indexer "
            f"“{source.column.indexer.name}”. Take it out of that column first."
        ) from error


def _write_actions(template: Template, rows: Sequence[Mapping[str, Any]]) -> None:
    template.actions.all().delete()
    complete = [{**row, "parameters": parameters_with_defaults(row["type"], row.get("parameters", {}))} for row in rows]
    write_children([(None, row) for row in complete], make=Action, owner={"template": template}, fields=ACTION_FIELDS)


@transaction.atomic
def duplicate_template(*, template: Template) -> Template:
    names = Template.objects.filter(project=template.project).values_list("name", flat=True)
    values = {field: getattr(template, field) for field in TEMPLATE_FIELDS}
    values["name"] = copy_name(template.name, set(names))
    values["inspectors"] = [
        {field: getattr(row, field) for field in INSPECTOR_FIELDS} for row in template.inspectors.all()
    ]
    values["actions"] = [{field: getattr(row, field) for field in ACTION_FIELDS} for row in template.actions.all()]
    return save_template(values=values, project=template.project)


@transaction.atomic
def delete_template(*, template: Template) -> None:
    crawlers = list(template.crawlers.values_list("name", flat=True)[:3])
    if crawlers:
        raise InUse(
            f"The template is used by the crawler “{crawlers[0]}”. Delete that crawler or give it another first."
        )
    _delete_inspectors(template, set())
    template.delete()
