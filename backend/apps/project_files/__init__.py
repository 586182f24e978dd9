"""The project file: one JSON file with all that people configured, to keep, to share, to describe crawls in tests."""

from backend.apps.project_files.exporting import export_project, to_json
from backend.apps.project_files.importing import ImportReport, import_into_project, import_project
from backend.apps.project_files.reading import read_json
from backend.apps.project_files.schema import VERSION, project_file_schema

__all__ = [
    "VERSION",
    "ImportReport",
    "export_project",
    "import_into_project",
    "import_project",
    "project_file_schema",
    "read_json",
    "to_json",
]
