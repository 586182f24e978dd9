"""The relevance lab: judging by clicking, measures checked by hand, comparison, and a search that warns."""

import threading
from collections.abc import Callable
from datetime import timedelta
from math import log2
from typing import Any

import numpy as np
import pytest
from django.utils import timezone
from rest_framework.test import APIClient

from backend.apps.accounts.models import User
from backend.apps.indexers.models import Indexer
from backend.apps.search.lab import tunings
from backend.apps.search.lab.tuning import Outcome, candidates, cross_validate, fold_numbers, summarize, weight_names
from backend.apps.search.lab.tunings import run_in_turn, run_tuning, settle_silent, stop_tuning
from backend.apps.search.models import JudgedQuery, Tuning, TuningState
from backend.apps.search.served import SERVED
from backend.apps.search.wishes import TryOut
from backend.search_engine.index import IndexWriter
from tests.integration.search.shelf import LONG, build_index, indexed


def judge(client: APIClient, indexer: Indexer, query: str, key: str, grade: int | None) -> Any:
    body = {"query": query, "key": key, "grade": grade}
    return client.post(f"/api/v1/indexers/{indexer.pk}/judge", body, format="json")


def post(client: APIClient, indexer: Indexer, kind: str, **body: Any) -> Any:
    return client.post(f"/api/v1/indexers/{indexer.pk}/{kind}", body, format="json")


def test_results_are_judged_one_by_one_and_a_judgement_can_be_taken_back(owner: APIClient, shop: Indexer) -> None:
    answer = judge(owner, shop, "  samsung   ssd ", "1", 3)
    assert (answer.status_code, answer.json()["text"]) == (200, "samsung ssd")
    judge(owner, shop, "samsung ssd", "2", 1)
    judge(owner, shop, "samsung ssd", "1", 2)
    query = JudgedQuery.objects.get()
    assert {row.document_key: row.grade for row in query.judgements.all()} == {"1": 2, "2": 1}
    assert query.judgements.first().judged_by == User.objects.get(username="owner")
    assert judge(owner, shop, "samsung ssd", "2", None).status_code == 200
    assert judge(owner, shop, "samsung ssd", "1", None).status_code == 204
    assert not JudgedQuery.objects.exists()
    assert judge(owner, shop, "tea", "1", 4).status_code == 400


def test_judged_queries_can_be_written_as_a_whole(owner: APIClient, shop: Indexer) -> None:
    body = {"indexer": shop.pk, "text": "tea", "judgements": [{"key": "5", "grade": 3}, {"key": "4", "grade": 1}]}
    made = owner.post("/api/v1/judged-queries", body, format="json")
    assert made.status_code == 201, made.content
    again = owner.post("/api/v1/judged-queries", body, format="json")
    assert again.json()["fields"] == {"text": ["This indexer has that query already."]}
    address = f"/api/v1/judged-queries/{made.json()['id']}"
    changed = owner.patch(address, {"judgements": [{"key": "5", "grade": 2}]}, format="json").json()
    assert [(row["key"], row["grade"]) for row in changed["judgements"]] == [("5", 2)]
    twice = {"judgements": [{"key": "5", "grade": 2}, {"key": "5", "grade": 1}]}
    assert owner.patch(address, twice, format="json").status_code == 400
    assert owner.get("/api/v1/judged-queries", {"indexer": shop.pk}).json()["count"] == 1
    assert owner.delete(address).status_code == 204


def test_measures_are_those_one_gets_by_hand(owner: APIClient, shop: Indexer) -> None:
    found = owner.get(f"/api/v1/indexers/{shop.pk}/search", {"q": "tea"}).json()
    first, second, third = (result["key"] for result in found["results"])
    judge(owner, shop, "tea", second, 3)
    judge(owner, shop, "tea", third, 1)
    judge(owner, shop, "tea", first, 0)
    judge(owner, shop, "tea", "not in the index", 2)
    answer = post(owner, shop, "evaluate").json()
    [query] = answer["queries"]
    ideal = 3 + 2 / log2(3) + 1 / log2(4)
    assert query["ndcg_at_10"] == pytest.approx((3 / log2(3) + 1 / log2(4)) / ideal)
    assert query["map"] == pytest.approx((1 / 2 + 2 / 3 + 0) / 3)
    assert query["precision_at_5"] == pytest.approx(2 / 5)
    assert (query["relevant"], query["found"]) == (3, 2)
    assert answer["overall"]["map"] == query["map"]


