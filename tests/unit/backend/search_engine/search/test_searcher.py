"""The whole engine against brute force: one segment or many, with deletes and updates, before and after merges."""

import random
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from backend.search_engine.errors import DeadlineExceededError, RankingError, SchemaError
from backend.search_engine.index import Field, FieldKind, IndexWriter, Schema, Snapshot, open_snapshot
from backend.search_engine.kernels import phrase as phrase_kernel
from backend.search_engine.query import Joining, parse_query
from backend.search_engine.ranking import Bm25, Idf, Ranking
from backend.search_engine.ranking.formula import parse_formula
from backend.search_engine.ranking.ranking import MAX_WEIGHT
from backend.search_engine.search import (
    KeywordFilter,
    RangeFilter,
    RangesFacet,
    Searcher,
    SearchRequest,
    Sort,
    TermsFacet,
)
from backend.search_engine.text import Analysis, Analyzer
from tests.unit.backend.search_engine.brute_force import BruteForce
from tests.unit.backend.search_engine.corpus import BOOSTS, PLAIN, SCHEMA, WORDS, make_document, make_documents

FIELDS = {each.name for each in SCHEMA.fields}
WITH_COUNT = SearchRequest(count=True)


class Setting:
    """An index with several segments, deletes and updates, and what it should hold."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        rng = random.Random(3)
        self.documents = make_documents(900)
        with IndexWriter(folder, SCHEMA, batch_documents=150) as writer:
            for key, document in list(self.documents.items()):
                writer.put(key, document)
            writer.commit()
            for number in rng.sample(range(900), 120):
                writer.delete(f"k{number}")
                self.documents.pop(f"k{number}")
            for number in rng.sample(range(900), 60):
                self.documents.pop(f"k{number}", None)
                self.documents[f"k{number}"] = make_document(rng, number)
                writer.put(f"k{number}", self.documents[f"k{number}"])
            writer.commit()
        self.snapshot = open_snapshot(folder)
        self.searcher = Searcher(self.snapshot)
        self.truth = BruteForce(self.documents, Analyzer(PLAIN), BOOSTS)  # type: ignore[arg-type]

    def found(self, text: str, joining: Joining, **request: object) -> list[tuple[str, float]]:
        query = parse_query(text, joining=joining, fields=FIELDS)
        hits = self.searcher.search(query, Ranking(), SearchRequest(**request))  # type: ignore[arg-type]
        return [(hit.key, hit.score) for hit in hits]


@pytest.fixture(scope="module")
def setting(tmp_path_factory: pytest.TempPathFactory) -> Setting:
    return Setting(tmp_path_factory.mktemp("index"))


def assert_same(found: list[tuple[str, float]], wanted: list[tuple[str, float]]) -> None:
    """Same scores; same documents except where scores are equal to nine digits."""
    assert [score for _, score in found] == pytest.approx([score for _, score in wanted], rel=1e-9, abs=1e-15)
    for (key, _), (other, score) in zip(found, wanted, strict=True):
        ties = [k for k, s in wanted if s == pytest.approx(score, rel=1e-9)]
        assert key in ties or (key == other) or score == pytest.approx(wanted[-1][1], rel=1e-9)


def some_queries(seed: int, count: int) -> Iterator[list[str]]:
    rng = random.Random(seed)
    for _ in range(count):
        yield [WORDS[int(len(WORDS) * rng.random() ** 2)] for _ in range(rng.randint(1, 5))]


def test_any_of_agrees_with_brute_force(setting: Setting) -> None:
    for words in some_queries(1, 200):
        wanted = setting.truth.best(setting.truth.any_of(words), 10)
        assert_same(setting.found(" ".join(words), Joining.OR), wanted)


def test_every_of_agrees_with_brute_force(setting: Setting) -> None:
    for words in some_queries(2, 200):
        scores = setting.truth.every_of(words)
        query = parse_query(" ".join(words), joining=Joining.AND)
        hits = setting.searcher.search(query, Ranking(), SearchRequest(count=True))
        assert hits.total == len(scores)
        assert_same([(hit.key, hit.score) for hit in hits], setting.truth.best(scores, 10))


@pytest.mark.parametrize("slop", [0, 2])
def test_phrases_agree_with_brute_force(setting: Setting, slop: int) -> None:
    matched = 0
    for words in some_queries(3, 200):
        terms = words[:2]
        if len(terms) < 2:
            continue
        scores = setting.truth.phrase(terms, slop)
        matched += bool(scores)
        query = parse_query(f'"{" ".join(terms)}"' + (f"~{slop}" if slop else ""))
        for count in (False, True):
            hits = setting.searcher.search(query, Ranking(), SearchRequest(count=count))
            assert_same([(hit.key, hit.score) for hit in hits], setting.truth.best(scores, 10))
        assert hits.total == len(scores)
    assert matched > 20


def test_long_phrases_with_repeated_words_agree_with_brute_force(tmp_path: Path) -> None:
    rng = random.Random(12)
    documents = {
        str(number): {
            "title": " ".join(rng.choices("abc", k=rng.randint(0, 4))),
            "body": " ".join(rng.choices("abcde", [8, 4, 2, 1, 0.2], k=rng.randint(1, 60))),
        }
        for number in range(300)
    }
    with IndexWriter(tmp_path, SCHEMA) as writer:
        for key, document in documents.items():
            writer.put(key, document)
        writer.commit()
    searcher, truth = Searcher(open_snapshot(tmp_path)), BruteForce(documents, Analyzer(PLAIN), BOOSTS)
    for _ in range(150):
        terms = rng.choices("abcde", [4, 3, 2, 1, 1], k=rng.randint(2, 6))
        slop = rng.choice([0, 0, 0, 3])
        scores = truth.phrase(terms, slop)
        hits = searcher.search(parse_query(f'"{" ".join(terms)}"' + (f"~{slop}" if slop else "")), request=WITH_COUNT)
        assert hits.total == len(scores)
        assert_same([(hit.key, hit.score) for hit in hits], truth.best(scores, 10))


def test_counts_of_unions_are_exact(setting: Setting) -> None:
    for words in some_queries(4, 50):
        query = parse_query(" ".join(words), joining=Joining.OR)
        hits = setting.searcher.search(query, Ranking(), SearchRequest(count=True))
        assert hits.total == len(setting.truth.any_of(words))


def test_a_page_of_nothing_still_counts(setting: Setting) -> None:
    words = WORDS[0], WORDS[1]
    query = parse_query(" ".join(words), joining=Joining.OR)
    filters, facets = [KeywordFilter("tag", ("t1",))], {"tags": TermsFacet("tag", 20)}
    for request in ({}, {"filters": filters}, {"facets": facets}):
        shown, nothing = (
            setting.searcher.search(query, Ranking(), SearchRequest(limit=limit, count=True, **request))  # type: ignore[arg-type]
            for limit in (10, 0)
        )
        assert shown.total
        assert (nothing.hits, nothing.total, nothing.facets) == ([], shown.total, shown.facets)


def test_deep_pages_continue_the_first_one(setting: Setting) -> None:
    text = " ".join(WORDS[:4])
    whole = setting.found(text, Joining.OR, limit=400)
    pages = [setting.found(text, Joining.OR, limit=50, offset=at) for at in range(0, 400, 50)]
    assert [hit for page in pages for hit in page] == whole


def test_parameters_change_without_rebuild(setting: Setting) -> None:
    bm25 = Bm25(k=0.9, b=0.3, idf=Idf.LUCENE)
    boosts = {"title": 0.5, "body": 3.0}
    truth = BruteForce(setting.documents, Analyzer(PLAIN), boosts, bm25)  # type: ignore[arg-type]
    for words in some_queries(5, 40):
        query = parse_query(" ".join(words), joining=Joining.OR)
        hits = setting.searcher.search(query, Ranking(bm25=bm25, boosts=boosts))
        assert_same([(hit.key, hit.score) for hit in hits], truth.best(truth.any_of(words), 10))


def test_merging_changes_no_answer(setting: Setting, tmp_path: Path) -> None:
    with IndexWriter(tmp_path / "i", SCHEMA, batch_documents=40, merges=False) as writer:
        for key, document in setting.documents.items():
            writer.put(key, document)
        writer.commit()
        before = [answers(open_snapshot(tmp_path / "i"), words) for words in some_queries(6, 40)]
        count = len(open_snapshot(tmp_path / "i").segments)
        writer.merge_all()
    after = open_snapshot(tmp_path / "i")
    assert len(after.segments) < count
    assert [answers(after, words) for words in some_queries(6, 40)] == before


def answers(snapshot: Snapshot, words: list[str]) -> list[tuple[str, float]]:
    searcher = Searcher(snapshot)
    hits = [*searcher.search(parse_query(" ".join(words), joining=Joining.OR))]
    hits += searcher.search(parse_query(f'"{" ".join(words[:2])}"'))
    return [(hit.key, hit.score) for hit in hits]


def test_phrases_are_the_same_in_many_steps(setting: Setting, monkeypatch: pytest.MonkeyPatch) -> None:
    queries = [f'"{" ".join(words[:2])}"~2' for words in some_queries(11, 40) if len(words) > 1]

    def ask(text: str) -> list[tuple[str, float]]:
        searcher = Searcher(open_snapshot(setting.folder))
        found = searcher.search(parse_query(text), None, SearchRequest(count=True, limit=5))
        nested = searcher.search(parse_query(f"{text} OR {WORDS[3]}"))
        return [(str(found.total), 0.0), *((hit.key, hit.score) for hit in [*found, *nested])]

    at_once = [ask(text) for text in queries]
    monkeypatch.setattr(phrase_kernel, "_POSTINGS_PER_STEP", 1)
    assert [ask(text) for text in queries] == at_once


def test_a_phrase_without_end_stops_in_time(setting: Setting) -> None:
    text = " ".join(WORDS[:3] * 160)
    with pytest.raises(DeadlineExceededError):
        Searcher(open_snapshot(setting.folder)).search(
            parse_query(f'"{text}"~50'), None, SearchRequest(deadline_seconds=1e-6)
        )


def test_boolean_queries_mean_what_they_say(setting: Setting) -> None:
    a, b, c = WORDS[2], WORDS[5], WORDS[9]
    have = {word: set(setting.truth.term(word)) for word in (a, b, c)}
    cases = {
        f"{a} -{b}": have[a] - have[b],
        f"({a} OR {b}) {c}": (have[a] | have[b]) & have[c],
        f"{a} OR ({b} {c})": have[a] | (have[b] & have[c]),
        f"{a} NOT ({b} OR {c})": have[a] - have[b] - have[c],
        f"title:{a}": set(setting.truth.term(a, ["title"])),
    }
    for text, wanted in cases.items():
        assert {key for key, _ in setting.found(text, Joining.AND, limit=1000)} == wanted, text


def test_field_words_are_scored_by_their_field(setting: Setting) -> None:
    scores = setting.truth.term(WORDS[1], ["title"])
    assert_same(setting.found(f"title:{WORDS[1]}", Joining.AND), setting.truth.best(scores, 10))


def test_repeated_words_count_twice(setting: Setting) -> None:
    once, twice = (dict(setting.found(text, Joining.OR, limit=50)) for text in (WORDS[40], f"{WORDS[40]} {WORDS[40]}"))
    assert twice == pytest.approx({key: 2 * score for key, score in once.items()})


def test_word_weights_multiply(setting: Setting) -> None:
    query = parse_query(WORDS[40])
    plain = setting.searcher.search(query)
    weighted = setting.searcher.search(query, Ranking(word_weights={WORDS[40].upper(): 5}))
    assert [hit.score for hit in weighted] == pytest.approx([5 * hit.score for hit in plain])


def test_a_weight_of_several_words_weighs_none_of_them(setting: Setting) -> None:
    query = parse_query(WORDS[40])
    plain = setting.searcher.search(query)
    weighted = setting.searcher.search(query, Ranking(word_weights={f"{WORDS[40]} {WORDS[41]}": 5}))
    assert [hit.score for hit in weighted] == [hit.score for hit in plain]
    compound = parse_query(f"{WORDS[0]}-{WORDS[1]}")
    parts = setting.searcher.search(compound)
    heavier = setting.searcher.search(compound, Ranking(word_weights={f"{WORDS[0]}-{WORDS[1]}": 5}))
    assert len(parts)
    assert [hit.score for hit in heavier] == pytest.approx([5 * hit.score for hit in parts])


def test_the_greatest_boosts_and_weights_are_scored_as_by_brute_force(setting: Setting) -> None:
    ranking = Ranking(boosts={"title": MAX_WEIGHT}, word_weights={WORDS[3]: MAX_WEIGHT})
    brute = BruteForce(setting.documents, Analyzer(PLAIN), {"title": MAX_WEIGHT, "body": 1.0})  # type: ignore[arg-type]
    wanted = sorted((MAX_WEIGHT * score for score in brute.term(WORDS[3]).values()), reverse=True)[:10]
    hits = setting.searcher.search(parse_query(WORDS[3]), ranking)
    assert [hit.score for hit in hits] == pytest.approx(wanted, rel=1e-9)
    for boosts in ({"title": 0.0}, {"title": MAX_WEIGHT * 1.001}):
        with pytest.raises(RankingError, match="at most 1,000,000"):
            Ranking(boosts=boosts)


def test_columns_filter(setting: Setting) -> None:
    def keys(text: str) -> set[str]:
        return {key for key, _ in setting.found(text, Joining.AND, limit=10_000)}

    documents = setting.documents
    assert keys("price:10..12") == {k for k, d in documents.items() if d["price"] and 10 <= d["price"] <= 12}  # type: ignore[operator]
    assert keys("price:>24") == {k for k, d in documents.items() if d["price"] is not None and d["price"] > 24}  # type: ignore[operator]
    assert keys("day:2024-03") == {k for k, d in documents.items() if str(d["day"]).startswith("2024-03")}
    assert keys("tag:ODD") == {k for k, d in documents.items() if "odd" in d["tag"]}  # type: ignore[operator]
    assert keys('tag:"odd"') == keys("tag:odd")
    assert keys(f'tag:"odd" {WORDS[3]}') == keys(f"tag:odd {WORDS[3]}") != set()
    assert keys("price:*") == {k for k, d in documents.items() if d["price"] is not None}
    assert keys("*") == set(documents)
    word = WORDS[3]
    assert keys(f"{word} price:<5") == {k for k, _ in setting.found(word, Joining.AND, limit=10_000)} & keys("price:<5")


def test_filters_and_facets(setting: Setting) -> None:
    query = parse_query(WORDS[0])
    matching = set(setting.truth.term(WORDS[0]))
    request = SearchRequest(
        filters=[KeywordFilter("tag", ("t1", "t2")), RangeFilter("price", 5, 15)],
        facets={"tags": TermsFacet("tag", 20), "prices": RangesFacet("price", (0, 5, 10, 15, 100))},
        limit=1000,
    )
    hits = setting.searcher.search(query, Ranking(), request)

    def price_ok(d: dict[str, object]) -> bool:
        return d["price"] is not None and 5 <= d["price"] < 15  # type: ignore[operator]

    docs = {k: d for k, d in setting.documents.items() if k in matching}
    tagged = {k for k, d in docs.items() if set(d["tag"]) & {"t1", "t2"}}  # type: ignore[call-overload]
    assert {hit.key for hit in hits} == {k for k in tagged if price_ok(docs[k])}
    assert hits.total == len(hits)
    counts = {c.value: c.count for c in hits.facets["tags"]}
    assert counts == {
        tag: n
        for tag in {t for d in docs.values() for t in d["tag"]}  # type: ignore[attr-defined]
        if (n := sum(1 for d in docs.values() if price_ok(d) and tag in d["tag"]))  # type: ignore[operator]
    }
    prices = [docs[k]["price"] for k in tagged if docs[k]["price"] is not None]
    assert [(each.value, each.count) for each in hits.facets["prices"]] == [
        ((low, high), sum(1 for price in prices if low <= price < high))  # type: ignore[operator]
        for low, high in ((0, 5), (5, 10), (10, 15), (15, 100))
    ]


def test_sorts_by_a_column_with_missing_values_last(setting: Setting) -> None:
    query = parse_query(WORDS[0])
    hits = setting.searcher.search(query, Ranking(), SearchRequest(sort=Sort("price", descending=False), limit=1000))
    prices = [hit.fields["price"] for hit in hits]
    known = [price for price in prices if price is not None]
    assert known == sorted(known)
    assert prices[len(known) :] == [None] * (len(prices) - len(known))
    assert None in prices


@pytest.mark.parametrize("descending", [False, True])
def test_sorts_by_keywords_as_in_the_alphabet_over_segments_with_documents_without_any_last(
    tmp_path: Path, descending: bool
) -> None:
    schema = Schema([Field("text", FieldKind.TEXT, analysis=PLAIN), Field("brand", FieldKind.KEYWORD)])
    brands = [["Zenit"], [], ["apple"], ["Émile", "zebra"], ["Banana"], ["APPLE"], ["zürich"], ["École"]]
    with IndexWriter(tmp_path, schema) as writer:
        for number, brand in enumerate(brands):
            writer.put(str(number), {"text": "thing", "brand": brand})
            if number % 3 == 2:
                writer.commit()
        writer.delete("4")
        writer.commit()
    request = SearchRequest(sort=Sort("brand", descending=descending))
    hits = Searcher(open_snapshot(tmp_path)).search(parse_query("thing"), Ranking(), request)
    rising = ["5", "2", "7", "3", "0", "6"]
    assert [hit.key for hit in hits] == [*(reversed(rising) if descending else rising), "1"]


def test_a_column_without_an_order_cannot_be_sorted_by(setting: Setting) -> None:
    with pytest.raises(SchemaError, match=r"“body” is no column that can be sorted by. Those are: .*price.*tag"):
        setting.searcher.search(parse_query(WORDS[0]), Ranking(), SearchRequest(sort=Sort("body")))


def test_formula_reorders_all_matches(setting: Setting) -> None:
    query = parse_query(WORDS[0])
    ranking = Ranking(formula=parse_formula("text + price * 10"))
    hits = setting.searcher.search(query, ranking, SearchRequest(limit=5))
    scores = setting.truth.term(WORDS[0])
    wanted = {key: s + 10 * float(setting.documents[key]["price"] or 0) for key, s in scores.items()}  # type: ignore[arg-type]
    best = sorted(wanted.values(), reverse=True)[:5]
    assert [hit.score for hit in hits] == pytest.approx(best, rel=1e-9)


def test_static_columns_are_added(setting: Setting) -> None:
    query = parse_query(WORDS[0])
    hits = setting.searcher.search(query, Ranking(columns={"price": 0.5}), SearchRequest(limit=1000))
    scores = setting.truth.term(WORDS[0])
    wanted = {key: s + 0.5 * float(setting.documents[key]["price"] or 0) for key, s in scores.items()}  # type: ignore[arg-type]
    assert {hit.key: hit.score for hit in hits} == pytest.approx(wanted, rel=1e-9)
    assert [hit.score for hit in hits] == sorted((hit.score for hit in hits), reverse=True)


def test_prefixes_and_typing_errors_find_words(setting: Setting) -> None:
    word = WORDS[20]
    with_prefix = {key for key, _ in setting.found(word[:3] + "*", Joining.AND, limit=10_000)}
    wanted = {k for w in WORDS if w.startswith(word[:3]) for k in setting.truth.term(w)}
    assert with_prefix == wanted
    wrong = word[:2] + word[3:]
    assert set(setting.truth.term(word)) <= {key for key, _ in setting.found(wrong + "~1", Joining.AND, limit=10_000)}


def test_unknown_words_find_nothing(setting: Setting) -> None:
    assert setting.found("xyzzyx", Joining.AND) == []
    assert setting.found(f"xyzzyx {WORDS[0]}", Joining.AND) == []
    assert setting.found('"xyzzyx plugh"', Joining.AND) == []


def test_a_word_of_every_document_matches_with_score_zero(tmp_path: Path) -> None:
    with IndexWriter(tmp_path, SCHEMA) as writer:
        for i in range(3):
            writer.put(str(i), {"body": f"same {'more ' * i}"})
        writer.commit()
    hits = Searcher(open_snapshot(tmp_path)).search(parse_query("same"))
    assert [(hit.key, hit.score) for hit in hits] == [("0", 0.0), ("1", 0.0), ("2", 0.0)]


def test_an_empty_index_answers(tmp_path: Path) -> None:
    with IndexWriter(tmp_path, SCHEMA) as writer:
        writer.commit()
    searcher = Searcher(open_snapshot(tmp_path))
    assert len(searcher.search(parse_query("any thing*"))) == 0
    assert np.asarray(searcher.snapshot.alive).size == 0


def test_words_of_several_parts(tmp_path: Path) -> None:
    """All words: parts side by side or written as one. Any word: each part may match alone."""
    with IndexWriter(tmp_path, SCHEMA) as writer:
        for key, body in {
            "hyphen": "wi-fi on",
            "one": "wifi on",
            "two": "wi fi on",
            "apart": "fi on wi",
            "fi": "fi",
        }.items():
            writer.put(key, {"body": body})
        writer.commit()
    searcher = Searcher(open_snapshot(tmp_path))
    every = searcher.search(parse_query("wi-fi on", joining=Joining.AND))
    assert {hit.key for hit in every} == {"hyphen", "one", "two"}
    some = searcher.search(parse_query("wi-fi off", joining=Joining.OR))
    assert {hit.key for hit in some} == {"hyphen", "two", "apart", "fi"}


def test_a_phrase_with_a_hyphen_is_found_written_as_one_word(tmp_path: Path) -> None:
    bodies = {
        "hyphen": "my e-mail address book",
        "one": "my email address book",
        "two": "my e mail address book",
        "far": "my email or address book",
    }
    with IndexWriter(tmp_path, SCHEMA) as writer:
        for key, body in bodies.items():
            writer.put(key, {"body": body})
        writer.commit()
    searcher = Searcher(open_snapshot(tmp_path))
    for text in ('"my e-mail address book"', '"e-mail address"', '"my e-mail"'):
        query = parse_query(text)
        hits = searcher.search(query, request=WITH_COUNT)
        assert {hit.key for hit in hits} == {"hyphen", "one", "two"} | ({"far"} if text == '"my e-mail"' else set())
        assert all(searcher.explain(query, hit.key) for hit in hits)
    assert searcher.search(parse_query('"e-mail address"~1'), request=WITH_COUNT).total == 4


def test_words_with_a_comma_or_a_slash_between_them_are_several(tmp_path: Path) -> None:
    bodies = {
        "both": "coffee, no tea",
        "tea": "tea",
        "band": "AC/DC",
        "apart": "dc and ac",
        "number": "1,299 or 24/7",
        "digits": "7 or 24",
    }
    with IndexWriter(tmp_path, SCHEMA) as writer:
        for key, body in bodies.items():
            writer.put(key, {"body": body})
        writer.commit()
    searcher = Searcher(open_snapshot(tmp_path))

    def keys(text: str) -> set[str]:
        query = parse_query(text)
        hits = searcher.search(query)
        assert all(searcher.explain(query, hit.key) for hit in hits)
        return {hit.key for hit in hits}

    for text in ("tea,coffee", "tea/coffee", "tea;coffee", "no tea|coffee", "tea, /coffee"):
        assert keys(text) == {"both"}, text
    assert keys("tea,") == {"both", "tea"}
    assert keys("ac/dc") == {"band"}
    assert keys("ac,dc") == {"band", "apart"}
    assert keys("24/7") == {"number"}
    assert keys("1,299") == {"number"}


def test_one_character_of_a_script_in_pairs_is_found(tmp_path: Path) -> None:
    with IndexWriter(tmp_path, SCHEMA) as writer:
        writer.put("tokyo", {"body": "東京都に住む"})
        writer.commit()
    searcher = Searcher(open_snapshot(tmp_path))
    assert [hit.key for hit in searcher.search(parse_query("東"))] == ["tokyo"]
    assert [hit.key for hit in searcher.search(parse_query("東京都"))] == ["tokyo"]
    assert not searcher.search(parse_query("京東")).hits


def test_fields_with_another_analysis_are_searched_too(tmp_path: Path) -> None:
    schema = Schema([Field("title", analysis=PLAIN), Field("body", analysis=Analysis(language="en"))])
    with IndexWriter(tmp_path, schema) as writer:
        writer.put("title", {"title": "running shoes", "body": ""})
        writer.put("body", {"title": "", "body": "he runs home"})
        writer.put("both", {"title": "running", "body": "running"})
        writer.put("none", {"title": "x", "body": "y"})
        writer.commit()
    searcher = Searcher(open_snapshot(tmp_path))
    assert {hit.key for hit in searcher.search(parse_query("running"))} == {"title", "body", "both"}
    assert [hit.key for hit in searcher.search(parse_query("title:runs", fields={"title"}))] == []
    assert [hit.key for hit in searcher.search(parse_query('"running shoes"'))] == ["title"]


def test_synonyms_find_each_other(tmp_path: Path) -> None:
    with IndexWriter(tmp_path, SCHEMA) as writer:
        writer.put("tv", {"body": "a tv set"})
        writer.put("box", {"body": "the goggle box"})
        writer.put("other", {"body": "box"})
        writer.commit()
    analyzer = Analyzer(PLAIN, synonyms=[["tv", "television", "goggle box"]])
    searcher = Searcher(open_snapshot(tmp_path), [analyzer])
    assert {hit.key for hit in searcher.search(parse_query("television"))} == {"tv", "box"}


def test_synonyms_of_several_words_count_beside_other_words(tmp_path: Path) -> None:
    bodies = {
        "short": "a cheap nyc hotel",
        "long": "hotel in new york",
        "apart": "york has a new hotel",
        "city": "nyc",
        "other": "new hotel",
    }
    with IndexWriter(tmp_path, SCHEMA) as writer:
        for key, body in bodies.items():
            writer.put(key, {"body": body})
        writer.commit()
    searcher = Searcher(open_snapshot(tmp_path), [Analyzer(PLAIN, synonyms=[["new york", "nyc"]])])

    def keys(text: str, joining: Joining) -> set[str]:
        query = parse_query(text, joining=joining)
        hits = searcher.search(query)
        for hit in hits:
            explanation = searcher.explain(query, hit.key)
            assert explanation is not None
            assert explanation.score == pytest.approx(hit.score)
        return {hit.key for hit in hits}

    assert keys("new york hotel", Joining.AND) == {"short", "long", "apart"}
    assert keys("nyc hotel", Joining.AND) == {"short", "long"}
    assert keys("new york", Joining.OR) == {"short", "long", "apart", "city", "other"}
    assert keys("hotel -(new york)", Joining.AND) == {"other"}
