"""Suggestions, documents like one, and whole results as files."""

import csv
import io
import json
from typing import Any

import pytest
from rest_framework.test import APIClient

from backend.api.search.export_turn import IDLE_SECONDS, TURN_SECONDS, ExportBusy, ExportTurn, InTurn
from backend.apps.indexers.models import Indexer
from tests.integration.search.shelf import PRODUCTS, build_index


def test_names_come_before_completed_words(owner: APIClient, shop: Indexer) -> None:
    answer = owner.get(f"/api/v1/indexers/{shop.pk}/suggest", {"q": "sams"}).json()
    assert answer["is_ready"]
    assert {each["text"] for each in answer["suggestions"][:2]} == {"Samsung SSD 1TB", "Samsung phone"}
    mended = owner.get(f"/api/v1/indexers/{shop.pk}/suggest", {"q": "samsang", "limit": 1}).json()
    assert len(mended["suggestions"]) == 1


def test_without_suggestions_of_the_index_job_they_are_made_in_the_background(
    owner: APIClient, indexer: Indexer
) -> None:
    from backend.apps.search.served import SERVED

    build_index(indexer, with_aid=False)
    first = owner.get(f"/api/v1/indexers/{indexer.pk}/suggest", {"q": "kett"}).json()
    assert first["is_ready"] in (True, False)
    index = SERVED.get(indexer).index
    index.aids.prepare(index.searcher.snapshot)
    assert index.aids.wait(30)
    answer = owner.get(f"/api/v1/indexers/{indexer.pk}/suggest", {"q": "kett"}).json()
    assert answer["suggestions"][0]["text"] == "Acme kettle"
    assert owner.get(f"/api/v1/indexers/{indexer.pk}/search", {"q": "kettel"}).json()["corrected"] == "kettle"


def test_suggestions_and_corrections_leave_out_what_safe_search_hides(owner: APIClient, indexer: Indexer) -> None:
    from backend.apps.search.served import SERVED

    indexer.safe_search = indexer.public = True
    build_index(indexer, unsafe=["6"], with_aid=False)
    index = SERVED.get(indexer).index
    index.aids.prepare(index.searcher.snapshot)
    assert index.aids.wait(30)

    def offered(client: APIClient, typed: str, **more: Any) -> tuple[set[str], bool]:
        answer = client.get(f"/api/v1/indexers/{indexer.pk}/suggest", {"q": typed, **more}).json()
        return {each["text"] for each in answer["suggestions"]}, answer["is_safe"]

    for client in (owner, APIClient()):
        assert offered(client, "=hyper") == (set(), True)
        assert offered(client, "hosti", safe=1) == (set(), True)
        assert offered(client, "=hyper", safe=0) == ({"=HYPERLINK(tea)", "hyperlink"}, False)
        assert "Green tea" in offered(client, "green")[0]
    mended = [
        owner.get(f"/api/v1/indexers/{indexer.pk}/search", {"q": "hostlie", "safe": safe}).json() for safe in (1, 0)
    ]
    assert [answer["corrected"] for answer in mended] == [None, "hostile"]


@pytest.mark.parametrize(
    ("kind", "parameters", "field"),
    [
        ("suggest", {"q": "a", "limit": "0"}, "limit"),
        ("suggest", {"q": "a", "limit": "many"}, "limit"),
        ("suggest", {"w": "a"}, "w"),
        ("suggest", {"q": "a", "safe": "perhaps"}, "safe"),
        ("similar", {"doc": "1", "limit": "1000"}, "limit"),
    ],
)
def test_odd_parameters_are_refused(
    owner: APIClient, shop: Indexer, kind: str, parameters: dict[str, str], field: str
) -> None:
    answer = owner.get(f"/api/v1/indexers/{shop.pk}/{kind}", parameters)
    assert answer.status_code == 400
    assert field in answer.json()["fields"]


def test_documents_like_one_share_its_telling_words(owner: APIClient, shop: Indexer) -> None:
    answer = owner.get(f"/api/v1/indexers/{shop.pk}/similar", {"doc": "2", "limit": 2}).json()
    assert answer["key"] == "2"
    found = [result["key"] for result in answer["results"]]
    assert set(found) == {"1", "4"}  # the other SSD and the other thing by Acme, not the document itself


def test_documents_like_one_are_as_safe_as_a_search(owner: APIClient, indexer: Indexer) -> None:
    build_index(indexer, unsafe=["1"])
    address = f"/api/v1/indexers/{indexer.pk}/similar"
    assert "1" in [result["key"] for result in owner.get(address, {"doc": "2"}).json()["results"]]
    indexer.safe_search = True
    indexer.save()
    assert [result["key"] for result in owner.get(address, {"doc": "2"}).json()["results"]] == ["4"]


