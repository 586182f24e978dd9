"""Two shops with different markup, crawled by two crawlers into one index, all of it from the command line."""

import contextlib
import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psutil
import pytest

from backend.demo_site.options import SiteOptions
from backend.demo_site.process import SiteProcess
from backend.demo_site.truth import KINDS
from tests.integration.runners.live import LiveGleaner, live_gleaner

FIXTURE = Path(__file__).resolve().parents[2] / "fixtures" / "projects" / "two-shops.json"
CRAWLERS = ("Orchard & Wire", "Kistenmarkt")
Answer = dict[str, Any]
ASKED: dict[str, dict[str, Any]] = {
    "everything": {"q": ""},
    "second shop": {"q": "crawler:Kistenmarkt"},
    "drives": {"q": "ssd 1tb", "page_size": 100, "explain": True},
    "misspelled": {"q": "ssd 1tb samsang"},
    "notebook": {"q": '"Notebook Mirbra PB-410" price:1621..1622'},
    "in both": {"q": "gtin:4000079269199"},
}
SCRIPT = """
import json, sys
from backend.apps.indexers.models import Indexer
from backend.apps.search.asking import answer_search
from backend.apps.search.served import SERVED
from backend.apps.search.wishes import wish_of_json
served = SERVED.get(Indexer.objects.get(name="Products"))
served.index.aids.prepare(served.index.searcher.snapshot)
served.index.aids.wait(60)
asked = json.loads({asked!r})
print(json.dumps({{name: json.loads(answer_search(served, wish_of_json(body))) for name, body in asked.items()}}))
"""


class TwoShops:
    """The crawled and indexed shops, and the answers to what the tests ask."""

    def __init__(self, gleaner: LiveGleaner, site: SiteProcess) -> None:
        text = FIXTURE.read_text(encoding="utf-8").replace("http://127.0.0.1:8100", site.url)
        self.gleaner = gleaner
        self.file = gleaner.write(json.loads(text))
        self._allowed = ("--allow-network", site.url.removeprefix("http://"))
        self.crawled = [self.crawl(name) for name in CRAWLERS]
        self.indexed = gleaner.last_json(gleaner.manage("index", str(self.file)).stdout)
        self.left_behind = workers_of(gleaner)

        script = SCRIPT.format(asked=json.dumps(ASKED))
        self.answers = gleaner.last_json(gleaner.manage("shell", "-v0", "-c", script).stdout)

    def crawl(self, name: str) -> dict[str, Any]:
        words = ("crawl", str(self.file), "--crawler", name, *self._allowed)
        return self.gleaner.last_json(self.gleaner.manage(*words).stdout)


def workers_of(gleaner: LiveGleaner) -> list[list[str]]:
    """The command lines of its workers that run."""
    found = []
    for process in psutil.process_iter():
        with contextlib.suppress(psutil.Error):
            if "--placement" in process.cmdline() and process.environ().get("GLEANER_VAR") == str(gleaner.folder):
                found.append(process.cmdline())
    return found


@pytest.fixture(scope="module")
def shops(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TwoShops]:
    folder = tmp_path_factory.mktemp("two-shops")
    with (
        SiteProcess(SiteOptions()) as site,
        live_gleaner(folder, os.environ.get("GLEANER_DATABASE_URL", "")) as gleaner,
    ):
        yield TwoShops(gleaner, site)


def amounts(answer: Answer) -> list[float]:
    return [result["fields"]["price"]["amount"] for result in answer["results"]]


def drives() -> list[float]:
    """The prices of every drive with 1 TB in both shops, by the truth."""
    found = []
    for kind, field in (("shop products", "price"), ("second shop articles", "preis")):
        for document in KINDS[kind].documents():
            name = document.fields["name"].shown
            if "SSD" in name and "1TB" in name:
                found.append(float(document.fields[field].value.amount))
    return sorted(found)


