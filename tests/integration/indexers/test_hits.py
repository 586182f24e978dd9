"""Hubs and authorities as an option of an indexer: from the links of a crawl to the order of results."""

from pathlib import Path
from typing import Any

import networkx as nx
import pytest

from backend.apps.errors import Invalid
from backend.apps.indexers import standard_fields as standard
from backend.apps.indexers.keeping import JobEnd, Wait, keep_index, stale_sentences
from backend.apps.indexers.models import IndexBuild, Indexer
from backend.apps.indexers.services import save_indexer
from backend.apps.indexers.serving import schema_of
from backend.apps.indexers.usual_scores import UsualScores
from backend.apps.search.lab.tuning import weight_names
from backend.apps.search.served import TryOut, prepare, tried_ranking
from backend.search_engine.index import FieldKind, IndexWriter, Schema, open_snapshot
from backend.search_engine.text import Analysis
from tests.integration.indexers.asking import ask, served_snapshot
from tests.integration.indexers.linked_site import Site, crawl, make_crawler

pytestmark = pytest.mark.django_db
NEVER = Wait(stop=lambda: False, pause=lambda _: None)
HOST = "https://a.example"
LINKS = {
    "": ["list", "camera"],
    "list": ["camera", "lens", "tripod", "guide"],
    "guide": ["camera", "lens"],
    "camera": ["list"],
    "lens": ["camera"],
    "tripod": [],
}
COLUMNS = [{"name": "heading", "sources": ["Page.heading"]}]


@pytest.fixture(autouse=True)
def _var(settings: Any, tmp_path: Path) -> None:
    settings.VAR_DIR = tmp_path


@pytest.fixture
def indexer() -> Indexer:
    """Over a small linked site; it ends when it is complete."""
    site: Site = {f"{HOST}/{name}": _page(name, targets) for name, targets in LINKS.items()}
    crawler = make_crawler(f"{HOST}/")
    crawl(crawler, site)
    values = {"name": "Pages", "columns": COLUMNS, "live": False}
    return save_indexer(values=values, project=crawler.project)


def _page(name: str, targets: list[str]) -> str:
    links = "".join(f'<a href="/{target}">{target}</a>' for target in targets)
    return f"<html><title>{name}</title><body><h1>page {name or 'home'}</h1>{links}"


def change(indexer: Indexer, **values: Any) -> Indexer:
    return save_indexer(values=values, project=indexer.project, indexer=indexer)


def run(indexer: Indexer) -> None:
    assert keep_index(indexer.pk, NEVER) is JobEnd.DONE
    indexer.refresh_from_db()


def headings(indexer: Indexer) -> list[str]:
    return [hit.fields["heading"].removeprefix("page ") for hit in ask(indexer, "page")]


def expected() -> tuple[dict[str, float], dict[str, float]]:
    """By networkx, as square roots of the share of the best."""
    graph = nx.DiGraph([(source, target) for source, targets in LINKS.items() for target in targets])
    both = nx.hits(graph, tol=1e-14, max_iter=5_000)
    hubs, authorities = ({k or "home": (v / max(each.values())) ** 0.5 for k, v in each.items()} for each in both)
    return hubs, authorities


def test_hubs_and_authorities_are_those_of_networkx(indexer: Indexer) -> None:
    run(change(indexer, hits=True))
    found = {hit.fields["heading"].removeprefix("page "): hit.fields for hit in ask(indexer, "page")}
    hubs, authorities = expected()
    assert {name: fields["hub"] for name, fields in found.items()} == pytest.approx(hubs, abs=1e-4)
    assert {name: fields["authority"] for name, fields in found.items()} == pytest.approx(authorities, abs=1e-4)
    told = "\n".join(indexer.log.values_list("message", flat=True))
    assert "Hubs and authorities settled after " in told
    assert "; hubs " in told


