"""From a project to its file."""

import json
from typing import Any

from backend.apps.crawlers.describing import describe_crawler
from backend.apps.project_files.describing import (
    describe_dictionary,
    describe_indexer,
)
from backend.apps.project_files.schema import VERSION
from backend.apps.project_files.secrets import needed_secrets
from backend.apps.projects.models import Project
from backend.apps.templates.describing import describe_template


def export_project(project: Project) -> dict[str, Any]:
    """The project file, in one order whatever the order of making: two equal projects have equal files."""
    templates = project.templates.order_by("name").prefetch_related("inspectors", "actions")
    crawlers = project.crawlers.order_by("name").select_related("template")
    indexers = project.indexers.order_by("name").select_related("dictionary").prefetch_related("columns")
    file = {
        "version": VERSION,
        "name": project.name,
        "description": project.description,
        "templates": [describe_template(template) for template in templates],
        "crawlers": [describe_crawler(crawler) for crawler in crawlers],
        "dictionaries": [describe_dictionary(dictionary) for dictionary in project.dictionaries.order_by("name")],
        "indexers": [describe_indexer(indexer) for indexer in indexers],
    }
    return {**file, "secrets": needed_secrets(file)}


def to_json(file: dict[str, Any]) -> str:
    return json.dumps(file, ensure_ascii=False, indent=2) + "\n"
