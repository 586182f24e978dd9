"""Near words read from the dictionaries of segments are those that the q-gram index finds."""

import random
from pathlib import Path

import pytest

from backend.search_engine.errors import DeadlineExceededError
from backend.search_engine.fuzzy import FuzzyIndex
from backend.search_engine.index import Field, IndexWriter, Schema, open_snapshot
from backend.search_engine.index.snapshot import Snapshot
from backend.search_engine.search.near_words import NearWords
from backend.search_engine.text import Analysis, Reduction
from tests.unit.backend.search_engine.corpus import WORDS

SCHEMA = Schema([Field("body", analysis=Analysis(reduction=Reduction.NONE, keep_accents=True))])
ODD = ["größe", "grösse", "東京", "москва", "москву", "a", "naïve", "naive", "x" * 70, "x" * 71, "😀", "e\u0301a"]


@pytest.fixture(scope="module")
def snapshot(tmp_path_factory: pytest.TempPathFactory) -> Snapshot:
    folder: Path = tmp_path_factory.mktemp("near")
    rng = random.Random(5)
    with IndexWriter(folder, SCHEMA, merges=False) as writer:
        for number in range(60):
            words = [*(WORDS[int(len(WORDS) * rng.random() ** 2)] for _ in range(40)), *rng.sample(ODD, 4)]
            writer.put(str(number), {"body": " ".join(words)})
            if number % 20 == 19:
                writer.commit()
    return open_snapshot(folder)


@pytest.mark.parametrize("distance", [0, 1, 2, None])
def test_finds_what_the_gram_index_finds(snapshot: Snapshot, distance: int | None) -> None:
    reference = FuzzyIndex.build(snapshot.vocabulary(0).items())
    words = NearWords(snapshot, 0)
    rng = random.Random(6)
    found = 0
    for _ in range(150):
        letters = list(rng.choice(WORDS + ODD))
        letters[rng.randrange(len(letters))] = rng.choice("aebcdö")
        word = "".join(letters)
        wanted = reference.find(word, distance=distance, limit=20)
        found += len(wanted)
        for _ in range(2):  # the second answer comes from what the segments remember
            assert words.find(word, distance=distance, limit=20) == wanted
    assert found > (0 if distance == 0 else 100)


def test_many_near_words_are_all_found(tmp_path: Path) -> None:
    letters = "abcdefghijklmnopqrstuvwxyz"
    with IndexWriter(tmp_path, SCHEMA) as writer:
        writer.put("a", {"body": " ".join(a + b + "zz" for a in letters for b in letters for _ in range(2))})
        writer.put("b", {"body": " ".join("z" + a + b + "z" for a in letters for b in letters)})
        writer.commit()
    found = NearWords(open_snapshot(tmp_path), 0).find("zzzz", distance=2, limit=5_000)
    assert len(found) == len(letters) ** 2 * 2 - len(letters)


def test_stops_when_the_time_is_up(snapshot: Snapshot) -> None:
    def stop() -> None:
        raise DeadlineExceededError("Too late.")

    with pytest.raises(DeadlineExceededError):
        NearWords(snapshot, 0, stop).find("word")
