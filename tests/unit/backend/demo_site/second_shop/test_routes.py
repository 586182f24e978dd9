import struct
import zlib

import aiohttp
import pytest

from backend.demo_site.catalogue.products import all_products
from backend.demo_site.second_shop.articles import all_articles
from backend.demo_site.truth import second_shop_pages
from tests.unit.backend.demo_site.browsing import reachable


async def test_links_lead_to_exactly_the_expected_pages(client: aiohttp.ClientSession):
    assert await reachable(client, "/markt/") == second_shop_pages()


async def test_pages_are_windows_1252_and_say_so(client: aiohttp.ClientSession):
    async with client.get("/markt/") as answer:
        body = await answer.read()
        assert answer.charset == "windows-1252"
    assert "€".encode("cp1252") in body
    with pytest.raises(UnicodeDecodeError):
        body.decode("utf-8")


async def test_pictures_are_png_of_the_stated_size(client: aiohttp.ClientSession):
    async with client.get("/markt/bilder/5001.png") as answer:
        picture = await answer.read()
    assert picture.startswith(b"\x89PNG\r\n\x1a\n")
    assert struct.unpack(">II", picture[16:24]) == (120, 120)
    length = struct.unpack(">I", picture[33:37])[0]
    assert len(zlib.decompress(picture[41 : 41 + length])) == 120 * (1 + 3 * 120)


@pytest.mark.parametrize(
    "path",
    ["/markt/artikel.php?id=1", "/markt/artikel.php", "/markt/liste.php?kat=11", "/markt/liste.php?kat=1&seite=9"],
)
async def test_what_is_not_there_is_a_404(client: aiohttp.ClientSession, path: str):
    async with client.get(path) as answer:
        assert answer.status == 404


def test_200_products_are_also_in_the_first_shop_at_other_prices():
    first = {product.gtin: product for product in all_products()}
    shared = [article for article in all_articles() if article.product.gtin in first]
    assert (len(shared), len(all_articles())) == (200, 300)
    assert sum(article.amount != first[article.product.gtin].amount for article in shared) > 150
