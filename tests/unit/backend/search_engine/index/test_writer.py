import fcntl
from pathlib import Path

import pytest

from backend.search_engine.errors import (
    AnalysisError,
    IndexCorruptError,
    IndexLockedError,
    IndexMissingError,
    SchemaError,
)
from backend.search_engine.index import Field, FieldKind, IndexWriter, Schema, open_snapshot
from backend.search_engine.index.merge_policy import choose_merge
from backend.search_engine.index.snapshot import Snapshot
from backend.search_engine.text import Analysis
from tests.unit.backend.search_engine.corpus import SCHEMA, make_documents, write_index


def contents(snapshot: Snapshot) -> dict[str, dict[str, object]]:
    return {snapshot.key(slot): snapshot.stored(slot) for slot in snapshot.alive.nonzero()[0].tolist()}


def test_what_was_put_is_there_after_commit_and_not_before(tmp_path: Path) -> None:
    with IndexWriter(tmp_path, SCHEMA) as writer:
        writer.put("a", {"body": "one"})
        assert contents(open_snapshot(tmp_path)) == {}
        writer.commit()
        assert list(contents(open_snapshot(tmp_path))) == ["a"]


def test_a_key_put_again_replaces_its_document(tmp_path: Path) -> None:
    with IndexWriter(tmp_path, SCHEMA) as writer:
        writer.put("a", {"body": "one"})
        writer.put("a", {"body": "two"})
        writer.commit()
        writer.put("a", {"body": "three"})
        writer.put("b", {"body": "four"})
        writer.commit()
    found = contents(open_snapshot(tmp_path))
    assert {key: fields["body"] for key, fields in found.items()} == {"a": "three", "b": "four"}


def test_deletes_reach_back_and_never_forward(tmp_path: Path) -> None:
    with IndexWriter(tmp_path, SCHEMA) as writer:
        writer.put("a", {"body": "one"})
        writer.put("b", {"body": "one"})
        writer.commit()
        writer.delete("a")
        writer.delete("b")
        writer.put("b", {"body": "two"})
        writer.delete("nobody")
        writer.commit()
    assert {k: f["body"] for k, f in contents(open_snapshot(tmp_path)).items()} == {"b": "two"}


def test_a_snapshot_stays_as_it_was(tmp_path: Path) -> None:
    documents = make_documents(60)
    write_index(tmp_path, documents, per_commit=6)
    before = open_snapshot(tmp_path)
    with IndexWriter(tmp_path, SCHEMA) as writer:
        for key in documents:
            writer.delete(key)
        writer.commit()
        writer.merge_all()
    assert contents(before).keys() == documents.keys()
    assert contents(open_snapshot(tmp_path)) == {}


def test_small_segments_are_merged_and_files_removed(tmp_path: Path) -> None:
    documents = make_documents(64)
    write_index(tmp_path, documents, per_commit=4)
    with IndexWriter(tmp_path, SCHEMA) as writer:
        writer.merge_all()
    snapshot = open_snapshot(tmp_path)
    assert len(snapshot.segments) == 2
    assert list(contents(snapshot)) == list(documents)
    assert {path.name for path in tmp_path.glob("segment-*")} == {each.entry.name for each in snapshot.segments}


def test_documents_deleted_during_a_merge_stay_deleted(tmp_path: Path) -> None:
    write_index(tmp_path, make_documents(64), per_commit=8)
    with IndexWriter(tmp_path, SCHEMA) as writer:
        write = writer._write_merged

        def delete_meanwhile(parts: list) -> object:  # type: ignore[type-arg]
            merged = write(parts)
            writer.delete("k3")
            writer.commit()
            return merged

        writer._write_merged = delete_meanwhile  # type: ignore[method-assign, assignment]
        assert writer.merge()
    assert contents(open_snapshot(tmp_path)).keys() == make_documents(64).keys() - {"k3"}


def test_commits_are_merged_by_themselves(tmp_path: Path) -> None:
    documents = make_documents(300)
    with IndexWriter(tmp_path, SCHEMA) as writer:
        for count, (key, document) in enumerate(documents.items()):
            writer.put(key, document)
            if count % 2:
                writer.commit({"count": count})
        writer.wait_for_merges()
        assert choose_merge(writer._manifest.segments) is None
    snapshot = open_snapshot(tmp_path)
    assert len(snapshot.segments) < 16
    assert list(contents(snapshot)) == list(documents)
    assert snapshot.manifest.note == {"count": 299}
    assert {path.name for path in tmp_path.glob("segment-*")} == {each.entry.name for each in snapshot.segments}