def test_what_a_search_hides_is_not_measured(owner: APIClient, indexer: Indexer) -> None:
    texts = {"1": LONG, "2": LONG, "3": "Calls and pictures from the mountains.", "4": "Boils water."}
    build_index(indexer, {key: {"name": f"Drive {key}", "text": text} for key, text in texts.items()}, unsafe=["4"])
    for settings in ({}, {"hide_duplicates": True, "safe_search": True}):
        owner.patch(f"/api/v1/indexers/{indexer.pk}", settings, format="json")
        shown = [row["key"] for row in owner.get(f"/api/v1/indexers/{indexer.pk}/search?q=drive").json()["results"]]
        judge(owner, indexer, "drive", shown[-1], 3)
        [query] = post(owner, indexer, "evaluate").json()["queries"]
        assert query["map"] == pytest.approx(1 / len(shown))
        judge(owner, indexer, "drive", shown[-1], None)
    assert len(shown) == 2
    judge(owner, indexer, "drive", "4", 3)
    assert post(owner, indexer, "evaluate").json()["queries"][0]["found"] == 0


def test_a_judged_query_is_mended_as_a_search_does_it(owner: APIClient, shop: Indexer) -> None:
    assert owner.get(f"/api/v1/indexers/{shop.pk}/search?q=samsang+phone").json()["corrected"] == "samsung phone"
    judge(owner, shop, "samsang phone", "3", 3)
    assert post(owner, shop, "evaluate").json()["queries"][0]["ndcg_at_10"] == 1


def test_two_settings_stand_side_by_side(owner: APIClient, shop: Indexer) -> None:
    judge(owner, shop, "samsung", "3", 3)
    judge(owner, shop, "ssd", "2", 3)
    answer = post(owner, shop, "compare", first={"formula": "0 - price"}, second={"formula": "price"}).json()
    differences = {row["query"]: row["difference"] for row in answer["differences"]}
    assert differences["samsung"] > 0 > differences["ssd"]
    assert (answer["better"], answer["worse"], answer["same"]) == (1, 1, 0)
    assert answer["second"]["overall"]["ndcg_at_10"] == pytest.approx((1 + 1 / log2(3)) / 2)


@pytest.mark.parametrize(
    ("tried", "field"), [({"formula": "log("}, "formula"), ({"colour": 1}, "settings"), ({"b": 9}, "b")]
)
def test_settings_that_cannot_be_tried_are_refused(
    owner: APIClient, shop: Indexer, tried: dict[str, Any], field: str
) -> None:
    judge(owner, shop, "tea", "5", 3)
    answer = post(owner, shop, "evaluate", settings=tried)
    assert answer.status_code == 400
    assert field in answer.json()["fields"]


def test_a_comparison_says_which_side_cannot_be_tried(owner: APIClient, shop: Indexer) -> None:
    judge(owner, shop, "tea", "5", 3)
    answer = post(owner, shop, "compare", first={"k": 1.0}, second={"formula": "1 +"})
    assert answer.status_code == 400
    assert list(answer.json()["fields"]) == ["second.formula"]


def test_without_wanted_documents_there_is_nothing_to_measure(owner: APIClient, shop: Indexer) -> None:
    judge(owner, shop, "tea", "5", 0)
    answer = post(owner, shop, "evaluate")
    assert (answer.status_code, answer.json()["code"]) == (409, "conflict")
    assert "mark results as good" in answer.json()["detail"]
    assert owner.post("/api/v1/tunings", {"indexer": shop.pk}, format="json").status_code == 409


