from pathlib import Path

import pytest

from backend.search_engine.index import open_snapshot
from backend.search_engine.query import Joining, parse_query
from backend.search_engine.ranking import Bm25, Bonuses, Ranking
from backend.search_engine.ranking.formula import Formula, parse_formula
from backend.search_engine.ranking.formula.nodes import Call, Number, Variable
from backend.search_engine.search import Searcher, SearchRequest
from tests.unit.backend.search_engine.corpus import SCHEMA, WORDS, make_documents, write_index

FIELDS = {each.name for each in SCHEMA.fields}


@pytest.fixture(scope="module")
def searcher(tmp_path_factory: pytest.TempPathFactory) -> Searcher:
    folder: Path = tmp_path_factory.mktemp("explain")
    write_index(folder, make_documents(300), per_commit=100)
    return Searcher(open_snapshot(folder))


RANKINGS = [
    Ranking(),
    Ranking(word_weights={WORDS[1]: 3.0}, columns={"price": 0.1}),
    Ranking(bonuses=Bonuses({"title": 1.0}, whole=2.0, subsequence=3.0)),
    Ranking(formula=parse_formula("text * 2 + log(price + 1)"), bm25=Bm25(k=1.2)),
    Ranking(formula=parse_formula("price / 10"), bonuses=Bonuses({"title": 0.5})),
]
QUERIES = [
    f"{WORDS[0]} {WORDS[1]} {WORDS[2]}",
    f"{WORDS[0]} {WORDS[0]}^2 -{WORDS[3]}",
    f'"{WORDS[0]} {WORDS[1]}" OR ({WORDS[4]} AND {WORDS[5]}) OR {WORDS[6][:3]}*',
    f"title:{WORDS[0]} OR {WORDS[2]} price:2..20",
    "*",
]


@pytest.mark.parametrize("ranking", RANKINGS)
@pytest.mark.parametrize("text", QUERIES)
def test_parts_add_up_to_the_score_of_the_hit(searcher: Searcher, text: str, ranking: Ranking) -> None:
    query = parse_query(text, joining=Joining.OR, fields=FIELDS)
    hits = searcher.search(query, ranking, SearchRequest(limit=15))
    assert hits.hits
    for hit in hits:
        explanation = searcher.explain(query, hit.key, ranking)
        assert explanation is not None
        assert explanation.score == pytest.approx(hit.score, rel=1e-9, abs=1e-15)
        assert explanation.text == pytest.approx(sum(part.score for part in explanation.parts))


def test_numbers_of_a_word_give_its_score(searcher: Searcher) -> None:
    query = parse_query(WORDS[1])
    hit = searcher.search(query)[0]
    explanation = searcher.explain(query, hit.key)
    assert explanation is not None
    part = explanation.parts[0]
    weighted = sum(each.weighted for each in part.fields)
    assert part.idf is not None
    assert part.score == pytest.approx(part.idf * weighted * 2.75 / (1.75 + weighted), rel=1e-12)
    for each in part.fields:
        assert each.alpha == pytest.approx(0.25 + 0.75 * each.length / each.average_length)


def test_what_does_not_match_is_not_explained(searcher: Searcher) -> None:
    hit = searcher.search(parse_query(WORDS[1]))[0]
    assert searcher.explain(parse_query(f"{WORDS[1]} nosuchword"), hit.key) is None
    assert searcher.explain(parse_query(WORDS[1]), "no such key") is None


def test_what_is_worked_out_is_told_by_its_name(searcher: Searcher) -> None:
    half = Call("/", (Variable("price"), Number(2.0)))
    ranking = Ranking(formula=Formula("text + half", Call("+", (Variable("text"), half)), {"half": half}))
    query = parse_query(WORDS[1])
    priced = next(hit for hit in searcher.search(query, ranking) if hit.fields["price"] is not None)
    explained = searcher.explain(query, priced.key, ranking)
    assert explained is not None
    assert explained.variables == {"half": priced.fields["price"] / 2}
    assert explained.score == pytest.approx(explained.text + priced.fields["price"] / 2)
