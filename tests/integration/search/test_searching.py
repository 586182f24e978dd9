"""Searching over REST: what is found, how it is shown, narrowed down, ordered, counted and refused."""

import json
from typing import Any

import pytest
from rest_framework.test import APIClient

from backend.apps.indexers.models import Indexer
from backend.apps.search.served import SERVED
from tests.integration.search.shelf import BUILD, PRODUCTS, build_index


def ask(client: APIClient, indexer: Indexer, query: str = "", **more: Any) -> dict[str, Any]:
    answer = client.get(f"/api/v1/indexers/{indexer.pk}/search", {"q": query, **more})
    assert answer.status_code == 200, answer.content
    found: dict[str, Any] = answer.json()
    return found


def refused(client: APIClient, indexer: Indexer, **parameters: Any) -> dict[str, Any]:
    answer = client.get(f"/api/v1/indexers/{indexer.pk}/search", parameters)
    assert answer.status_code == 400, answer.content
    fields: dict[str, Any] = answer.json()["fields"]
    return fields


def keys(answer: dict[str, Any]) -> list[str]:
    return [result["key"] for result in answer["results"]]


def text(pieces: list[dict[str, Any]]) -> str:
    return "".join(f"[{piece['text']}]" if piece["match"] else piece["text"] for piece in pieces)


def test_a_result_has_values_by_column_highlights_a_passage_and_its_page(owner: APIClient, shop: Indexer) -> None:
    answer = ask(owner, shop, "fast ssd")
    assert (answer["total"], keys(answer)) == (1, ["1"])
    [result] = answer["results"]
    assert result["url"] == "http://shop.example/1"
    assert text(result["title"]) == "Samsung [SSD] 1TB"
    assert text(result["highlights"]["name"]) == "Samsung [SSD] 1TB"
    assert "[fast] drive" in text(result["snippet"])
    assert text(result["snippet"]).startswith("… ")
    assert result["fields"]["price"] == {"amount": 89.0, "currency": "EUR"}
    assert result["fields"]["brand"] == "Samsung"
    assert result["fields"]["since"] is None
    assert (result["host"], result["crawler"]) == ("shop.example", "Shop")
    assert result["fetched_at"] == "2024-03-01T10:00:00Z"


def test_the_answer_tells_of_the_index_and_its_columns(owner: APIClient, shop: Indexer) -> None:
    answer = ask(owner, shop)
    assert answer["total"] == len(PRODUCTS)
    assert answer["index"]["documents"] == len(PRODUCTS)
    assert answer["index"]["generation"] == 1
    assert answer["index"]["bytes"] > 1_000
    assert answer["ms"] > 0
    columns = {column["name"]: column for column in answer["columns"]}
    assert [columns[name]["kind"] for name in ("name", "price", "since", "picture")] == [
        "text",
        "price",
        "date",
        "image",
    ]
    assert columns["price"]["can_sort"]
    assert columns["brand"]["can_count_values"]
    assert not columns["text"]["can_count_values"]
    assert columns["brand"]["is_facet"]
    assert not columns["text"]["is_facet"]


@pytest.mark.parametrize("page", ["project", "public"])
def test_what_was_changed_but_not_built_yet_is_not_offered_and_breaks_no_search(
    owner: APIClient, shop: Indexer, page: str
) -> None:
    stored = owner.get(f"/api/v1/indexers/{shop.pk}").json()["columns"]
    changed = {"text": {"facet": True}, "brand": {"searchable": False}, "name": {"boost": 7.0}}
    columns = [{**column, **changed.get(column["name"], {})} for column in stored if column["name"] != "since"]
    columns.append({"name": "maker", "sources": ["Product.brand"], "facet": True})
    saved = owner.patch(f"/api/v1/indexers/{shop.pk}", {"columns": columns, "public": True}, format="json")
    assert saved.status_code == 200, saved.content
    client = owner if page == "project" else APIClient()
    offered = {column["name"]: column for column in ask(client, shop)["columns"]}
    assert list(offered) == ["name", "text", "brand", "price", "picture"]
    assert [name for name, column in offered.items() if column["is_facet"]] == ["brand"]
    assert (offered["brand"]["is_searched"], offered["text"]["can_count_values"]) == (True, False)
    countable = [name for name, column in offered.items() if column["can_count_values"]]
    answer = ask(client, shop, "tea", facet=countable, sort="price", filter="brand:Globex")
    assert (keys(answer), answer["facets"][0]["values"][0]["value"]) == (["5", "6"], "Globex")
    assert SERVED.get(shop).ranking.boosts == {"name": 7.0, "text": 1.0, "brand": 1.0}