def test_a_document_that_is_not_there_is_said_so(owner: APIClient, shop: Indexer) -> None:
    answer = owner.get(f"/api/v1/indexers/{shop.pk}/similar", {"doc": "nobody"})
    assert (answer.status_code, answer.json()["code"]) == (400, "no_such_document")


def export(client: APIClient, indexer: Indexer, **parameters: Any) -> bytes:
    answer = client.get(f"/api/v1/indexers/{indexer.pk}/search/export", parameters)
    assert answer.status_code == 200
    content: bytes = answer.getvalue()
    return content


def test_a_whole_result_comes_as_csv_that_no_spreadsheet_runs(owner: APIClient, shop: Indexer) -> None:
    rows = list(csv.DictReader(io.StringIO(export(owner, shop, q="tea", page_size=1).decode())))
    assert len(rows) == 3
    assert [row["rank"] for row in rows] == ["1", "2", "3"]
    hostile = next(row for row in rows if "HYPERLINK" in row["name"])
    assert hostile["name"].startswith("'=")
    assert {row["url"] for row in rows} == {f"http://shop.example/{key}" for key in (4, 5, 6)}


def test_a_whole_result_comes_as_json_lines_with_prices_as_objects(owner: APIClient, shop: Indexer) -> None:
    lines = export(owner, shop, format="jsonl", sort="price").decode().splitlines()
    rows = [json.loads(line) for line in lines]
    assert [row["price"] for row in rows[:1]] == [{"amount": 4.0, "currency": "EUR"}]
    assert len(rows) == len(PRODUCTS)
    filtered = export(owner, shop, format="jsonl", filter="brand:Acme").decode().splitlines()
    assert len(filtered) == 2


@pytest.mark.parametrize("parameters", [{"format": "doc"}, {"filter": "colour:red"}, {"formula": "("}])
def test_what_cannot_be_exported_is_refused_before_anything_is_sent(
    owner: APIClient, shop: Indexer, parameters: dict[str, str]
) -> None:
    assert owner.get(f"/api/v1/indexers/{shop.pk}/search/export", parameters).status_code == 400


def test_one_result_is_exported_at_a_time(owner: APIClient, shop: Indexer) -> None:
    address = f"/api/v1/indexers/{shop.pk}/search/export"
    first = owner.get(address)
    refused = owner.get(address)
    assert (refused.status_code, refused.json()["code"], refused.headers["Retry-After"]) == (429, "busy", "6")
    assert b"Green tea" in first.getvalue()
    assert owner.get(address, {"formula": "("}).status_code == 400  # what is refused does not keep the turn
    assert export(owner, shop)


def test_a_turn_ends_with_what_is_sent_however_that_ends() -> None:
    turn = ExportTurn()
    read = InTurn(iter([b"a", b"b"]), turn, turn.take())
    assert list(read) == [b"a", b"b"]
    unread = InTurn(iter([b"a"]), turn, turn.take())
    unread.close()
    broken = InTurn((bytes(1 // number) for number in (1, 0)), turn, turn.take())
    with pytest.raises(ZeroDivisionError):
        list(broken)
    turn.take()


def test_an_export_that_nobody_reads_holds_nobody_up() -> None:
    now = [0.0]
    turn = ExportTurn(clock=lambda: now[0])
    slow = turn.take()
    now[0] += IDLE_SECONDS
    fast = turn.take()
    turn.give_back(slow)  # it has no turn to give back any more
    with pytest.raises(ExportBusy):
        turn.take()
    turn.give_back(fast)
    turn.take()


def test_an_export_that_is_read_drop_by_drop_holds_nobody_up_for_ever() -> None:
    now = [0.0]
    turn = ExportTurn(clock=lambda: now[0])
    slow = turn.take()
    while now[0] < TURN_SECONDS:
        with pytest.raises(ExportBusy):
            turn.take()
        now[0] += IDLE_SECONDS / 2
        turn.use(slow)
    turn.take()


def test_the_public_and_the_members_have_a_turn_each(owner: APIClient, shop: Indexer) -> None:
    shop.public = True
    shop.save()
    address = f"/api/v1/indexers/{shop.pk}/search/export"
    of_public = APIClient().get(address)
    assert APIClient().get(address).status_code == 429
    assert export(owner, shop)
    assert b"Green tea" in of_public.getvalue()
    assert b"Green tea" in APIClient().get(address).getvalue()