def test_every_product_of_both_shops_is_in_the_index(shops: TwoShops) -> None:
    assert [row["documents"] for row in shops.crawled] == [500, 300]
    assert (shops.indexed["status"], shops.indexed["documents"], shops.indexed["build"]) == (
        "completed",
        800,
        "build-1",
    )
    assert shops.indexed["warnings"] == []
    assert shops.answers["everything"]["total"] == 800
    assert shops.answers["second shop"]["total"] == 300


def test_the_cheapest_relevant_comes_first_over_both_shops(shops: TwoShops) -> None:
    answer = shops.answers["drives"]
    assert answer["total"] == len(drives())
    assert [round(amount) for amount in amounts(answer)[:10]] == [round(amount) for amount in drives()[:10]]
    assert {result["crawler"] for result in answer["results"][:10]} == set(CRAWLERS)


def test_a_misspelled_brand_finds_the_products(shops: TwoShops) -> None:
    answer = shops.answers["misspelled"]
    assert answer["corrected"] == "ssd 1tb samsung"
    names = [result["fields"]["name"] for result in answer["results"]]
    assert len(names) == 4
    assert all("Samsung" in name and "1TB" in name for name in names)


def test_the_explanation_adds_up(shops: TwoShops) -> None:
    for result in shops.answers["drives"]["results"]:
        told = result["explanation"]
        assert sum(part["score"] for part in told["parts"]) == pytest.approx(told["text"])
        price = result["fields"]["price"]["amount"]
        assert told["variables"]["price"] == pytest.approx(price)
        assert result["score"] == pytest.approx(told["score"]) == pytest.approx(told["text"] + 10_000 / price)


def test_german_numbers_are_numbers(shops: TwoShops) -> None:
    notebook = shops.answers["notebook"]["results"][0]
    assert notebook["fields"]["price"] == {"amount": 1621.49, "currency": "EUR"}
    assert notebook["fields"]["rating"] is None or 0 <= notebook["fields"]["rating"] <= 5


def test_the_same_product_of_both_shops_is_told_by_its_number(shops: TwoShops) -> None:
    answer = shops.answers["in both"]
    assert {result["crawler"] for result in answer["results"]} == set(CRAWLERS)


def test_people_read_results_with_what_matched(shops: TwoShops) -> None:
    shown = shops.gleaner.manage("search", "Products", "samsang 1tb", "--limit", "3", "--explain").stdout
    assert "Showing results for “samsung 1tb”." in shown
    assert "*Samsung*" in shown
    assert "= 10000 / price" in shown
    assert "127.0.0.1" in shown


def test_what_is_not_there_is_told(shops: TwoShops) -> None:
    answer = shops.gleaner.manage("search", "Prodcts", "x", check=False)
    assert answer.returncode == 1
    assert "There is no indexer “Prodcts”. Known: “Products”." in answer.stderr


def test_indexing_again_does_nothing_again(shops: TwoShops) -> None:
    again = shops.gleaner.last_json(shops.gleaner.manage("index", str(shops.file)).stdout)
    assert (again["build"], again["documents"]) == ("build-1", 800)
    as_json = shops.gleaner.manage("search", "Products", "toaster", "--json").stdout
    assert json.loads(as_json)["index"]["documents"] == 800
    rebuilt = shops.gleaner.last_json(shops.gleaner.manage("index", str(shops.file), "--rebuild").stdout)
    assert (rebuilt["build"], rebuilt["documents"]) == ("build-2", 800)


def test_a_command_that_has_ended_leaves_no_worker_behind_that_follows(shops: TwoShops) -> None:
    """The index is live: its job stays, and goes on when Gleaner runs."""
    assert shops.left_behind == []
    for words in ([], ["--rebuild"]):
        shops.gleaner.manage("index", str(shops.file), *words)
        assert workers_of(shops.gleaner) == []
    assert shops.crawl("Kistenmarkt")["new_documents"] == 0
    assert workers_of(shops.gleaner) == []
