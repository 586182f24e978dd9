"""An indexer takes documents of chosen crawlers alone, and says so wherever it matters."""

from pathlib import Path
from typing import Any

import pytest

from backend.apps.crawlers.models import Crawler
from backend.apps.crawlers.services import save_crawler
from backend.apps.documents.models import Document
from backend.apps.errors import InUse, Invalid
from backend.apps.housekeeping.deleting import delete_crawler, delete_project
from backend.apps.housekeeping.models import Disposal
from backend.apps.indexers.keeping import stale_sentences
from backend.apps.indexers.models import Indexer
from backend.apps.indexers.selectors import state_of
from backend.apps.indexers.services import duplicate_indexer, save_indexer
from backend.apps.project_files import export_project, import_into_project
from backend.apps.projects.models import Project
from backend.apps.projects.services import create_project
from backend.apps.search.trace.indexing import tell_index
from backend.apps.search.trace.steps import Trace
from backend.apps.templates.models import Inspector
from tests.integration.indexers.asking import names
from tests.integration.indexers.shelf import Shelf, artikel, product
from tests.integration.indexers.test_keeping import run

THIRD = {"name": "Outlet", "template": "Product", "seeds": ["http://outlet.example/"]}


@pytest.fixture(autouse=True)
def _var(settings: Any, tmp_path: Path) -> None:
    settings.VAR_DIR = tmp_path


@pytest.fixture
def shelf(project: Project) -> Shelf:
    """Two shops and an outlet that has the first one's template."""
    import_into_project(project=project, file={"version": 1, "name": "Two shops", "crawlers": [THIRD]})
    shelf = Shelf(project)
    shelf.put("Shop", "1", product("SSD", 50))
    shelf.put("Laden", "2", artikel("HDD", 20))
    shelf.put("Outlet", "3", product("Old SSD", 5))
    return shelf


@pytest.fixture
def indexer(project: Project, shelf: Shelf) -> Indexer:
    Indexer.objects.filter(project=project).update(live=False)
    return project.indexers.get()


def choose(indexer: Indexer, *crawlers: str) -> None:
    ids = list(Crawler.objects.filter(project=indexer.project, name__in=crawlers).values_list("pk", flat=True))
    save_indexer(values={"crawlers": ids}, project=indexer.project, indexer=indexer)


def test_two_crawlers_in_one_index_do_not_drag_in_a_third(shelf: Shelf, indexer: Indexer) -> None:
    choose(indexer, "Shop", "Laden")
    run(indexer)
    assert sorted(names(indexer)) == ["HDD", "SSD"]
    shelf.put("Outlet", "4", product("Older SSD", 4))
    shelf.put("Shop", "5", product("New SSD", 90))
    run(indexer)
    assert sorted(names(indexer)) == ["HDD", "New SSD", "SSD"]


def test_without_a_choice_every_crawler_of_the_templates_counts(indexer: Indexer) -> None:
    run(indexer)
    assert sorted(names(indexer)) == ["HDD", "Old SSD", "SSD"]


def test_another_choice_needs_a_rebuild_and_what_it_takes_out_is_no_loss(shelf: Shelf, indexer: Indexer) -> None:
    shelf.fill(20, crawler="Outlet")
    run(indexer)
    choose(indexer, "Shop", "Laden")
    assert stale_sentences(indexer) == ["Other crawlers were chosen."]
    run(indexer)
    assert sorted(names(indexer)) == ["HDD", "SSD"]
    served = state_of(indexer)["served"]
    assert served["comparison"]["lost"] == 0
    assert served["comparison"]["deleted"] == 20
    choose(indexer)
    run(indexer)
    assert len(names(indexer)) == 22


def test_a_column_that_only_the_taken_out_crawler_filled_holds_nothing_back(shelf: Shelf, indexer: Indexer) -> None:
    """`since` is filled by the first template alone, and needed there."""
    Inspector.objects.filter(template__project=indexer.project, name="since").update(required=True)
    for number in range(20):
        shelf.put("Outlet", f"old {number}", product(f"Old {number}", 5, since="2024-05-01"))
        shelf.put("Laden", f"neu {number}", artikel(f"Neu {number}", 5))
    run(indexer)
    choose(indexer, "Laden")
    run(indexer)
    state = state_of(indexer)
    assert state["held"] is None
    assert state["served"]["comparison"]["fill"]["since"] == {"before": 0.0, "after": 0.0}


def test_a_loss_beside_the_choice_is_still_held_back(shelf: Shelf, indexer: Indexer) -> None:
    products = shelf.fill(20, crawler="Shop")
    run(indexer)
    for document in products:
        shelf.gone(document)
    choose(indexer, "Shop", "Laden")
    run(indexer)
    assert "20 of 21 documents" in state_of(indexer)["held"]["reason"]


def test_a_crawler_of_another_project_is_refused(indexer: Indexer) -> None:
    other = create_project(owner=indexer.project.owner, name="Other")
    outlet = indexer.project.crawlers.get(name="Outlet")
    with pytest.raises(Invalid) as refused:
        save_indexer(values={"name": "Stolen", "crawlers": [outlet.pk]}, project=other)
    assert list(refused.value.fields) == ["crawlers.0"]
    assert not other.indexers.exists()


