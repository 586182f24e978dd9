"""`word*` finds every document with a word that begins so, however many words that are, and `-word*` leaves none."""

import random
from itertools import product
from pathlib import Path
from string import ascii_lowercase

import pytest

from backend.search_engine.errors import DeadlineExceededError
from backend.search_engine.fuzzy import TypingAid, WordCounter, typing_aid
from backend.search_engine.index import Field, IndexWriter, Schema, open_snapshot
from backend.search_engine.index.decode import RANGE_BITS
from backend.search_engine.query import parse_query
from backend.search_engine.ranking import Ranking
from backend.search_engine.search import Searcher, SearchRequest, exact
from backend.search_engine.search.deadline import Deadline
from backend.search_engine.search.term_lists import MAX_SCORED
from backend.search_engine.text import Analyzer
from tests.unit.backend.search_engine.brute_force import BruteForce
from tests.unit.backend.search_engine.corpus import BOOSTS, PLAIN, SCHEMA, write_index

WORDS = [f"co{first}{second}" for first, second in product(ascii_lowercase, repeat=2)]
ALL = SearchRequest(limit=2000, count=True)


def make_documents() -> dict[str, dict[str, object]]:
    """Every word in one document at least, some in many, some only in a title."""
    rng = random.Random(5)
    documents: dict[str, dict[str, object]] = {}
    for i, word in enumerate(WORDS):
        field = ("title", "body")[i % 2]
        documents[f"one{i}"] = {field: f"{word} tea"}
    for i in range(300):
        some = [WORDS[int(len(WORDS) * rng.random() ** 2)] for _ in range(5)]
        documents[f"many{i}"] = {"title": some[0], "body": " ".join(some[1:])}
    for i in range(40):
        documents[f"none{i}"] = {"title": "tea", "body": "cup"}
    return documents


class Setting:
    """The documents in an index of several segments, some deleted, and without it."""

    def __init__(self, folder: Path) -> None:
        documents = make_documents()
        write_index(folder, documents, per_commit=150)
        gone = list(documents)[::9]
        with IndexWriter(folder, SCHEMA, merges=False) as writer:
            for key in gone:
                writer.delete(key)
            writer.commit()
        kept = {key: each for key, each in documents.items() if key not in gone}
        self.documents = kept
        self.searcher = Searcher(open_snapshot(folder))
        self.brute = BruteForce(kept, Analyzer(PLAIN), BOOSTS)  # type: ignore[arg-type]
        self.all_documents = documents

    def found(self, query: str) -> dict[str, float]:
        hits = self.searcher.search(parse_query(query), None, ALL)
        assert hits.total == len(hits)
        return {hit.key: hit.score for hit in hits}

    def having(self, *fields: str) -> set[str]:
        return {key for key, each in self.documents.items() if any("co" in str(each.get(field)) for field in fields)}


@pytest.fixture(scope="module")
def setting(tmp_path_factory: pytest.TempPathFactory) -> Setting:
    return Setting(tmp_path_factory.mktemp("prefixes"))


def test_more_words_than_are_scored_lose_no_document(setting: Setting) -> None:
    assert len(WORDS) > MAX_SCORED
    assert set(setting.found("co*")) == setting.having("title", "body")
    assert set(setting.found("title:co*")) == setting.having("title")
    assert set(setting.found("co* tea")) == {key for key in setting.having("title", "body") if key.startswith("one")}


def test_more_words_than_are_scored_are_all_left_out(setting: Setting) -> None:
    everything = set(setting.documents)
    assert set(setting.found("* -co*")) == everything - setting.having("title", "body")
    assert set(setting.found("* -title:co*")) == everything - setting.having("title")
    assert set(setting.found("tea -(cup OR co*)")) == set()


def test_the_most_frequent_words_are_scored_as_by_brute_force(setting: Setting) -> None:
    texts = [f"{each.get('title', '')} {each.get('body', '')}" for each in setting.all_documents.values()]
    dfs = {
        word: sum(word in text.split() for text in texts) for word in WORDS
    }  # as in the dictionary, with deleted ones
    scored = sorted(WORDS, key=lambda word: (-dfs[word], word))[:MAX_SCORED]
    wanted = dict.fromkeys(setting.having("title", "body"), 0.0)
    for word in scored:
        for key, score in setting.brute.term(word).items():
            wanted[key] = max(wanted[key], score)
    found = setting.found("co*")
    assert found == pytest.approx(wanted, rel=1e-9, abs=1e-15)
    assert 0 < sum(score < 1e-15 for score in wanted.values()) < len(wanted)
    page = setting.searcher.search(parse_query("co*"))
    assert [(hit.key, hit.score) for hit in page] == list(found.items())[:10]


def test_scores_are_explained_past_the_words_that_are_scored(setting: Setting) -> None:
    query = parse_query("co* tea")
    hits = setting.searcher.search(query, None, ALL)
    for hit in hits.hits[::25]:
        explained = setting.searcher.explain(query, hit.key)
        assert explained is not None
        assert explained.score == pytest.approx(hit.score, abs=1e-15)
    assert setting.searcher.explain(parse_query("* -co*"), hits[0].key) is None


