"""Damage to what is served is found, and told by the command."""

import json
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError

from backend.apps.errors import Conflict
from backend.apps.indexers.checking import check_served
from backend.apps.indexers.folders import typing_folder
from backend.apps.indexers.models import Indexer
from backend.apps.indexers.serving import served_folder
from tests.integration.search.shelf import PRODUCTS, SHOP, build_index


def flip(file: Path) -> None:
    data = bytearray(file.read_bytes())
    data[len(data) // 2] ^= 1
    file.write_bytes(data)


def largest(folder: Path | None) -> Path:
    assert folder is not None
    return max((file for file in folder.iterdir() if file.is_file()), key=lambda file: file.stat().st_size)


def test_what_was_written_is_sound_and_a_flipped_bit_is_not(indexer: Indexer) -> None:
    build_index(indexer)
    report = check_served(indexer)
    assert (report.is_sound, report.documents) == (True, len(PRODUCTS))
    flip(largest(served_folder(indexer)))
    assert not check_served(indexer).is_sound


def test_a_flipped_bit_in_the_words_for_typing_is_found_too(indexer: Indexer) -> None:
    build_index(indexer)
    folder = served_folder(indexer)
    assert folder is not None
    flip(largest(typing_folder(folder)))
    assert len(check_served(indexer).problems) == 1


def test_an_indexer_without_an_index_says_so(indexer: Indexer) -> None:
    with pytest.raises(Conflict, match="Build it first"):
        check_served(indexer)


def test_the_command_tells_and_its_exit_code_too(indexer: Indexer, tmp_path: Path) -> None:
    file = tmp_path / "shop.json"
    file.write_text(json.dumps(SHOP), encoding="utf-8")
    indexer.project.owner.is_superuser = True
    indexer.project.owner.save()
    with pytest.raises(CommandError, match="Build it first"):
        call_command("index", str(file), "--check")
    build_index(indexer)
    out = StringIO()
    call_command("index", str(file), "--check", stdout=out)
    assert json.loads(out.getvalue())["is_sound"] is True
    flip(largest(served_folder(indexer)))
    with pytest.raises(SystemExit):
        call_command("index", str(file), "--check", stdout=StringIO())
