"""What belongs to an index, as the project file writes it: every key, so that a file says all there is to say."""

from typing import Any

from backend.apps.indexers.dictionary_entries import lines_of
from backend.apps.indexers.models import Dictionary, IndexColumn, Indexer
from backend.apps.indexers.services import COLUMN_FIELDS, INDEXER_FIELDS, describe_column
from backend.apps.templates.describing import describe_inspector
from backend.apps.templates.models import Inspector

Description = dict[str, Any]


def describe_dictionary(dictionary: Dictionary) -> Description:
    entries = [line.strip() for _, line in lines_of(dictionary.entries)]
    return {"name": dictionary.name, "description": dictionary.description, "entries": entries}


def describe_indexer(indexer: Indexer) -> Description:
    own = {field: getattr(indexer, field) for field in INDEXER_FIELDS}
    own["dictionary"] = indexer.dictionary.name if indexer.dictionary else None
    columns = [describe_column(column) for column in indexer.columns.all()]
    return {**own, "columns": columns, "crawlers": sorted(indexer.crawlers.values_list("name", flat=True))}


def default_inspector() -> Description:
    return describe_inspector(Inspector())


def default_column() -> Description:
    column = IndexColumn()
    return {field: getattr(column, field) for field in COLUMN_FIELDS}