def test_what_goes_wrong_in_a_merge_is_raised_by_the_next_commit(tmp_path: Path) -> None:
    write_index(tmp_path, make_documents(16), per_commit=2)
    victim = open_snapshot(tmp_path).segments[0].entry.name
    damaged = bytearray((tmp_path / victim).read_bytes())
    damaged[40] ^= 1
    (tmp_path / victim).write_bytes(damaged)
    with IndexWriter(tmp_path, SCHEMA) as writer:
        writer.commit()
        with pytest.raises(IndexCorruptError, match="Rebuild"):
            writer.wait_for_merges()
        generation = writer.commit()
        writer._merger.wait()  # type: ignore[union-attr]
        with pytest.raises(IndexCorruptError, match="Rebuild"):
            writer.commit()
        assert writer.generation == generation


def test_an_unknown_language_lets_the_lock_go(tmp_path: Path) -> None:
    with pytest.raises(AnalysisError):
        IndexWriter(tmp_path, Schema([Field("a", analysis=Analysis(language="klingon"))]))
    assert _is_free(tmp_path)


def _is_free(folder: Path) -> bool:
    with (folder / "writer.lock").open("w") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
    return True


def test_one_writer_at_a_time(tmp_path: Path) -> None:
    with IndexWriter(tmp_path, SCHEMA), pytest.raises(IndexLockedError, match="Another writer"):
        IndexWriter(tmp_path, SCHEMA)
    IndexWriter(tmp_path, SCHEMA).close()


def test_another_schema_is_refused_and_the_lock_let_go(tmp_path: Path) -> None:
    write_index(tmp_path, make_documents(3))
    with pytest.raises(SchemaError, match="Rebuild"):
        IndexWriter(tmp_path, Schema([Field("other")]))
    IndexWriter(tmp_path, SCHEMA).close()


def test_notes_are_kept_with_the_commit(tmp_path: Path) -> None:
    with IndexWriter(tmp_path, SCHEMA) as writer:
        writer.commit({"sequence": 17})
        writer.put("a", {"body": "x"})
        writer.commit()
    with IndexWriter(tmp_path, SCHEMA) as writer:
        assert writer.note == {"sequence": 17}


def test_a_note_stays_as_it_was_at_its_commit(tmp_path: Path) -> None:
    note = {"problems": {"price": 1}}
    with IndexWriter(tmp_path, SCHEMA, merges=False) as writer:
        for key in "abcdefghijklmnop":
            writer.put(key, {"body": "x"})
            writer.commit(note)
        note["problems"]["price"] = 2
        writer.note["problems"]["price"] = 3
        assert writer.merge()
    assert open_snapshot(tmp_path).manifest.note == {"problems": {"price": 1}}


def test_several_threads_build_the_same_index(tmp_path: Path) -> None:
    documents = make_documents(90)
    with IndexWriter(tmp_path, SCHEMA, threads=2, batch_documents=20) as writer:
        for key, document in documents.items():
            writer.put(key, document)
        writer.delete("k5")
        writer.commit()
    assert list(contents(open_snapshot(tmp_path))) == [key for key in documents if key != "k5"]


def test_leftovers_of_a_crash_are_removed(tmp_path: Path) -> None:
    write_index(tmp_path, make_documents(5))
    (tmp_path / "segment-dead").write_bytes(b"half")
    (tmp_path / "manifest.new").write_bytes(b"half")
    IndexWriter(tmp_path, SCHEMA).close()
    assert not (tmp_path / "segment-dead").exists()
    assert not (tmp_path / "manifest.new").exists()


def test_no_index_is_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(IndexMissingError, match="Build it first"):
        open_snapshot(tmp_path / "nowhere")


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"colour": "red"}, "There is no field “colour”"),
        ({"price": "cheap"}, "“cheap” is no number"),
        ({"day": "someday"}, "holds dates"),
        ({"body": object()}, "holds text"),
        ({"tag": [object()]}, "holds keywords"),
    ],
)
def test_wrong_values_are_sentences(tmp_path: Path, fields: dict[str, object], message: str) -> None:
    with IndexWriter(tmp_path, SCHEMA) as writer, pytest.raises(SchemaError, match=message):
        writer.put("a", fields)


def test_fields_with_other_analyses_make_other_groups() -> None:
    schema = Schema([Field("a"), Field("b", FieldKind.NUMBER), Field("c")])
    assert [[each.name for each in group.fields] for group in schema.groups] == [["a", "c"]]
