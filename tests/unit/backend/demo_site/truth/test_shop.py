import aiohttp
import pytest

from backend.demo_site.truth import SHOP_CARDS, SHOP_PRODUCTS, SHOP_REVIEWS, DocumentKind
from tests.unit.backend.demo_site.extraction import compare_everything


@pytest.mark.parametrize(
    ("kind", "least"),
    [(SHOP_PRODUCTS, 500), (SHOP_CARDS, 500), (SHOP_REVIEWS, 3000)],
    ids=lambda value: getattr(value, "name", ""),
)
async def test_every_value_is_on_its_page(client: aiohttp.ClientSession, kind: DocumentKind, least: int):
    assert await compare_everything(client, kind) >= least
