"""Templates for four real sites give exactly what people read on every one of their pages."""

from datetime import datetime

import pytest

from crawler_node.extract.compiler import compile_template
from crawler_node.extract.parsing import parse_page
from crawler_node.extract.spec import parse_template
from tests.integration.real_sites.archives import SITES, archive, pages, project, truth

FIELDS = [
    ("camera-pcnation", "model"),
    ("camera-pcnation", "price"),
    ("camera-pcnation", "manufacturer"),
    ("nbaplayer-wiki", "name"),
    ("nbaplayer-wiki", "team"),
    ("nbaplayer-wiki", "height"),
    ("nbaplayer-wiki", "weight"),
    ("job-dice", "title"),
    ("job-dice", "company"),
    ("job-dice", "location"),
    ("job-dice", "date_posted"),
    ("book-bookdepository", "title"),
    ("book-bookdepository", "author"),
    ("book-bookdepository", "isbn_13"),
    ("book-bookdepository", "publisher"),
    ("book-bookdepository", "publication_date"),
]
DATE_FORMATS = {"date_posted": "%m-%d-%Y", "publication_date": "%d %B %Y"}


@pytest.fixture(scope="module")
def extractions():
    """By site and page number what the site's template found; each site is read once."""
    cache = {}

    def extract(site):
        if site not in cache:
            with archive(site) as opened:
                template = compile_template(parse_template(project(site)["templates"][0]))
                cache[site] = {
                    number: template.extract(parse_page(body, url="http://site.test/"))
                    for number, body in pages(opened)
                }
        return cache[site]

    return extract


@pytest.mark.parametrize("site", SITES)
def test_every_page_is_one_complete_document(extractions, site):
    found = extractions(site)
    assert len(found) == SITES[site]
    assert [number for number, page in found.items() if len(page.documents) != 1 or page.misses] == []


@pytest.mark.parametrize(("site", "field"), FIELDS)
def test_every_value_of_every_page_is_exact(extractions, site, field):
    found = extractions(site)
    with archive(site) as opened:
        wanted = truth(opened, site, field)
    wrong = {
        number: (values_of(page.documents[0].values[field]), expected(field, wanted[number]))
        for number, page in found.items()
        if values_of(page.documents[0].values[field]) != expected(field, wanted[number])
    }
    assert wrong == {}
    assert sum(bool(wanted[number]) for number in found) > 0


def values_of(value):
    """A field's value as a set of texts."""
    if isinstance(value, dict):
        return {f"${value['amount']:,.2f}"} if value["currency"] == "USD" else {str(value)}
    return set(value) if isinstance(value, list) else {value} - {None}


def expected(field, values):
    """The truth as a set of texts, dates in ISO form by the standard library's own reading."""
    pattern = DATE_FORMATS.get(field)
    if pattern is None:
        return set(values)
    return {datetime.strptime(value, pattern).date().isoformat() for value in values}  # noqa: DTZ007