def test_a_search_for_settings_finds_what_is_better_and_warns_of_few_queries(owner: APIClient, shop: Indexer) -> None:
    judge(owner, shop, "tea", "4", 3)
    tuning = Tuning.objects.create(indexer=shop, seconds=20, state=TuningState.RUNNING, heartbeat_at=timezone.now())
    run_tuning(tuning.pk)
    answer = owner.get(f"/api/v1/tunings/{tuning.pk}").json()
    assert (answer["state"], answer["progress"]) == ("done", 1.0)
    result = answer["result"]
    assert result["train"] >= result["stored"]
    assert result["trials"] == answer["trials"] > 20
    assert "chance" in result["warnings"][0]
    best = post(owner, shop, "evaluate", settings=result["settings"]).json()
    assert best["overall"]["ndcg_at_10"] == pytest.approx(result["train"])


def test_a_search_is_stopped_and_one_whose_server_died_is_not_running(owner: APIClient, shop: Indexer) -> None:
    judge(owner, shop, "tea", "4", 3)
    tuning = Tuning.objects.create(indexer=shop, seconds=60, state=TuningState.RUNNING, heartbeat_at=timezone.now())
    assert owner.post("/api/v1/tunings", {"indexer": shop.pk}, format="json").status_code == 409
    assert owner.post(f"/api/v1/tunings/{tuning.pk}/stop").json()["state"] == "stopped"
    run_tuning(tuning.pk)
    tuning.refresh_from_db()
    assert tuning.state == TuningState.STOPPED
    assert tuning.result["trials"] == 1
    assert "stopped early" in tuning.result["warnings"][-1]
    dead = Tuning.objects.create(indexer=shop, seconds=60, heartbeat_at=timezone.now() - timedelta(minutes=5))
    assert owner.get(f"/api/v1/tunings/{dead.pk}").json()["state"] == "failed"


class Turns(threading.Semaphore):
    """The place of a search that runs: taken when first asked for, then free; `meanwhile` happens in between."""

    def __init__(self, meanwhile: Callable[[], None]) -> None:
        super().__init__(1)
        self._meanwhile: list[Callable[[], None]] = [lambda: None, meanwhile]

    def acquire(self, blocking: bool = True, timeout: float | None = None) -> bool:
        if not self._meanwhile:
            return super().acquire(blocking, timeout)
        self._meanwhile.pop(0)()
        return False


def waiting_for_long(shop: Indexer) -> Tuning:
    long_ago = timezone.now() - timedelta(minutes=5)
    return Tuning.objects.create(indexer=shop, seconds=20, heartbeat_at=long_ago)


def test_a_search_that_waits_for_another_one_says_so_and_then_runs(
    owner: APIClient, shop: Indexer, monkeypatch: pytest.MonkeyPatch
) -> None:
    judge(owner, shop, "tea", "4", 3)
    tuning, seen = waiting_for_long(shop), []

    def meanwhile() -> None:
        seen.append(owner.get(f"/api/v1/tunings/{tuning.pk}").json())
        seen.append(owner.post("/api/v1/tunings", {"indexer": shop.pk}, format="json").status_code)

    monkeypatch.setattr(tunings, "_at_once", Turns(meanwhile))
    run_in_turn(tuning.pk)
    assert (seen[0]["state"], seen[0]["reason"]) == ("waiting", tunings.WAITS)
    assert seen[1] == 409
    answer = owner.get(f"/api/v1/tunings/{tuning.pk}").json()
    assert (answer["state"], answer["reason"], answer["progress"]) == ("done", "", 1.0)


def test_a_search_that_is_stopped_while_it_waits_never_begins(
    owner: APIClient, shop: Indexer, monkeypatch: pytest.MonkeyPatch
) -> None:
    judge(owner, shop, "tea", "4", 3)
    tuning = waiting_for_long(shop)
    monkeypatch.setattr(tunings, "_at_once", Turns(lambda: stop_tuning(tuning=tuning)))
    run_in_turn(tuning.pk)
    tuning.refresh_from_db()
    assert (tuning.state, tuning.trials, tuning.result) == (TuningState.STOPPED, 0, None)


def test_one_that_waits_in_a_server_that_died_does_not_wait(owner: APIClient, shop: Indexer) -> None:
    assert owner.get(f"/api/v1/tunings/{waiting_for_long(shop).pk}").json()["state"] == "failed"
    settle_silent()
    assert Tuning.objects.get().state == TuningState.FAILED


