import aiohttp
import pytest
from lxml import etree, html

from backend.demo_site import DemoSite
from backend.demo_site.catalogue.products import all_products
from backend.demo_site.shop.addresses import image_path, product_path
from backend.demo_site.truth import shop_pages
from tests.unit.backend.demo_site.browsing import reachable


async def test_links_lead_to_exactly_the_expected_pages(client: aiohttp.ClientSession):
    assert await reachable(client, "/shop/") == shop_pages()


@pytest.mark.parametrize(
    "path",
    [
        "/shop/p/none",
        "/shop/c/none",
        "/shop/b/none",
        "/shop/products?page=26",
        "/shop/img/1.svg",
        "/shop/p/none/reviews",
    ],
)
async def test_what_is_not_there_is_a_404(client: aiohttp.ClientSession, path: str):
    async with client.get(path) as answer:
        assert answer.status == 404


async def test_the_search_of_the_shop_finds_all_words(client: aiohttp.ClientSession):
    async with client.get("/shop/search", params={"q": "ssd 1tb samsung"}) as answer:
        tree = html.document_fromstring(await answer.read())
    names = tree.xpath("//ul[@class='grid']//h3/a/text()")
    assert names
    assert all("Samsung" in name and "1TB" in name for name in names)


async def test_a_search_with_markup_is_shown_as_text(client: aiohttp.ClientSession):
    async with client.get("/shop/search", params={"q": "<script>alert(1)</script>"}) as answer:
        assert "<script>" not in await answer.text()


async def test_pictures_are_well_formed_and_distinct(client: aiohttp.ClientSession):
    pictures = set()
    for product in all_products()[::25]:
        async with client.get(image_path(product)) as answer:
            assert answer.content_type == "image/svg+xml"
            picture = await answer.read()
        assert etree.fromstring(picture).tag == "{http://www.w3.org/2000/svg}svg"
        pictures.add(picture)
    assert len(pictures) == 20


async def test_a_known_page_is_not_sent_again(client: aiohttp.ClientSession, site: DemoSite):
    path = product_path(all_products()[0])
    async with client.get(path) as first:
        etag, modified = first.headers["ETag"], first.headers["Last-Modified"]
    async with client.get(path, headers={"If-None-Match": f'"other", {etag}'}) as second:
        assert (second.status, await second.read()) == (304, b"")
    async with client.get(path, headers={"If-Modified-Since": modified}) as third:
        assert third.status == 304
    async with client.get(path, headers={"If-None-Match": '"other"', "If-Modified-Since": modified}) as fourth:
        assert fourth.status == 200
    assert [entry.status for entry in site.log] == [200, 304, 304, 200]


async def test_some_shelves_carry_microdata_some_json_ld_some_nothing(client: aiohttp.ClientSession):
    found = {}
    for product in all_products()[::50]:
        async with client.get(product_path(product)) as answer:
            text = await answer.text()
        found[product.category.slug] = ("itemprop=" in text, "application/ld+json" in text)
    assert found["ssd"] == (True, False)
    assert found["phones"] == (False, True)
    assert found["speakers"] == (False, False)