@pytest.mark.parametrize("query", ["the", "from the", '"from the"', "for a OR the"])
def test_a_query_of_stop_words_alone_finds_nothing_and_says_which_words_were_left_out(
    owner: APIClient, indexer: Indexer, query: str
) -> None:
    indexer.language_stop_words = True
    build_index(indexer)
    answer = ask(owner, indexer, query)
    assert (answer["total"], answer["results"]) == (0, [])
    [notice] = answer["notices"]
    assert "leaves out" in notice["message"]
    assert "“the”" in notice["message"]
    assert "stop words" in notice["hint"]
    assert ask(owner, indexer, f"{query} tea".replace("OR the", ""))["notices"] == []


def test_stop_words_that_the_index_keeps_are_found(owner: APIClient, shop: Indexer) -> None:
    answer = ask(owner, shop, '"from the"')
    assert (keys(answer), answer["notices"]) == (["5"], [])


def test_pages_follow_one_another(owner: APIClient, shop: Indexer) -> None:
    whole = keys(ask(owner, shop))
    first, second = (ask(owner, shop, page=page, page_size=4) for page in (1, 2))
    assert keys(first) + keys(second) == whole
    assert [result["rank"] for result in second["results"]] == [5, 6]


def test_results_are_ordered_by_a_column_either_way_and_missing_values_come_last(
    owner: APIClient, shop: Indexer
) -> None:
    assert keys(ask(owner, shop, sort="price")) == ["5", "4", "2", "1", "3", "6"]
    assert keys(ask(owner, shop, sort="-price")) == ["3", "1", "2", "4", "5", "6"]
    brands = [result["fields"]["brand"] for result in ask(owner, shop, sort="-brand")["results"]]
    assert brands == sorted(brands, reverse=True)
    assert len(set(brands)) > 1


def test_a_column_without_an_order_is_not_offered_for_sorting_and_refused_with_those_that_have(
    owner: APIClient, shop: Indexer
) -> None:
    columns = {column["name"]: column["can_sort"] for column in ask(owner, shop)["columns"]}
    assert columns == {"name": False, "text": False, "brand": True, "price": True, "since": True, "picture": False}
    refused = owner.get(f"/api/v1/indexers/{shop.pk}/search", {"q": "tea", "sort": "text"})
    assert refused.status_code == 400
    assert refused.json()["fields"]["sort"][0].startswith("“text” has no numbers, dates or values to sort by.")


@pytest.mark.parametrize(
    ("condition", "expected"),
    [
        ("brand:acme", {"2", "4"}),
        ("price:20..49.5", {"2", "4"}),
        ("price:>20", {"1", "2", "3"}),
        ("price:>=20", {"1", "2", "3", "4"}),
        ("price:<20", {"5"}),
        ("price:<=20", {"4", "5"}),
        ("since:2024-01..2024-01", {"2"}),
        ("since:..2024-02-01", {"2", "4"}),
        ("since:>2024-01-31", {"4"}),
        ("host:shop.example", set(PRODUCTS)),
        ("price:20", {"4"}),
        (["price:20", "price:4"], {"4", "5"}),
        ("fetched:2024-03-01", set(PRODUCTS)),
        ("since:2024", {"2", "4"}),
    ],
)
def test_conditions_narrow_down(
    owner: APIClient, shop: Indexer, condition: str | list[str], expected: set[str]
) -> None:
    assert set(keys(ask(owner, shop, filter=condition))) == expected