def test_documents_of_many_words_are_scored_a_few_at_a_time(setting: Setting, monkeypatch: pytest.MonkeyPatch) -> None:
    matcher = setting.searcher.matcher(Ranking())
    plan = matcher.plan(parse_query("co*").root, Deadline(None))
    slots = plan.clauses[0].postings.slots(RANGE_BITS)
    at_once = exact.exact_text(setting.searcher.snapshot, plan, slots)
    sizes: list[int] = []
    scored = exact._exact_text
    monkeypatch.setattr(exact, "_exact_text", lambda *all_: sizes.append(len(all_[-1])) or scored(*all_))
    found = exact.exact_text(setting.searcher.snapshot, plan, slots, checkpoint=lambda: None)
    assert found.tolist() == at_once.tolist()
    assert sum(sizes) == len(slots)
    assert max(sizes) * MAX_SCORED <= exact._CHUNK * exact._MANY_LISTS


def test_a_prefix_of_many_words_stops_in_time(setting: Setting) -> None:
    for query in ("co*", "* -co*"):
        with pytest.raises(DeadlineExceededError):
            setting.searcher.search(parse_query(query), None, SearchRequest(deadline_seconds=-1))


def test_one_character_with_many_neighbours_is_found_in_every_document(tmp_path: Path) -> None:
    others = [chr(0x4E8C + i) for i in range(80)]
    with IndexWriter(tmp_path, SCHEMA) as writer:
        for other in others:
            writer.put(other, {"body": f"東{other}"})
        writer.commit()
    searcher = Searcher(open_snapshot(tmp_path))
    assert {hit.key for hit in searcher.search(parse_query("東"), None, ALL)} == set(others)
    assert searcher.search(parse_query("* -東"), None, ALL).total == 0


HAPPY = [f"happin{first}{second}" for first, second in product("bcdfghkl", repeat=2)]


@pytest.fixture
def stems(tmp_path: Path) -> tuple[Searcher, TypingAid]:
    """Many documents with words that begin alike, and one with a word whose stem (happi) does not."""
    counter = WordCounter()
    with IndexWriter(tmp_path, Schema([Field("body")])) as writer:
        texts = [f"{word} {word}" for word in HAPPY] + ["a happiness"]
        for number, text in enumerate(texts):
            writer.put(str(number), {"body": text})
            counter.add(text)
        writer.commit()
    return Searcher(open_snapshot(tmp_path)), TypingAid.build(counter.counts)


def test_a_rare_written_word_is_found_beside_many_frequent_ones(stems: tuple[Searcher, TypingAid]) -> None:
    searcher, aid = stems
    assert searcher.search(aid.widen(parse_query("happin*")), None, ALL).total == len(HAPPY) + 1
    assert searcher.search(aid.widen(parse_query("* -happin*")), None, ALL).total == 0


def test_more_written_words_than_are_looked_up_are_told(
    stems: tuple[Searcher, TypingAid], monkeypatch: pytest.MonkeyPatch
) -> None:
    searcher, aid = stems
    assert not aid.widen(parse_query("happin*")).notices
    monkeypatch.setattr(typing_aid, "MAX_BEGINNINGS", len(HAPPY))
    [notice] = aid.widen(parse_query("tea happin* happin*")).notices
    assert (notice.position, "begin with “happin”" in notice.message) == (4, True)
    assert "Write more letters" in notice.hint
    hits = searcher.search(aid.widen(parse_query("happin*")), None, ALL)
    assert (hits.total, hits.notices[0].message) == (len(HAPPY), notice.message)


@pytest.fixture
def parts(tmp_path: Path) -> Searcher:
    bodies = {
        "hyphen": "send e-mail",
        "one": "send email",
        "apart": "wi fi on",
        "wifi": "wi-fi on",
        "first": "wi wo e",
        "irish": "O'Neill",
        "fi": "fi mail",
    }
    with IndexWriter(tmp_path, SCHEMA) as writer:
        for key, body in bodies.items():
            writer.put(key, {"body": body})
        writer.commit()
    return Searcher(open_snapshot(tmp_path))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("e-mai*", {"hyphen", "one"}),
        ("wi-f*", {"apart", "wifi"}),
        ("wi-fy~", {"wifi"}),
        ("wi-fy~1", {"apart", "wifi"}),
        ("o'ne*", {"irish"}),
        ("wi-x*", set()),
        ("on -wi-f*", set()),
        ("wi -wi-f*", {"first"}),
    ],
)
def test_of_a_word_of_several_parts_all_but_the_last_must_be_there(
    parts: Searcher, text: str, expected: set[str]
) -> None:
    query = parse_query(text)
    hits = parts.search(query, None, ALL)
    assert {hit.key for hit in hits} == expected
    for hit in hits:
        explained = parts.explain(query, hit.key)
        assert explained is not None
        assert explained.score == pytest.approx(hit.score, abs=1e-15)
