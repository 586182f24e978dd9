"""On our own test site every value of every kind of document is exact, whatever the way it is written."""

from collections import defaultdict
from datetime import date
from decimal import Decimal
from urllib.request import urlopen

import pytest

from backend.demo_site import DemoSite
from backend.demo_site.hostile import broken, charsets
from backend.demo_site.money import Money
from backend.demo_site.truth import KINDS
from crawler_node.extract.compiler import compile_template
from crawler_node.extract.parsing import parse_page
from crawler_node.extract.spec import parse_template

MAX_PAGES = 150
# Orders are seen only by whoever has logged in.
PLAIN_KINDS = [kind for kind in KINDS.values() if not kind.needs_browser and kind.name != "dynamic orders"]


@pytest.fixture(scope="module")
def site():
    with DemoSite() as running:
        yield running


@pytest.mark.parametrize("kind", PLAIN_KINDS, ids=lambda kind: kind.name)
def test_every_value_is_exact(site, kind):
    template = compile_template(parse_template(template_of(kind)))
    expected = defaultdict(list)
    for document in kind.documents():
        expected[document.path].append({name: meant(value) for name, value in document.values.items()})
    assert expected
    step = max(1, len(expected) // MAX_PAGES)
    for path in list(expected)[::step]:
        found = template.extract(fetch(site, path))
        assert [found_values(document, site) for document in found.documents] == expected[path], path


HOSTILE_TEMPLATE = {
    "name": "hostile",
    "inspectors": [
        {"name": "name", "selector": "//h1[@class='name']", "required": True},
        {"name": "price", "selector": "//p[@class='price']", "type": "price"},
        {"name": "text", "selector": "//p[@class='text']"},
    ],
}


@pytest.mark.parametrize("name", sorted(broken.CASES))
def test_broken_pages_are_read_whole(site, name):
    found = compile_template(parse_template(HOSTILE_TEMPLATE)).extract(fetch(site, f"{broken.BASE}/{name}"))
    assert [document.values for document in found.documents] == [
        {"name": name, "price": {"amount": 1299, "currency": "EUR"}, "text": None}
    ]


@pytest.mark.parametrize("case", charsets.CASES, ids=lambda case: case.name)
def test_mislabelled_pages_are_read_as_what_they_are(site, case):
    found = compile_template(parse_template(HOSTILE_TEMPLATE)).extract(fetch(site, case.path))
    assert [document.values for document in found.documents] == [{"name": case.name, "price": None, "text": case.text}]


def template_of(kind):
    """The project file's template for a kind of document of the site."""
    inspectors = [
        {
            "name": name,
            "selector": rule.selector,
            "type": str(rule.type),
            "attribute": rule.attribute,
            "required": rule.required,
            "multiple": rule.multiple,
        }
        for name, rule in kind.rules.items()
    ]
    return {"name": kind.name, "item_scope": kind.item_scope, "inspectors": inspectors}


def fetch(site, path):
    """A page of the site, parsed."""
    with urlopen(site.url.rstrip("/") + path) as answer:
        return parse_page(answer.read(), url=answer.url, content_type=answer.headers["content-type"])


def meant(value):
    """What the truth says, as extraction says it."""
    if isinstance(value, Money):
        return {"amount": float(value.amount), "currency": value.currency}
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, Decimal):
        return float(value)
    return list(value) if isinstance(value, tuple) else value


def found_values(document, site):
    """What was found, addresses without the site's own; what was not found is left out."""
    origin = site.url.rstrip("/")
    return {
        name: value.removeprefix(origin) if isinstance(value, str) else value
        for name, value in document.values.items()
        if value is not None
    }
