"""The inverted index: schema, writer, snapshots."""

from backend.search_engine.index.schema import Field, FieldKind, Schema
from backend.search_engine.index.snapshot import IndexReader, Snapshot, open_snapshot
from backend.search_engine.index.writer import IndexWriter

__all__ = ["Field", "FieldKind", "IndexReader", "IndexWriter", "Schema", "Snapshot", "open_snapshot"]
