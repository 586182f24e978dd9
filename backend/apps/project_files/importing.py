"""From a project file into a project: merge by name, delete nothing, change nothing the second time."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from django.db import transaction
from django.db.models import Manager

from backend.apps.accounts.models import User
from backend.apps.crawlers.describing import describe_crawler
from backend.apps.crawlers.logins import take_out_cookies, take_out_typed
from backend.apps.crawlers.models import Crawler
from backend.apps.crawlers.services import save_crawler, take_out_passwords
from backend.apps.errors import Invalid, UserFault
from backend.apps.indexers.models import Dictionary, Indexer
from backend.apps.indexers.services import save_dictionary, save_indexer
from backend.apps.project_files.describing import (
    Description,
    default_column,
    default_inspector,
    describe_dictionary,
    describe_indexer,
)
from backend.apps.project_files.reading import check_shape
from backend.apps.project_files.secrets import is_stored, needed_secrets
from backend.apps.projects.models import Project
from backend.apps.projects.services import create_project
from backend.apps.templates.actions import PARAMETER_NAMES, parameters_with_defaults
from backend.apps.templates.describing import describe_template
from backend.apps.templates.models import Action, Template
from backend.apps.templates.services import save_template

NOUNS = ("templates", "crawlers", "dictionaries", "indexers")


def _by_noun() -> dict[str, list[str]]:
    return {noun: [] for noun in NOUNS}


@dataclass
class ImportReport:
    """What an import did, by noun and name."""

    project: int
    created: dict[str, list[str]] = field(default_factory=_by_noun)
    updated: dict[str, list[str]] = field(default_factory=_by_noun)
    unchanged: dict[str, list[str]] = field(default_factory=_by_noun)
    missing_secrets: list[str] = field(default_factory=list)

    def as_dict(self) -> dict[str, Any]:
        return dict(vars(self))


@transaction.atomic
def import_project(*, owner: User, file: Any) -> ImportReport:
    """Import into the owner's project of the file's name, which is made when it is not there."""
    check_shape(file)
    project = Project.objects.filter(owner=owner, name=file["name"]).first()
    if project is None:
        project = create_project(owner=owner, name=file["name"], description=file.get("description", ""))
    return import_into_project(project=project, file=file)


@transaction.atomic
def import_into_project(*, project: Project, file: Any) -> ImportReport:
    """All of the file or nothing of it. The project keeps its own name and description."""
    check_shape(file)
    report = ImportReport(project.pk)
    for kind in _kinds(project):
        rows = file.get(kind.noun, ())
        _refuse_doubles(kind.noun, rows)
        for place, row in enumerate(rows):
            _import_row(kind, project, row, path=f"{kind.noun}.{place}", report=report)
    present = set(project.secrets.values_list("name", flat=True))
    report.missing_secrets = [name for name in needed_secrets(file) if name not in present]
    return report


@dataclass(frozen=True)
class _Kind:
    """How one noun is found, described, merged and saved."""

    noun: str
    rows: Manager[Any]
    describe: Callable[[Any], Description]
    merge: Callable[[Description | None, Description], Description]
    save: Callable[[Project, Description, Any], Any]


def _kinds(project: Project) -> list[_Kind]:
    """In the order of need: crawlers name templates, indexers name inspectors, crawlers and dictionaries."""
    return [
        _Kind("templates", project.templates, describe_template, _merge_template, _save_template),
        _Kind("crawlers", project.crawlers, describe_crawler, partial(_merge_crawler, project), _save_crawler),
        _Kind("dictionaries", project.dictionaries, describe_dictionary, _merge, _save_dictionary),
        _Kind("indexers", project.indexers, describe_indexer, _merge_indexer, _save_indexer),
    ]


def _import_row(kind: _Kind, project: Project, row: Description, *, path: str, report: ImportReport) -> None:
    existing = kind.rows.filter(name=row["name"]).first()
    current = kind.describe(existing) if existing is not None else None
    merged = kind.merge(current, row)
    if current == merged:
        report.unchanged[kind.noun].append(row["name"])
        return
    try:
        kind.save(project, merged, existing)
    except Invalid as error:
        raise Invalid({f"{path}.{inner}".rstrip("."): told for inner, told in error.fields.items()}) from error
    except UserFault as error:
        raise Invalid({path: [error.message]}) from error
    (report.created if existing is None else report.updated)[kind.noun].append(row["name"])


def _refuse_doubles(noun: str, rows: Sequence[Description]) -> None:
    seen: set[str] = set()
    for place, row in enumerate(rows):
        if row["name"] in seen:
            raise Invalid({f"{noun}.{place}.name": [f"“{row['name']}” stands twice in this file. Rename one of them."]})
        seen.add(row["name"])


def _merge(current: Description | None, row: Description) -> Description:
    return {**(current or {}), **row}


def _merge_parts(
    current: Sequence[Description], rows: Sequence[Description], default: Description
) -> list[Description]:
    """The file's parts first, in its order, each over what is stored under its name; what is not in the file stays."""
    stored = {part["name"]: part for part in current}
    merged = [{**stored.get(row["name"], default), **row} for row in rows]
    named = {row["name"] for row in rows}
    return [*merged, *(part for name, part in stored.items() if name not in named)]


