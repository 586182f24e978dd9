"""An indexer becomes a schema and a ranking of the search engine."""

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from backend.apps.errors import Invalid
from backend.apps.indexers.column_plans import ColumnKind, kind_of_types, plan_columns
from backend.apps.indexers.models import Indexer
from backend.apps.indexers.services import save_indexer
from backend.apps.indexers.serving import indexer_folder, joining_of, ranking_of, schema_of, served_folder
from backend.search_engine.index import FieldKind, Schema
from backend.search_engine.index.manifest import Manifest, write_manifest
from backend.search_engine.query import Joining
from backend.search_engine.ranking import Idf
from backend.search_engine.ranking.formula import FormulaError
from backend.search_engine.ranking.formula.evaluation import evaluate_tree
from backend.search_engine.ranking.ranking import MAX_WEIGHT
from backend.search_engine.text import Reduction

NOW = datetime(2026, 1, 31, 12, 30, tzinfo=UTC)


def change(indexer: Indexer, **values: Any) -> Indexer:
    return save_indexer(values=values, project=indexer.project, indexer=indexer)


def test_columns_become_fields_by_the_types_of_their_sources(indexer: Indexer) -> None:
    schema = schema_of(indexer)
    kinds = {field.name: str(field.kind) for field in schema.fields}
    assert kinds["name"] == "text"
    assert kinds["price"] == "number"
    assert kinds["price_currency"] == "keyword"
    assert (kinds["Votes"], kinds["votes"]) == ("text", "number"), "a column of texts and numbers, and its variable"
    assert (kinds["brand"], kinds["brand_value"]) == ("text", "keyword")
    assert (kinds["since"], kinds["picture"]) == ("date", "keyword")


def test_every_index_has_the_standard_fields(indexer: Indexer) -> None:
    kinds = {field.name: field.kind for field in schema_of(indexer).fields}
    assert kinds["page_url"] is kinds["page_title"] is kinds["host"] is kinds["crawler"] is FieldKind.KEYWORD
    assert kinds["unsafe"] is kinds["page_language"] is FieldKind.KEYWORD
    assert kinds["fetched"] is kinds["found"] is FieldKind.DATE
    assert kinds["pagerank"] is kinds["quality"] is kinds["fingerprint_high"] is FieldKind.NUMBER
    assert "page_text" not in kinds


def test_page_text_is_searched_where_chosen_or_where_there_is_no_other_text(indexer: Indexer) -> None:
    assert schema_of(change(indexer, page_text=True))["page_title"].kind is FieldKind.TEXT
    only_price = change(indexer, page_text=False, formula="", columns=[{"name": "p", "sources": ["Product.price"]}])
    assert schema_of(only_price)["page_text"].kind is FieldKind.TEXT


def test_text_is_analysed_as_the_indexer_and_the_column_say(indexer: Indexer) -> None:
    columns = [
        {"name": "name", "sources": ["Product.name"], "language": "de-AT", "reduction": "lemma"},
        {"name": "brand", "sources": ["Product.brand"], "reduction": "none"},
    ]
    words = {"small_words": 2, "stop_words": ["foo", "/ba[rz]/", "/x+/"], "language_stop_words": True}
    schema = schema_of(change(indexer, formula="", language="fr", columns=columns, **words))
    name, brand = schema["name"].analysis, schema["brand"].analysis
    assert (name.language, name.reduction) == ("de", Reduction.LEMMA)
    assert (brand.language, brand.reduction) == ("fr", Reduction.NONE)
    assert (name.min_length, name.stop_words, name.extra_stop_words) == (3, True, {"foo"})
    assert name.stop_pattern == "(?:ba[rz])|(?:x+)"


@pytest.mark.parametrize(
    "values",
    [
        {"k": 3.0, "b": 0.1, "formula": "votes"},
        {"weights": {"title": 2, "pagerank": 1}, "word_weights": {"ssd": 5}},
        {"joining": "or", "synonyms": [["ssd", "disk"]], "q": 2, "safe_search": True, "live": False},
    ],
)
def test_a_change_of_the_ranking_leaves_the_schema_alone(indexer: Indexer, values: dict[str, Any]) -> None:
    before = schema_of(indexer)
    assert schema_of(change(indexer, **values)) == before