def test_a_search_that_breaks_off_does_not_look_like_one_that_runs(
    owner: APIClient, shop: Indexer, monkeypatch: pytest.MonkeyPatch
) -> None:
    tuning = waiting_for_long(shop)
    monkeypatch.setattr(tunings, "tune", lambda *_, **__: 1 / 0)
    run_in_turn(tuning.pk)
    answer = owner.get(f"/api/v1/tunings/{tuning.pk}").json()
    assert (answer["state"], answer["reason"]) == ("failed", tunings.BROKE)


@pytest.mark.parametrize("queries", [6, 12, 30])
def test_the_best_of_many_settings_that_are_all_noise_is_found_out(queries: int) -> None:
    for seed in range(5):
        noise = np.random.default_rng(seed).random((400, queries)) * 0.5
        result = summarize(Outcome([TryOut(k=1 + number / 1000) for number in range(400)], noise))
        assert result["train"] > result["held_out"] + 0.03
        assert any("Over-fitting" in sentence for sentence in result["warnings"])


def test_a_setting_that_is_always_better_brings_no_warning() -> None:
    scores = np.vstack([np.full(20, 0.4), np.full(20, 0.9), np.full(20, 0.5)])
    result = summarize(Outcome([TryOut(), TryOut(k=1.0), TryOut(b=0.1)], scores))
    assert (result["settings"], result["warnings"]) == ({"k": 1.0}, [])
    assert (result["train"], result["held_out"], result["stored"]) == pytest.approx((0.9, 0.9, 0.4))


def test_what_is_not_better_on_queries_left_out_is_not_recommended() -> None:
    scores = np.vstack([np.full(12, 0.5), np.r_[np.ones(1), np.full(11, 0.47)]])
    result = summarize(Outcome([TryOut(), TryOut(k=1.0)], scores))
    assert result["train"] > result["stored"]
    assert "Keep them" in result["warnings"][-1]


def test_every_query_is_left_out_once_in_each_dealing() -> None:
    assert sorted(np.bincount(fold_numbers(13, seed=0)).tolist()) == [6, 7]
    assert fold_numbers(13, seed=0).tolist() != fold_numbers(13, seed=1).tolist()
    assert cross_validate(np.array([[0.2, 0.4], [0.9, 0.1]])) == pytest.approx((0.2 + 0.1) / 2)
    assert cross_validate(np.array([[0.2], [0.9]])) == pytest.approx(0.2)


def test_candidates_begin_with_the_stored_settings_and_are_the_same_for_everybody() -> None:
    first = [candidate for candidate, _ in zip(candidates(["name"]), range(50), strict=False)]
    assert first[0] == TryOut()
    assert first == [candidate for candidate, _ in zip(candidates(["name"]), range(50), strict=False)]


def test_weights_are_tried_alone_beside_the_stored_ones() -> None:
    stored = {"text": 2.0, "title": 0.3}
    tried = [candidate for candidate, _ in zip(candidates([], ["title", "quality"], stored), range(200), strict=False)]
    alone = [dict(each.weights) for each in tried if each.weights and each.k is None]
    assert {"text": 2.0, "title": 1.0} in alone
    assert {"text": 2.0, "title": 0.3, "quality": 3.0} in alone
    assert stored not in alone
    mixed = [dict(each.weights) for each in tried if each.weights and each.k is not None]
    assert all(weights["text"] == 2.0 for weights in mixed)
    assert {frozenset(weights) for weights in mixed} >= {frozenset(("text", "quality")), frozenset(("text", "title"))}


def test_only_weights_that_can_make_a_difference_are_tried(shop: Indexer) -> None:
    served = SERVED.get(shop)
    assert weight_names(served, served.index.searcher) == ["title", "phrase", "subsequence"]
    with IndexWriter(served.folder, served.index.searcher.snapshot.schema) as writer:
        old = {"quality": 0.9, "fetched": "2020-01-01T00:00:00+00:00"}
        writer.put("7", {**indexed("7", {"name": "Old tea"}), **old})
        writer.commit()
    served.index.follow()
    assert weight_names(served, served.index.searcher) == ["title", "phrase", "subsequence", "quality", "freshness"]