def _merge_template(current: Description | None, row: Description) -> Description:
    merged = _merge(current, row)
    if "inspectors" in row:
        stored = current["inspectors"] if current else []
        merged["inspectors"] = _merge_parts(stored, row["inspectors"], default_inspector())
        for inspector in merged["inspectors"]:
            inspector["cleanup"] = [{"replacement": "", **step} for step in inspector["cleanup"]]
    if "actions" in row:
        merged["actions"] = [_complete_action(action) for action in row["actions"]]
    return merged


def _merge_indexer(current: Description | None, row: Description) -> Description:
    merged = _merge(current, row)
    if "columns" in row:
        merged["columns"] = _merge_parts(current["columns"] if current else [], row["columns"], default_column())
    if "crawlers" in row:
        merged["crawlers"] = sorted(set(row["crawlers"]))
    return merged


def _merge_crawler(project: Project, current: Description | None, row: Description) -> Description:
    """Equal to what is stored when the file only says in plain text what is kept as secrets."""
    merged = _merge(current, row)
    if current is None:
        return merged
    take_out: dict[str, Callable[[], tuple[Any, dict[str, str]]]] = {
        "proxies": lambda: take_out_passwords(row["proxies"]),
        "login": lambda: take_out_typed({"actions": [], **row["login"]}, of=row["name"]),
        "cookies": lambda: take_out_cookies(row["cookies"], of=row["name"]),
    }
    for name, taken_out in take_out.items():
        if name in row and is_stored(*taken_out(), stored=current[name], project=project):
            merged[name] = current[name]
    return merged


def _complete_action(action: Description) -> Description:
    """The action with every key, as `describe_action` writes it."""
    default = Action()
    parameters = parameters_with_defaults(action["type"], action)
    rest = {"optional": default.optional, "timeout_seconds": default.timeout_seconds}
    return {"type": action["type"], **parameters, **{name: action.get(name, value) for name, value in rest.items()}}


def _save_template(project: Project, values: Description, template: Template | None) -> None:
    if "actions" in values:
        values = {**values, "actions": [_split_action(action) for action in values["actions"]]}
    save_template(values=values, project=project, template=template)


def _split_action(action: Description) -> Description:
    """The action as the service takes it: parameters apart."""
    parameters = {name: value for name, value in action.items() if name in PARAMETER_NAMES}
    return {**{name: value for name, value in action.items() if name not in PARAMETER_NAMES}, "parameters": parameters}


def _save_crawler(project: Project, values: Description, crawler: Crawler | None) -> None:
    template = _named(project.templates, values["template"], field_name="template", noun="template")
    save_crawler(values={**values, "template": template}, project=project, crawler=crawler)


def _save_dictionary(project: Project, values: Description, dictionary: Dictionary | None) -> None:
    if "entries" in values:
        values = {**values, "entries": "\n".join(values["entries"])}
    save_dictionary(values=values, project=project, dictionary=dictionary)


def _save_indexer(project: Project, values: Description, indexer: Indexer | None) -> None:
    if values.get("dictionary") is not None:
        found = _named(project.dictionaries, values["dictionary"], field_name="dictionary", noun="dictionary")
        values = {**values, "dictionary": found}
    if "crawlers" in values:
        values = {**values, "crawlers": [_crawler_id(project, *row) for row in enumerate(values["crawlers"])]}
    save_indexer(values=values, project=project, indexer=indexer)


def _crawler_id(project: Project, place: int, name: str) -> int:
    found: Crawler = _named(project.crawlers, name, field_name=f"crawlers.{place}", noun="crawler")
    return found.pk


def _named(rows: Manager[Any], name: str, *, field_name: str, noun: str) -> Any:
    found = rows.filter(name=name).first()
    if found is None:
        known = ", ".join(f"“{known}”" for known in rows.values_list("name", flat=True)[:20]) or "none"
        raise Invalid({field_name: [f"There is no {noun} “{name}” in the file or the project. Known: {known}."]})
    return found
