"""Documents are read as they were stored, from kept blocks too."""

from pathlib import Path

from backend.apps.search.documents import DocumentReader
from backend.search_engine.index import Field, FieldKind, IndexWriter, Schema, open_snapshot

SCHEMA = Schema([Field("name"), Field("tags", FieldKind.KEYWORD), Field("price", FieldKind.NUMBER, stored=False)])


def test_every_document_has_its_own_key_and_fields_whatever_was_read_before(tmp_path: Path) -> None:
    with IndexWriter(tmp_path, SCHEMA) as writer:
        for number in range(1_000):
            writer.put(f"key {number}", {"name": f"name {number}", "tags": ["a", "b"], "price": number})
        writer.put("odd", {"name": "half \ud83d character"})
        writer.commit()
    snapshot, reader = open_snapshot(tmp_path), DocumentReader(max_blocks=3)
    for _ in range(2):
        for slot in (0, 999, 500, 3, 500):
            expected = {"name": f"name {slot}", "tags": ["a", "b"]}
            assert reader.read(snapshot, slot) == (f"key {slot}", expected)
    assert reader.read(snapshot, 1_000)[1]["name"] == "half \ud83d character"
    reader.keep_only([])
    assert reader.read(snapshot, 7)[0] == "key 7"