def test_several_conditions_must_all_be_true(owner: APIClient, shop: Indexer) -> None:
    assert keys(ask(owner, shop, filter=["brand:Samsung", "price:<100"])) == ["1"]


def test_facets_count_values_and_ranges_as_if_their_own_filter_were_off(owner: APIClient, shop: Indexer) -> None:
    answer = ask(owner, shop, filter="brand:Acme", facet=["brand", "price:0,50,100"])
    brand, price = answer["facets"]
    assert brand["field"] == "brand"
    assert {each["value"]: each["count"] for each in brand["values"]} == {"Acme": 2, "Samsung": 2, "Globex": 2}
    assert price["ranges"] == [{"low": 0.0, "high": 50.0, "count": 2}, {"low": 50.0, "high": 100.0, "count": 0}]


def test_a_long_query_can_be_posted_with_the_same_result(owner: APIClient, shop: Indexer) -> None:
    body = {
        "q": "ssd",
        "filters": [{"field": "brand", "values": ["Acme", "Samsung"]}, {"field": "price", "low": 49.5, "high": 89}],
        "facets": [{"field": "brand"}],
        "explain": True,
    }
    answer = owner.post(f"/api/v1/indexers/{shop.pk}/search", body, format="json").json()
    assert keys(answer) == ["2"]
    assert answer["facets"][0]["values"] == [{"value": "Acme", "count": 1}]
    assert answer["results"][0]["explanation"]["parts"][0]["label"] == "word ssd"


def test_an_explanation_adds_up_to_the_score(owner: APIClient, shop: Indexer) -> None:
    [result, _] = ask(owner, shop, "ssd 1tb", explain=1)["results"]
    explanation = result["explanation"]
    assert explanation["score"] == pytest.approx(result["score"])
    assert sum(part["score"] for part in explanation["parts"]) == pytest.approx(explanation["text"])


def test_unknown_words_are_mended_and_the_typed_query_can_be_insisted_on(owner: APIClient, shop: Indexer) -> None:
    answer = ask(owner, shop, "samsang ssd")
    assert (answer["corrected"], keys(answer)) == ("samsung ssd", ["1"])
    typed = ask(owner, shop, "samsang ssd", correct=0)
    assert (typed["corrected"], typed["did_you_mean"], typed["total"]) == (None, "samsung ssd", 0)


@pytest.mark.parametrize(
    ("typed", "corrected", "found"),
    [
        ("telly", None, ["1"]),  # a synonym, though jelly is one error away
        ("cared", None, ["3"]),  # another form of caring, though card is one error away
        ("big appel", None, ["1"]),  # a synonym of two words, though apple is one error away
        ("appel", "apple", ["4"]),
        ("jellly", "jelly", ["2"]),
        ("yours card", None, ["5"]),  # a stop word asks for nothing, though yurs is one error away
    ],
)
def test_words_that_a_form_or_a_synonym_answers_are_not_corrected(
    owner: APIClient, indexer: Indexer, typed: str, corrected: str | None, found: list[str]
) -> None:
    indexer.synonyms = [["telly", "television"], ["big appel", "television"]]
    indexer.language_stop_words = True
    names = ["Television", "Jelly", "Caring big people", "Apple", "Card", "Yurs"]
    build_index(indexer, {str(number): {"name": name} for number, name in enumerate(names, start=1)})
    answer = ask(owner, indexer, typed)
    assert (answer["corrected"], answer["did_you_mean"], keys(answer)) == (corrected, None, found)


