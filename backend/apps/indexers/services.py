"""Writes of indexers and dictionaries."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.db import transaction

from backend.apps.errors import Conflict, InUse, Invalid
from backend.apps.indexers.crawler_choice import find_crawlers, idle_sentences
from backend.apps.indexers.dictionary_entries import count_entries
from backend.apps.indexers.models import ColumnSource, Dictionary, IndexColumn, Indexer
from backend.apps.indexers.serving import schema_of
from backend.apps.indexers.validation import check_dictionary, check_indexer
from backend.apps.naming import check_name, copy_name
from backend.apps.ordered_children import matched_children, write_children
from backend.apps.projects.models import Project
from backend.apps.templates.models import Inspector
from backend.search_engine.errors import SchemaError

INDEXER_FIELDS = (
    *("name", "description", "k", "b", "idf", "small_words", "stop_words", "word_weights", "formula", "weights"),
    *("dictionary", "synonyms", "q", "language", "language_stop_words", "joining", "page_text", "hits"),
    *("safe_search", "hide_duplicates", "live", "max_loss_percent", "public", "public_per_minute", "public_origins"),
)
COLUMN_FIELDS = ("name", "variable", "boost", "language", "searchable", "reduction", "facet")
DICTIONARY_FIELDS = ("name", "description", "entries")


@transaction.atomic
def save_indexer(*, values: Mapping[str, Any], project: Project, indexer: Indexer | None = None) -> Indexer:
    """Make an indexer, or change the given one. `columns` and `crawlers` (ids) are the whole list where given.

    What an index job or another person wrote meanwhile stays as it is.
    """
    if indexer is not None:
        _lock(indexer)
    if errors := check_indexer(_with_stored(values, indexer)):
        raise Invalid(errors)
    dictionary = values.get("dictionary")
    if dictionary is not None and dictionary.project_id != project.pk:
        raise Invalid({"dictionary": ["This project has no such dictionary."]})
    indexer = indexer or Indexer(project=project)
    given = _set_given(indexer, INDEXER_FIELDS, values)
    check_name(indexer)
    indexer.save(update_fields=[*given, "updated_at"] if indexer.pk else None)
    if "columns" in values:
        _write_columns(indexer, values["columns"])
    if "crawlers" in values:
        indexer.crawlers.set(find_crawlers(project, values["crawlers"]))
    _check_schema(indexer)
    _check_crawlers(indexer)
    return indexer


def _lock(indexer: Indexer) -> None:
    """Nobody else changes it before the transaction ends, and what was changed since it was read counts."""
    if Indexer.objects.select_for_update().filter(pk=indexer.pk).first() is None:
        raise Conflict(f"The indexer “{indexer.name}” was deleted meanwhile. Load the page again.")
    indexer.refresh_from_db()


def _set_given(noun: Indexer | Dictionary, fields: Sequence[str], values: Mapping[str, Any]) -> list[str]:
    """The fields that were given."""
    given = [field for field in fields if field in values]
    for field in given:
        setattr(noun, field, values[field])
    return given


def _check_schema(indexer: Indexer) -> None:
    """Two columns may claim one field: a variable that is another column's name, a currency beside a price."""
    try:
        schema_of(indexer)
    except SchemaError as error:
        raise Invalid({"columns": [str(error)]}) from error


def _check_crawlers(indexer: Indexer) -> None:
    if sentences := idle_sentences(indexer):
        raise Invalid({"crawlers": sentences})


def _with_stored(values: Mapping[str, Any], indexer: Indexer | None) -> Mapping[str, Any]:
    """Formula, weights, columns and hits are checked against one another: a change of one brings the others along."""
    if indexer is None:
        return {"columns": (), **values}
    stored: dict[str, Any] = {name: getattr(indexer, name) for name in ("formula", "language", "weights", "hits")}
    if "columns" not in values:
        stored["columns"] = [describe_column(column) for column in indexer.columns.all()]
    return {**stored, **values}


def describe_column(column: IndexColumn) -> dict[str, Any]:
    """The column as values that `save_indexer` takes."""
    described: dict[str, Any] = {field: getattr(column, field) for field in COLUMN_FIELDS}
    sources = column.sources.select_related("inspector__template")
    return {**described, "sources": [str(source) for source in sources]}


def _write_columns(indexer: Indexer, rows: Sequence[Mapping[str, Any]]) -> None:
    inspectors = _find_inspectors(indexer.project, rows)
    pairs = matched_children(indexer.columns.all(), rows)
    kept = {child.pk for child, _ in pairs if child is not None}
    indexer.columns.exclude(pk__in=kept).delete()
    columns = write_children(
        pairs, make=IndexColumn, owner={"indexer": indexer}, fields=COLUMN_FIELDS, unique=("name", "variable")
    )
    ColumnSource.objects.filter(column__in=columns).delete()
    ColumnSource.objects.bulk_create(
        ColumnSource(column=column, inspector=inspectors[source], position=position)
        for column, row in zip(columns, rows, strict=True)
        for position, source in enumerate(dict.fromkeys(row["sources"]))
    )


def _find_inspectors(project: Project, rows: Sequence[Mapping[str, Any]]) -> dict[str, Inspector]:
    found = {
        f"{inspector.template.name}.{inspector.name}": inspector
        for inspector in Inspector.objects.filter(template__project=project).select_related("template")
    }
    errors = {
        f"columns.{place}.sources.{number}": [_unknown_source(source, found)]
        for place, row in enumerate(rows)
        for number, source in enumerate(row["sources"])
        if source not in found
    }
    if errors:
        raise Invalid(errors)
    return found


def _unknown_source(source: str, found: Mapping[str, Inspector]) -> str:
    known = ", ".join(sorted(found)[:20]) or "none yet; make a template with inspectors first"
    return f"This project has no inspector “{source}”. Write template.inspector; known: {known}."


@transaction.atomic
def duplicate_indexer(*, indexer: Indexer) -> Indexer:
    names = Indexer.objects.filter(project=indexer.project).values_list("name", flat=True)
    values = {field: getattr(indexer, field) for field in INDEXER_FIELDS}
    values["name"] = copy_name(indexer.name, set(names))
    values["columns"] = [describe_column(column) for column in indexer.columns.all()]
    values["crawlers"] = list(indexer.crawlers.values_list("pk", flat=True))
    return save_indexer(values=values, project=indexer.project)


def save_dictionary(*, values: Mapping[str, Any], project: Project, dictionary: Dictionary | None = None) -> Dictionary:
    if errors := check_dictionary(values):
        raise Invalid(errors)
    dictionary = dictionary or Dictionary(project=project)
    given = _set_given(dictionary, DICTIONARY_FIELDS, values)
    if "entries" in given:
        dictionary.entry_count = count_entries(dictionary.entries)
        given.append("entry_count")
    check_name(dictionary)
    dictionary.save(update_fields=[*given, "updated_at"] if dictionary.pk else None)
    return dictionary


def duplicate_dictionary(*, dictionary: Dictionary) -> Dictionary:
    names = Dictionary.objects.filter(project=dictionary.project).values_list("name", flat=True)
    values = {field: getattr(dictionary, field) for field in DICTIONARY_FIELDS}
    values["name"] = copy_name(dictionary.name, set(names))
    return save_dictionary(values=values, project=dictionary.project)


def delete_dictionary(*, dictionary: Dictionary) -> None:
    user = dictionary.indexers.first()
    if user is not None:
        raise InUse(f"The dictionary is used by the indexer “{user.name}”. Choose another there first.")
    dictionary.delete()
