"""Formulas that tell documents apart which impacts in single precision cannot: the page is brute force's all the same.

The text scores of a hundred documents lie within a ten-millionth of each other; columns and formulas are chosen so that
what impacts get wrong decides who is on the page.
"""

import random
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from backend.search_engine.index import Field, FieldKind, IndexWriter, Schema, open_snapshot
from backend.search_engine.query import Joining, parse_query
from backend.search_engine.ranking import Bm25, Ranking
from backend.search_engine.ranking.formula import parse_formula
from backend.search_engine.search import Searcher, SearchRequest, Sort, TermsFacet
from backend.search_engine.text import Analyzer
from tests.unit.backend.search_engine.brute_force import BruteForce
from tests.unit.backend.search_engine.corpus import PLAIN

FLAT = Bm25(b=2e-7)
SCHEMA = Schema(
    [
        Field("title", analysis=PLAIN, boost=2.0),
        Field("body", analysis=PLAIN),
        Field("cost", FieldKind.NUMBER),
        Field("rank", FieldKind.NUMBER),
        Field("tag", FieldKind.KEYWORD),
    ]
)
DOCUMENTS = 100
PAGES = ((0, 10), (0, 1), (7, 3), (40, 20), (95, 20), (120, 5))


class NearTies:
    """An index of documents that are nearly the same, and what a formula gives them by brute force."""

    def __init__(self, folder: Path, seed: int) -> None:
        rng = random.Random(seed)
        lengths = rng.sample(range(1, 4 * DOCUMENTS), DOCUMENTS)
        self.documents = {
            str(number): {"title": "apple", "body": f"pear {'x ' * length}", "tag": ["a"]}
            for number, length in enumerate(lengths)
        }
        self.documents["none"] = {"title": "", "body": "other", "tag": ["a"]}
        truth = BruteForce(self.documents, Analyzer(PLAIN), {"title": 2.0, "body": 1.0}, FLAT)  # type: ignore[arg-type]
        self.text = truth.any_of(["apple", "pear"])
        for key, score in self.text.items():
            self.documents[key]["rank"] = [2.0, None, 1.0, 1.0][rng.randrange(4)]
            self.documents[key]["cost"] = score * (1 + rng.choice([-1, 1, 2, 3]) * 1e-9)
        with IndexWriter(folder, SCHEMA, merges=False) as writer:
            for number, (key, document) in enumerate(self.documents.items()):
                writer.put(key, document)
                if number % 30 == 29:
                    writer.commit()
            writer.commit()
        self.searcher = Searcher(open_snapshot(folder))

    def rank(self, key: str) -> float:
        """What documents are sorted by; those without a value come last."""
        return self.documents[key]["rank"] or 0.0  # type: ignore[return-value]

    def scores(self, source: str) -> dict[str, float]:
        text = np.array(list(self.text.values()))
        costs = np.array([self.documents[key]["cost"] for key in self.text])
        return dict(zip(self.text, parse_formula(source).score(text, {"cost": costs}).tolist(), strict=True))

    def formulas(self) -> Iterator[str]:
        """Some fixed ones, and some that turn or jump between two documents' scores."""
        yield from (
            "1e9 * (text - cost)",
            "1e9 * (cost - text)",
            "-text",
            "text * cost",
            "text / cost",
            "log(text)",
            "text ^ 3",
        )
        yield from ("exp(20 * text)", "if(text > cost, text, -text)", "max(text, cost) - min(text, cost)")
        scores = sorted(self.text.values())
        for low, high in list(pairwise(scores))[::17]:
            middle = (low + high) / 2
            yield f"if(text > {middle!r}, 1, 0) - cost * 0"
            yield f"abs(text - {middle!r}) - cost * 0"
            yield f"1 / (text - {middle!r})"
            yield f"((text - {middle!r}) * 1e6) ^ 2"
            yield f"if(text < {middle!r}, text, 0 - cost)"


@pytest.fixture(scope="module", params=range(2))
def near_ties(tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest) -> NearTies:
    return NearTies(tmp_path_factory.mktemp("near_ties"), request.param)


def assert_best(found: list[float], scores: list[float], page: tuple[int, int]) -> None:
    """The page has the scores that brute force puts there.

    Text scores agree to the last few of 16 digits; formulas that subtract nearly equal numbers leave fewer of them.
    """
    wanted = sorted(scores, reverse=True)[page[0] : page[0] + page[1]]
    assert found == pytest.approx(wanted, rel=1e-4, abs=0)


def test_single_precision_could_not_tell_them_apart(near_ties: NearTies) -> None:
    scores = np.array(list(near_ties.text.values()))
    assert len(set(scores.astype(np.float32).tolist())) < 10
    assert len(set(scores.tolist())) == DOCUMENTS


@pytest.mark.parametrize("page", PAGES)
def test_pages_are_those_of_brute_force(near_ties: NearTies, page: tuple[int, int]) -> None:
    query = parse_query("apple pear", joining=Joining.OR)
    for source in near_ties.formulas():
        scores = near_ties.scores(source)
        request = SearchRequest(offset=page[0], limit=page[1])
        hits = near_ties.searcher.search(query, Ranking(bm25=FLAT, formula=parse_formula(source)), request)
        assert_best([hit.score for hit in hits], list(scores.values()), page)
        for hit in hits:
            assert hit.score == pytest.approx(scores[hit.key], rel=1e-4, abs=0)


@pytest.mark.parametrize("page", PAGES)
def test_with_facets_the_best_by_text_are_brute_forces(near_ties: NearTies, page: tuple[int, int]) -> None:
    request = SearchRequest(offset=page[0], limit=page[1], facets={"tag": TermsFacet("tag")})
    hits = near_ties.searcher.search(parse_query("apple pear", joining=Joining.OR), Ranking(bm25=FLAT), request)
    ranked = sorted(near_ties.text, key=lambda key: -near_ties.text[key])
    assert [hit.key for hit in hits] == ranked[page[0] : page[0] + page[1]]


@pytest.mark.parametrize("page", PAGES)
def test_of_documents_with_equal_values_the_best_by_text_come_first(near_ties: NearTies, page: tuple[int, int]) -> None:
    request = SearchRequest(offset=page[0], limit=page[1], sort=Sort("rank"))
    hits = near_ties.searcher.search(parse_query("apple pear", joining=Joining.OR), Ranking(bm25=FLAT), request)
    ranked = sorted(near_ties.text, key=lambda key: (-near_ties.rank(key), -near_ties.text[key]))
    assert [hit.key for hit in hits] == ranked[page[0] : page[0] + page[1]]