def test_settings_can_be_tried_without_saving(owner: APIClient, shop: Indexer) -> None:
    before = keys(ask(owner, shop, "samsung"))
    tried = ask(owner, shop, "samsung", formula="price", explain=1)
    assert keys(tried) == ["3", "1"]
    assert tried["results"][0]["explanation"]["variables"] == {"price": 399.0}
    assert keys(ask(owner, shop, "samsung", formula="0 - price")) == ["1", "3"]
    assert keys(ask(owner, shop, "samsung")) == before
    shop.refresh_from_db()
    assert shop.formula == ""


def test_boosts_and_k_and_b_change_scores(owner: APIClient, shop: Indexer) -> None:
    scores = {
        ask(owner, shop, "tea", **settings)["results"][0]["score"]
        for settings in ({}, {"boosts": "name:9"}, {"k": 0.1}, {"b": 0}, {"word_weights": "tea:3"})
    }
    assert len(scores) == 5


def test_saved_settings_count_from_the_next_search_on(owner: APIClient, shop: Indexer) -> None:
    ask(owner, shop, "samsung")
    for formula, best in (("price", "3"), ("0 - price", "1")):
        answer = owner.patch(f"/api/v1/indexers/{shop.pk}", {"formula": f"text * 0 + {formula}"})
        assert answer.status_code == 200, answer.content
        assert keys(ask(owner, shop, "samsung"))[0] == best


def test_unsafe_documents_are_hidden_where_wanted(owner: APIClient, indexer: Indexer) -> None:
    build_index(indexer, unsafe=["6"])
    assert "6" in keys(ask(owner, indexer))
    assert "6" not in keys(ask(owner, indexer, safe=1))
    indexer.safe_search = True
    indexer.save()
    assert "6" not in keys(ask(owner, indexer))
    assert "6" in keys(ask(owner, indexer, safe=0))
    assert [ask(owner, indexer, **wish)["is_safe"] for wish in ({}, {"safe": 0}, {"safe": 1})] == [True, False, True]


def test_of_near_duplicates_the_best_stands_for_all(owner: APIClient, indexer: Indexer) -> None:
    story = "the quick brown fox jumps over the lazy dog and runs through a very dark forest at night " * 3
    products = {str(n): {"name": f"Copy {n}", "text": story + "x" * (n % 2), "price": n} for n in range(1, 31)}
    products["99"] = {"name": "Other", "text": "something else entirely that nobody has copied so far today"}
    build_index(indexer, products)
    grouped = ask(owner, indexer, group=1, sort="price")
    assert keys(grouped) == ["1", "99"]
    assert [result["duplicates"] for result in grouped["results"]] == [29, 0]
    assert (grouped["total"], grouped["hidden"], grouped["reachable"]) == (2, 29, 2)
    every = ask(owner, indexer)
    assert (len(keys(every)), every["total"], every["hidden"], every["reachable"]) == (10, 31, 0, 31)
    address = f"/api/v1/indexers/{indexer.pk}/search/export"
    lines = [owner.get(address, {"format": "jsonl", **wish}).getvalue().splitlines() for wish in ({}, {"group": 1})]
    assert [len(each) for each in lines] == [31, 2]