def test_a_change_of_a_boost_leaves_the_schema_alone(indexer: Indexer) -> None:
    before = schema_of(indexer)
    indexer.columns.update(boost=7)
    assert schema_of(indexer) == before
    assert ranking_of(indexer).boosts == {"name": 7, "Votes": 7, "brand": 7}


def test_a_try_out_takes_the_place_of_what_is_stored(indexer: Indexer) -> None:
    stored = ranking_of(indexer)
    assert (stored.bm25.k, stored.bm25.b, stored.boosts["name"]) == (1.75, 0.75, 2)
    assert stored.formula is not None
    assert stored.formula.source == "10 / price"
    tried = ranking_of(
        indexer, k=1, b=0, formula="", weights={"quality": 2}, boosts={"name": 9}, word_weights={"ssd": 3}
    )
    assert (tried.bm25.k, tried.bm25.b, tried.boosts["name"], tried.formula) == (1, 0, 9, None)
    assert (tried.columns, tried.word_weights) == ({"quality": 2}, {"ssd": 3})
    with pytest.raises(FormulaError, match="not closed"):
        ranking_of(indexer, formula="1 / (")


def test_zeros_stand_for_nearly_nothing_where_the_engine_wants_more(indexer: Indexer) -> None:
    ranking = ranking_of(indexer, k=0, boosts={"name": 0}, weights={"text": 0, "quality": 1})
    assert 0 < ranking.bm25.k < 1e-3
    assert 0 < ranking.boosts["name"] < 1e-3
    assert ranking.columns["quality"] > 1e3, "beside a text score that counts for nothing, quality counts for all"


def test_weights_choose_bonuses_and_their_fields(indexer: Indexer) -> None:
    ranking = ranking_of(indexer, weights={"text": 2, "title": 4, "phrase": 1, "subsequence": 6})
    assert ranking.bonuses.fields == {"name": 2}
    assert (ranking.bonuses.whole, ranking.bonuses.subsequence) == (0.5, 3)
    ranking = ranking_of(change(indexer, page_text=True), weights={"headings": 1})
    assert ranking.bonuses.fields == {"name": 0, "page_title": 0, "page_headings": 1}
    ranking = ranking_of(indexer, weights={"title": 3, "headings": 1})
    assert ranking.bonuses.fields == {"name": 3, "page_title": 3, "page_headings": 1}


def test_a_weight_of_headings_counts_for_nothing_where_pages_are_not_searched(indexer: Indexer) -> None:
    assert not ranking_of(indexer, weights={"headings": 5}).bonuses.is_on
    assert ranking_of(indexer, weights={"headings": 5, "title": 1}).bonuses.fields == {"name": 1}


def test_a_weight_of_the_formula_multiplies_it(indexer: Indexer) -> None:
    formula = ranking_of(indexer, weights={"formula": 3}).formula
    assert formula is not None
    score = formula.score(np.array([1.0]), {"price": np.array([5.0])})
    assert score.tolist() == [1 + 3 * 10 / 5]
    assert formula.source == "text + 3 * (10 / price)"


def test_freshness_is_worked_out_from_the_time_of_the_search(indexer: Indexer) -> None:
    formula = ranking_of(indexer, formula="text * freshness", now=NOW).formula
    assert formula is not None
    hour = NOW.replace(minute=0).timestamp()
    fetched = np.array([hour, hour - 30 * 86_400, hour - 60 * 86_400, hour + 99])
    assert formula.score(np.ones(4), {"fetched": fetched}) == pytest.approx([1, 1 / 2, 1 / 3, 1])
    weighted = ranking_of(indexer, formula="", weights={"freshness": 6}, now=NOW).formula
    assert weighted is not None
    assert weighted.score(np.ones(4), {"fetched": fetched}) == pytest.approx([7, 4, 3, 7])


def test_freshness_is_told_by_its_own_name(indexer: Indexer) -> None:
    told = [
        ranking_of(indexer, formula=source, weights=weights, now=NOW).formula
        for source, weights in (("", {"freshness": 2}), ("votes + freshness * text", {}), ("votes * fetched", {}))
    ]
    names = [set(each.told_variables) for each in told if each]
    assert names == [{"freshness"}, {"votes", "freshness"}, {"votes", "fetched"}]
    assert told[0] is not None
    half = np.array([NOW.replace(minute=0).timestamp() - 30 * 86_400])
    assert evaluate_tree(told[0].told_variables["freshness"], {"fetched": half}) == pytest.approx([1 / 2])


