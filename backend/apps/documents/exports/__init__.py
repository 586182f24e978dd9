"""Documents of a runner, a crawler or a project as CSV, JSON, JSONL, XLSX and Parquet, in constant memory."""

from backend.apps.documents.exports.columns import Column
from backend.apps.documents.exports.source import (
    DocumentSource,
    RowSource,
    documents_of_crawler,
    documents_of_project,
    documents_of_runner,
)
from backend.apps.documents.exports.writing import (
    ExportFormat,
    UnknownFormat,
    export_runner,
    format_of,
    stream_documents,
    try_to_write,
    write_documents,
)

__all__ = [
    "Column",
    "DocumentSource",
    "ExportFormat",
    "RowSource",
    "UnknownFormat",
    "documents_of_crawler",
    "documents_of_project",
    "documents_of_runner",
    "export_runner",
    "format_of",
    "stream_documents",
    "try_to_write",
    "write_documents",
]