@pytest.mark.parametrize("window", [4, 64])
def test_pages_without_near_duplicates_end_where_it_was_said(
    owner: APIClient, indexer: Indexer, monkeypatch: pytest.MonkeyPatch, window: int
) -> None:
    monkeypatch.setattr("backend.apps.search.asking.GROUP_WINDOW", window)
    copied = "the quick brown fox jumps over the lazy dog and runs through a very dark forest at night " * 3
    texts = [copied if n % 3 else " ".join(f"word{n}x{each}" for each in range(20)) for n in range(30)]
    build_index(indexer, {str(n): {"name": f"P{n}", "text": text, "price": n} for n, text in enumerate(texts)})
    wanted = ["0", "1", *(str(n) for n in range(3, 30, 3))]  # one stands for all copies
    found: list[str] = []
    while True:
        answer = ask(owner, indexer, group=1, sort="price", page_size=2, page=len(found) // 2 + 1)
        found += keys(answer)
        assert answer["total"] + answer["hidden"] == 30
        assert len(found) <= answer["reachable"] <= answer["total"]
        if answer["reachable"] <= len(found):
            break
        assert len(keys(answer)) == 2, "a page that was promised is empty"
    assert found == wanted
    assert (answer["total"], answer["hidden"], answer["reachable"]) == (len(wanted), 30 - len(wanted), len(wanted))


@pytest.mark.parametrize(
    ("parameters", "field", "words"),
    [
        ({"formula": "log(pric"}, "formula", "character"),
        ({"formula": "log(pric)"}, "formula", "Did you mean price?"),
        ({"formula": "x"}, "formula", "Known variables: text, freshness, host_rank, pagerank, price, quality."),
        ({"formula": "fetched"}, "formula", "There is no variable fetched"),
        ({"k": "much"}, "k", "number"),
        ({"b": "7"}, "b", "from 0 to 1"),
        ({"boosts": "name"}, "boosts", "number"),
        ({"weights": "beauty:2"}, "weights.beauty", "Known"),
        ({"weights": "title:-2"}, "weights.title", "from 0"),
        ({"boosts": "colour:2"}, "boosts.colour", "Known: name, text"),
        ({"boosts": "name:-2"}, "boosts.name", "from 0"),
        ({"sort": "name"}, "sort", "price"),
        ({"filter": "colour:red"}, "filters.0", "colour"),
        ({"filter": "price:cheap..dear"}, "filters.0", "cheap"),
        ({"filter": "price"}, "filters", "price"),
        ({"facet": "text"}, "facets.text", "brand"),
        ({"facet": "price:9,1"}, "facets.price", "edges"),
        ({"page": "0"}, "page", "whole number"),
        ({"page": "2000"}, "page", "export"),
        ({"page_size": "1000"}, "page_size", "100"),
        ({"explain": "perhaps"}, "explain", "1 or 0"),
        ({"quary": "tea"}, "quary", "Known"),
        ({"q": "tea " * 600}, "q", "Shorten"),
    ],
)
def test_what_cannot_be_asked_is_refused_with_a_sentence(
    owner: APIClient, shop: Indexer, parameters: dict[str, str], field: str, words: str
) -> None:
    sentences = refused(owner, shop, **parameters)
    assert words in " ".join(sentences[field])


@pytest.mark.parametrize(
    "query", ["((((", "NOT", "\x00", "a" * 2000, '"' * 50, "price:..", "x* " * 99, "🙂 \ud83d", "*", "samsang~"]
)
def test_no_query_breaks_it(owner: APIClient, shop: Indexer, query: str) -> None:
    body = json.dumps({"q": query})
    answer = owner.post(f"/api/v1/indexers/{shop.pk}/search", body, content_type="application/json")
    assert answer.status_code == 200


def test_an_indexer_that_was_never_built_says_what_to_do(owner: APIClient, indexer: Indexer) -> None:
    for kind in ("search", "suggest", "similar", "search/export"):
        answer = owner.get(f"/api/v1/indexers/{indexer.pk}/{kind}", {"doc": "1"} if kind == "similar" else {"q": "tea"})
        assert answer.status_code == 409
        assert "Start it" in answer.json()["detail"]


def test_a_broken_index_is_our_fault_and_said_so(owner: APIClient, shop: Indexer, var: Any) -> None:
    from backend.apps.search.open_indexes import OPEN_INDEXES

    OPEN_INDEXES.close_all()
    (var / "indexes" / str(shop.pk) / BUILD / "manifest").write_bytes(b"rubbish\n{}")
    answer = owner.get(f"/api/v1/indexers/{shop.pk}/search", {"q": "tea"})
    assert answer.status_code == 500
    assert "Rebuild" in answer.json()["detail"]