def test_freshness_is_missing_where_nothing_was_fetched(indexer: Indexer) -> None:
    formula = ranking_of(indexer, formula="text + missing(freshness)", now=NOW).formula
    assert formula is not None
    assert formula.score(np.ones(2), {"fetched": np.array([np.nan, 5.0])}).tolist() == [2, 1]


def test_the_greatest_weights_that_can_be_saved_can_be_used(indexer: Indexer) -> None:
    columns = [{"name": "name", "sources": ["Product.name"], "boost": MAX_WEIGHT}]
    ranking = ranking_of(change(indexer, formula="", columns=columns, word_weights={"ssd": MAX_WEIGHT}))
    assert (ranking.boosts["name"], ranking.word_weights["ssd"]) == (MAX_WEIGHT, MAX_WEIGHT)
    with pytest.raises(Invalid):
        change(indexer, word_weights={"ssd": MAX_WEIGHT * 1.001})


@pytest.mark.parametrize(
    ("types", "kind"),
    [
        (["price", "price"], ColumnKind.PRICE),
        (["price", "number"], ColumnKind.PRICE),
        (["number", "text"], ColumnKind.TEXT),
        (["html", "constant", "text"], ColumnKind.TEXT),
        (["link"], ColumnKind.LINK),
        (["image", "link"], ColumnKind.TEXT),
        (["date"], ColumnKind.DATE),
    ],
)
def test_sources_of_several_types_make_one_kind(types: list[str], kind: ColumnKind) -> None:
    assert kind_of_types(types) is kind


def test_a_plan_names_the_inspectors_by_template(indexer: Indexer) -> None:
    names = {template.name: template.pk for template in indexer.project.templates.all()}
    [price] = [plan for plan in plan_columns(indexer) if plan.name == "price"]
    assert price.sources == {names["Product"]: ("price",), names["Artikel"]: ("preis",)}


@pytest.mark.parametrize(
    ("column", "path", "told"),
    [
        ({"name": "host", "sources": ["Product.name"]}, "columns.0.name", "every index has"),
        ({"name": "a", "sources": ["Product.name"], "variable": "fetched"}, "columns.0.variable", "built-in"),
        ({"name": "a", "sources": ["Product.name"], "language": "ja"}, "columns.0.reduction", "no stemmer for “ja”"),
        ({"name": "brand_value", "sources": ["Product.name"]}, "columns", "same name"),
    ],
)
def test_a_column_that_cannot_be_a_field_is_refused(
    indexer: Indexer, column: dict[str, Any], path: str, told: str
) -> None:
    facet = {"name": "brand", "sources": ["Product.brand"], "facet": True}
    with pytest.raises(Invalid) as refused:
        change(indexer, formula="", columns=[column, facet])
    assert told in refused.value.fields[path][0]


def test_a_public_origin_is_an_origin(indexer: Indexer) -> None:
    assert change(indexer, public_origins=["*", "https://a.example", "http://b.example:8080"]).public_origins
    with pytest.raises(Invalid) as refused:
        change(indexer, public_origins=["https://a.example", "https://a.example/path"])
    assert "without a path" in refused.value.fields["public_origins.1"][0]


def test_joining_is_the_engines(indexer: Indexer) -> None:
    assert joining_of(indexer) is Joining.AND
    assert joining_of(change(indexer, joining="or")) is Joining.OR


def test_the_served_folder_is_the_one_that_the_database_names(indexer: Indexer, settings: Any, tmp_path: Path) -> None:
    settings.VAR_DIR = tmp_path
    assert served_folder(indexer) is None
    indexer.served_build = "build-3"
    assert served_folder(indexer) is None, "a restored database may name what this machine does not have"
    folder = indexer_folder(indexer.pk) / "build-3"
    folder.mkdir(parents=True)
    write_manifest(folder, Manifest(0, Schema(schema_of(indexer).fields)))
    assert served_folder(indexer) == folder


def test_the_idf_is_chosen(indexer: Indexer) -> None:
    assert ranking_of(indexer).bm25.idf is Idf.THESIS
    assert ranking_of(change(indexer, idf="lucene")).bm25.idf is Idf.LUCENE