def test_a_crawler_whose_template_fills_no_column_is_refused(indexer: Indexer) -> None:
    columns = [{"name": "name", "sources": ["Product.name"]}]
    laden = indexer.project.crawlers.get(name="Laden")
    values = {"columns": columns, "formula": "", "crawlers": [laden.pk]}
    with pytest.raises(Invalid, match="fills no column"):
        save_indexer(values=values, project=indexer.project, indexer=indexer)
    choose(indexer, "Laden")
    with pytest.raises(Invalid, match="take the crawler out"):
        save_indexer(values={"columns": columns, "formula": ""}, project=indexer.project, indexer=indexer)


def test_a_crawler_that_changed_its_template_is_told_as_a_warning(indexer: Indexer) -> None:
    choose(indexer, "Laden")
    template = {"name": "Other", "inspectors": [{"name": "x", "selector": "//x"}]}
    import_into_project(project=indexer.project, file={"version": 1, "name": "x", "templates": [template]})
    laden = indexer.project.crawlers.get(name="Laden")
    other = indexer.project.templates.get(name="Other")
    save_crawler(values={"template": other}, project=indexer.project, crawler=laden)
    assert "“Other” of the crawler “Laden” fills no column" in state_of(indexer)["warnings"][0]


def test_a_chosen_crawler_is_not_deleted_and_with_its_project_it_is(indexer: Indexer) -> None:
    choose(indexer, "Outlet")
    outlet = indexer.project.crawlers.get(name="Outlet")
    with pytest.raises(InUse, match="“Products” has chosen this crawler"):
        delete_crawler(crawler=outlet)
    assert Crawler.objects.filter(pk=outlet.pk).exists()
    assert not Disposal.objects.exists()
    delete_project(project=indexer.project)
    assert not Indexer.objects.exists()


def test_the_choice_travels_in_project_files_by_name(indexer: Indexer) -> None:
    choose(indexer, "Shop", "Laden")
    file = export_project(indexer.project)
    assert file["indexers"][0]["crawlers"] == ["Laden", "Shop"]
    again = {**file, "indexers": [{**file["indexers"][0], "crawlers": ["Shop", "Laden"]}]}
    assert import_into_project(project=indexer.project, file=again).unchanged["indexers"] == ["Products"]
    copy = create_project(owner=indexer.project.owner, name="Copy")
    import_into_project(project=copy, file=file)
    assert sorted(crawler.name for crawler in copy.indexers.get().crawlers.all()) == ["Laden", "Shop"]
    unknown = {**file, "indexers": [{"name": "Products", "crawlers": ["Shop", "Nobody"]}]}
    with pytest.raises(Invalid) as refused:
        import_into_project(project=copy, file=unknown)
    assert "There is no crawler “Nobody”" in refused.value.fields["indexers.0.crawlers.0"][0]


def test_a_duplicate_has_the_same_choice(indexer: Indexer) -> None:
    choose(indexer, "Shop")
    assert [crawler.name for crawler in duplicate_indexer(indexer=indexer).crawlers.all()] == ["Shop"]


def test_a_trace_tells_that_the_crawler_was_not_chosen(indexer: Indexer) -> None:
    choose(indexer, "Shop", "Laden")
    run(indexer)
    outlet = indexer.project.crawlers.get(name="Outlet")
    told = Trace("http://outlet.example/3")
    tell_index(told, outlet, list(Document.objects.filter(crawler=outlet)), "")
    assert told.is_stopped
    assert "“Products” takes only documents of “Laden”, “Shop”" in told.steps[0]["sentence"]


def test_a_trace_knows_an_indexer_without_columns(indexer: Indexer) -> None:
    save_indexer(values={"columns": [], "formula": ""}, project=indexer.project, indexer=indexer)
    run(indexer)
    outlet = indexer.project.crawlers.get(name="Outlet")
    told = Trace("http://outlet.example/3")
    tell_index(told, outlet, list(Document.objects.filter(crawler=outlet)), "")
    assert not told.is_stopped
    assert "“Products” has it" in told.steps[0]["sentence"]


def test_a_trace_tells_which_near_duplicate_stands_for_a_document(shelf: Shelf, indexer: Indexer) -> None:
    story = "Quiet notebook with a bright screen, much memory and a keyboard that is lit from below for long nights"
    shelf.put("Shop", "7", product(story, 5))
    shelf.put("Outlet", "8", product(story, 500))
    indexer.hide_duplicates = True
    indexer.save()
    run(indexer)
    sentences = []
    for name in ("Shop", "Outlet"):
        crawler = indexer.project.crawlers.get(name=name)
        told = Trace("http://shop.example/7")
        tell_index(told, crawler, [Document.objects.filter(crawler=crawler).latest("pk")], "quiet notebook")
        sentences.append(told.steps[-1]["sentence"])
    assert "number 1 of 2" in sentences[0]
    assert "nearly equal to http://shop.example/7, which “Products” shows in its place" in sentences[1]
    assert told.is_stopped
