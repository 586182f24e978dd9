"""Each noun as the project file writes it: every key, so that a file says all there is to say."""

from typing import Any

from backend.apps.crawlers.models import Crawler
from backend.apps.crawlers.services import CRAWLER_FIELDS
from backend.apps.indexers.dictionary_entries import lines_of
from backend.apps.indexers.models import Dictionary, IndexColumn, Indexer
from backend.apps.indexers.services import INDEXER_FIELDS, describe_column
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


def describe_crawler(crawler: Crawler) -> Description:
    return {field: getattr(crawler, field) for field in CRAWLER_FIELDS} | {"template": crawler.template.name}


def describe_dictionary(dictionary: Dictionary) -> Description:
    entries = [line.strip() for _, line in lines_of(dictionary.entries)]
    return {"name": dictionary.name, "description": dictionary.description, "entries": entries}


def describe_indexer(indexer: Indexer) -> Description:
    own = {field: getattr(indexer, field) for field in INDEXER_FIELDS}
    own["dictionary"] = indexer.dictionary.name if indexer.dictionary else None
    return {**own, "columns": [describe_column(column) for column in indexer.columns.all()]}


def default_inspector() -> Description:
    return describe_inspector(Inspector())


def default_column() -> Description:
    column = IndexColumn()
    return {field: getattr(column, field) for field in ("name", "variable", "boost", "language", "searchable")}
