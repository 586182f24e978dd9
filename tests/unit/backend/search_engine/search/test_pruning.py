"""A formula that keeps the order of the text scores answers from the best by text exactly as from all matches."""

import random
from pathlib import Path

import pytest

from backend.search_engine.index import open_snapshot
from backend.search_engine.query import Joining, parse_query
from backend.search_engine.ranking import Bonuses, Ranking
from backend.search_engine.ranking.formula import parse_formula
from backend.search_engine.search import KeywordFilter, Searcher, SearchRequest, searcher
from tests.unit.backend.search_engine.corpus import WORDS, make_documents, write_index

FORMULAS = (
    "text",
    "3 * text - 1",
    "7",
    "min(text, 2.5)",
    "clamp(text, 1, 3) + text / 9",
    "text > 2",
    "text * 0",
    "sqrt(text)",
)
BONUSES = (Bonuses(), Bonuses({"title": 1.0}, whole=2.0))
REQUESTS = (
    SearchRequest(count=True),
    SearchRequest(count=True, limit=7, offset=15),
    SearchRequest(count=True, filters=[KeywordFilter("tag", ("t1", "odd"))]),
)


def ask(searches: Searcher, seed: int) -> list[tuple[list[tuple[str, float]], int | None]]:
    rng = random.Random(seed)
    answers = []
    for source in FORMULAS:
        for bonuses in BONUSES:
            ranking = Ranking(formula=parse_formula(source), bonuses=bonuses)
            for request in REQUESTS:
                words = [WORDS[int(len(WORDS) * rng.random() ** 2)] for _ in range(rng.randint(1, 4))]
                text = " ".join(words) if rng.random() < 0.8 else f'"{" ".join(words[:2])}"'
                query = parse_query(text, joining=rng.choice([Joining.OR, Joining.AND]))
                hits = searches.search(query, ranking, request)
                answers.append(([(hit.key, hit.score) for hit in hits], hits.total))
    return answers


@pytest.mark.parametrize("seed", range(3))
def test_answers_are_those_of_scoring_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, seed: int) -> None:
    write_index(tmp_path, make_documents(600, seed=seed), per_commit=250)
    searches = Searcher(open_snapshot(tmp_path))
    pruned = ask(searches, seed)
    monkeypatch.setattr(searcher._Run, "_needs_all", lambda *_: True)
    assert pruned == ask(searches, seed)
    assert sum(len(hits) for hits, _ in pruned) > 100


def test_only_the_best_are_scored(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_index(tmp_path, make_documents(600))
    searches = Searcher(open_snapshot(tmp_path))

    def refuse(*_: object) -> None:
        raise AssertionError("all matches were scored")

    monkeypatch.setattr(searcher._Run, "_page_of_all", refuse)
    assert len(searches.search(parse_query(WORDS[1]), Ranking(formula=parse_formula("2 * text")))) == 10
    with pytest.raises(AssertionError):
        searches.search(parse_query(WORDS[1]), Ranking(formula=parse_formula("text + price")))