def test_they_are_weighed_and_used_in_formulas(indexer: Indexer) -> None:
    run(change(indexer, hits=True, weights={"authority": 10}))
    hubs, authorities = expected()
    by_authority = sorted(authorities, key=lambda name: -authorities[name])
    assert headings(indexer)[:2] == by_authority[:2]
    change(indexer, weights={"hub": 10})
    assert headings(indexer)[:4] == sorted(hubs, key=lambda name: -hubs[name])[:4]
    change(indexer, weights={}, formula="10 * authority")
    assert headings(indexer)[:2] == by_authority[:2]
    served = prepare(indexer)
    assert {"hub", "authority"} <= set(weight_names(served, served.index.searcher))
    assert tried_ranking(served, TryOut(weights=(("hub", 2.0),))).columns == {"hub": 2.0}


def test_switching_them_on_is_a_rebuild_and_the_old_build_answers_until_then(indexer: Indexer) -> None:
    run(indexer)
    assert "authority" not in served_snapshot(indexer).schema
    change(indexer, hits=True, weights={"authority": 10}, formula="10 * hub")
    assert stale_sentences(indexer) == ["Hubs and authorities are now counted."]
    assert len(headings(indexer)) == 6, "what it was built without counts nothing yet"
    served = prepare(indexer)
    assert (served.ranking.columns, served.formula) == ({}, "")
    assert tried_ranking(served, TryOut(weights=(("authority", 2.0),))).columns == {}
    assert "authority" not in weight_names(served, served.index.searcher)
    run(indexer)
    assert stale_sentences(indexer) == []
    assert prepare(indexer).ranking.columns == {"authority": 10}
    change(indexer, hits=False, weights={}, formula="")
    assert stale_sentences(indexer) == ["Hubs and authorities are no longer counted."]


def test_a_build_from_before_there_was_the_choice_is_followed(indexer: Indexer) -> None:
    run(indexer)
    build = indexer.builds.get()
    IndexBuild.objects.filter(pk=build.pk).update(plan={key: build.plan[key] for key in build.plan if key != "hits"})
    assert stale_sentences(indexer) == []
    run(indexer)
    assert len(prepare(indexer).index.searcher.snapshot.segments) == 1
    assert indexer.builds.get().number == 1


def test_their_names_are_free_while_they_are_not_counted(indexer: Indexer) -> None:
    own = [{"name": "authority", "sources": ["Page.heading"], "variable": "hub"}]
    run(change(indexer, columns=own, formula="hub"))
    assert schema_of(indexer)["authority"].kind is FieldKind.TEXT
    with pytest.raises(Invalid) as refused:
        change(indexer, hits=True)
    assert "counts hubs and authorities" in refused.value.fields["columns.0.name"][0]
    assert "counts hubs and authorities" in refused.value.fields["columns.0.variable"][0]
    indexer.refresh_from_db()
    assert not indexer.hits


def test_weights_and_formulas_of_what_is_not_counted_are_refused(indexer: Indexer) -> None:
    with pytest.raises(Invalid) as refused:
        change(indexer, weights={"hub": 1})
    assert "Switch that on (hits), or remove it." in refused.value.fields["weights.hub"][0]
    with pytest.raises(Invalid) as refused:
        change(indexer, formula="authority")
    assert "authority" in refused.value.fields["formula"][0]
    change(indexer, hits=True, weights={"hub": 1}, formula="authority")
    with pytest.raises(Invalid) as refused:
        change(indexer, hits=False)
    assert set(refused.value.fields) == {"weights.hub", "formula"}


def test_a_page_that_came_after_the_analysis_has_what_is_usual(tmp_path: Path) -> None:
    schema = Schema(standard.standard_fields(Analysis(), with_page_text=True, with_hits=True))
    with IndexWriter(tmp_path / "index", schema) as writer:
        for number, (hub, authority) in enumerate(((0.0, 0.5), (0.2, 1.0), (1.0, None))):
            writer.put(str(number), {standard.HUB: hub, standard.AUTHORITY: authority})
        writer.commit()
    usual = UsualScores.of(open_snapshot(tmp_path / "index"))
    assert usual.medians == pytest.approx({"hub": 0.2, "authority": 0.75})
