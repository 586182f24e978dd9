import aiohttp
import pytest

from backend.demo_site.truth import KINDS
from tests.unit.backend.demo_site.extraction import compare_everything

STATIC_KINDS = {
    "shop products": 500,
    "shop cards": 500,
    "shop reviews": 3000,
    "second shop articles": 300,
    "second shop rows": 300,
    "magazine articles": 200,
}


@pytest.mark.parametrize("name", STATIC_KINDS)
async def test_every_value_is_on_its_page(client: aiohttp.ClientSession, name: str):
    assert await compare_everything(client, KINDS[name]) >= STATIC_KINDS[name]


@pytest.mark.parametrize("name", KINDS)
def test_exactly_the_required_fields_are_always_there(name: str):
    kind = KINDS[name]
    documents = kind.documents()
    always = set.intersection(*(set(document.fields) for document in documents))
    assert always == {field for field, rule in kind.rules.items() if rule.required}
    assert set().union(*(document.fields for document in documents)) == set(kind.rules)
