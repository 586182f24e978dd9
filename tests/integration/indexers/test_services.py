"""Saving changes what was given and nothing that was written meanwhile."""

import pytest

from backend.apps.errors import Conflict
from backend.apps.indexers.build_states import begin_build, serve_build, set_status
from backend.apps.indexers.models import Dictionary, Indexer, IndexerStatus
from backend.apps.indexers.services import save_dictionary, save_indexer
from backend.apps.projects.models import Project


def test_saving_settings_does_not_undo_a_swap(indexer: Indexer) -> None:
    serve_build(begin_build(indexer, {"columns": []}))
    build = begin_build(indexer, {"columns": []})
    set_status(indexer.pk, IndexerStatus.INDEXING)
    loaded = Indexer.objects.get(pk=indexer.pk)
    assert serve_build(build)
    set_status(indexer.pk, IndexerStatus.COMPLETED, reason="All is well.")
    saved = save_indexer(values={"k": 1.2}, project=indexer.project, indexer=loaded)
    for each in (saved, Indexer.objects.get(pk=indexer.pk)):
        assert (each.k, each.served_build, each.status, each.reason) == (1.2, "build-2", "completed", "All is well.")
    assert saved.updated_at > indexer.updated_at


def test_two_people_who_save_other_settings_undo_nothing_of_each_other(indexer: Indexer) -> None:
    one, other = (Indexer.objects.get(pk=indexer.pk) for _ in range(2))
    save_indexer(values={"k": 1.2}, project=indexer.project, indexer=one)
    save_indexer(values={"b": 0.5}, project=indexer.project, indexer=other)
    indexer.refresh_from_db()
    assert (indexer.k, indexer.b) == (1.2, 0.5)


def test_a_deleted_indexer_does_not_come_back(indexer: Indexer) -> None:
    loaded = Indexer.objects.get(pk=indexer.pk)
    indexer.delete()
    with pytest.raises(Conflict, match="was deleted meanwhile"):
        save_indexer(values={"k": 1.2}, project=loaded.project, indexer=loaded)
    assert not Indexer.objects.exists()


def test_two_people_who_save_other_parts_of_a_dictionary_undo_nothing_of_each_other(project: Project) -> None:
    one, other = (Dictionary.objects.get(project=project) for _ in range(2))
    save_dictionary(values={"entries": "a\nb\nc"}, project=project, dictionary=one)
    save_dictionary(values={"description": "Of brands."}, project=project, dictionary=other)
    one.refresh_from_db()
    assert (one.entries, one.entry_count, one.description) == ("a\nb\nc", 3, "Of brands.")
