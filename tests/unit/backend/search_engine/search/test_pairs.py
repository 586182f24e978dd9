"""Scripts without spaces, which are indexed in pairs: every part of a text that a person may ask for finds it."""

import random
from pathlib import Path

import pytest

from backend.search_engine.index import IndexWriter, open_snapshot
from backend.search_engine.query import Joining, parse_query
from backend.search_engine.search import Searcher, SearchRequest
from backend.search_engine.snippets import highlight, wanted_in
from backend.search_engine.text import Analyzer
from tests.unit.backend.search_engine.corpus import PLAIN, SCHEMA

BODIES = {
    "green": "これは緑茶",
    "smell": "緑茶の香り",
    "goals": "2024年の目標は5月まで",
    "month": "5人は6月に2023年",
    "firm": "A社は新しいiPhone手帳を出した",
    "other": "B社とA国",
    "weather": "東京の天気予報は晴れ",
    "thai": "ภาษาไทยง่าย",
    "korean": "한국어 공부",
}
ALL = SearchRequest(limit=1000, count=True)


def build(folder: Path, bodies: dict[str, str], **analyzer: object) -> Searcher:
    with IndexWriter(folder, SCHEMA, merges=False) as writer:
        for number, (key, body) in enumerate(bodies.items()):
            writer.put(key, {"body": body})
            if number % 3 == 2:
                writer.commit()
        writer.commit()
    return Searcher(open_snapshot(folder), [Analyzer(PLAIN, **analyzer)])  # type: ignore[arg-type]


@pytest.fixture(scope="module")
def searcher(tmp_path_factory: pytest.TempPathFactory) -> Searcher:
    return build(tmp_path_factory.mktemp("pairs"), BODIES)


def keys(searcher: Searcher, text: str, joining: Joining = Joining.AND) -> set[str]:
    query = parse_query(text, joining=joining)
    hits = searcher.search(query, request=ALL)
    assert hits.total == len(hits)
    for hit in hits:
        explained = searcher.explain(query, hit.key)
        assert explained is not None
        assert explained.score == pytest.approx(hit.score, rel=1e-9, abs=1e-15)
    return {hit.key for hit in hits}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("茶", {"green", "smell"}),
        ("緑茶", {"green", "smell"}),
        ("2024年", {"goals"}),
        ("年", {"goals", "month"}),
        ("5月", {"goals"}),
        ("月", {"goals", "month"}),
        ("A社", {"firm"}),
        ("iPhone手", {"firm"}),
        ('"5月まで"', {"goals"}),
        ('"年の" 茶', set()),
        ("緑茶 -の", {"green"}),
        ("茶~", {"green", "smell"}),
        ("緑茶の*", {"smell"}),
        ("2024年*", {"goals"}),
        ("한", {"korean"}),
        ("어", {"korean"}),
    ],
)
def test_each_character_is_found_alone_and_beside_others(searcher: Searcher, text: str, expected: set[str]) -> None:
    assert keys(searcher, text) == expected


def test_where_any_word_is_enough_any_pair_is(searcher: Searcher) -> None:
    assert keys(searcher, "東京の天気はどうですか") == set()
    assert "weather" in keys(searcher, "東京の天気はどうですか", Joining.OR)
    assert "thai" in keys(searcher, "ไทยแลนด์", Joining.OR)
    hits = searcher.search(parse_query("東京の天気はどうですか", joining=Joining.OR))
    assert hits[0].key == "weather"


def test_every_part_of_every_text_finds_what_has_it(tmp_path: Path) -> None:
    rng = random.Random(4)
    pieces = [*"茶緑年月社東京都のは", "A", "5", " ", " x "]
    bodies = {str(number): "".join(rng.choices(pieces, k=rng.randint(1, 12))).strip() for number in range(150)}
    searcher = build(tmp_path, bodies)
    for body in list(bodies.values())[::3]:
        run = rng.choice(body.split() or ["茶"])
        start = rng.randrange(len(run))
        part = run[start : start + rng.randint(1, 4)]
        if not part.isascii():
            wanted = {key for key, each in bodies.items() if _has(each, part)}
            assert keys(searcher, f'"{part}"') == wanted, part


def _has(body: str, part: str) -> bool:
    """Whether a text has a part; letters and digits of it as whole words."""
    places = [at for at in range(len(body)) if body.startswith(part, at)]
    ends = ((body[at - 1 : at], body[at + len(part) : at + len(part) + 1]) for at in places)
    return any(not _joins(before, part[0]) and not _joins(part[-1], after) for before, after in ends)


def _joins(left: str, right: str) -> bool:
    return bool(left and right) and (left + right).isascii() and (left + right).isalnum()


def test_synonyms_may_be_single_characters_and_stand_beside_words(tmp_path: Path) -> None:
    bodies = {"tea": "tea", "green": "緑茶の", "set": "緑茶 cup", "x": "x"}
    searcher = build(tmp_path, bodies, synonyms=[["tea", "茶"], ["pot", "緑茶 cup"]])
    assert keys(searcher, "tea") == {"tea", "green", "set"}
    assert keys(searcher, "pot") == {"set"}


@pytest.mark.parametrize(
    ("query", "text", "shown"),
    [
        ("茶", "緑茶の香り、茶", ["茶", "茶"]),
        ("2024年", "年は2024年の目標", ["2024年"]),
        ("緑茶", "緑茶の香り", ["緑茶"]),
        ("緑茶の香", "この緑茶の香り", ["緑茶の香"]),
    ],
)
def test_exactly_what_was_asked_for_is_highlighted(query: str, text: str, shown: list[str]) -> None:
    analyzer = Analyzer(PLAIN)
    found = highlight(text, wanted_in(parse_query(query), analyzer), analyzer)
    assert [found.text[start:end] for start, end in found.highlights] == shown
