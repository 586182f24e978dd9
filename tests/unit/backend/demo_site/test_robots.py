import aiohttp
import pytest
from protego import Protego

from backend.demo_site import DemoSite
from backend.demo_site.robots import VARIANTS


async def _allows(client: aiohttp.ClientSession, path: str, target: str, agent: str = "gleaner") -> bool:
    async with client.get(path) as answer:
        assert answer.status == 200
        rules = Protego.parse((await answer.read()).decode("utf-8", "replace"))
    return rules.can_fetch("http://site" + target, agent)


async def test_the_friendly_one_keeps_crawlers_from_the_baskets_only(client: aiohttp.ClientSession):
    assert await _allows(client, "/robots.txt", "/shop/products?page=2")
    assert not await _allows(client, "/robots.txt", "/shop/cart")
    assert not await _allows(client, "/robots.txt", "/markt/warenkorb.php")


async def test_a_knob_changes_it(client: aiohttp.ClientSession, site: DemoSite):
    site.state.turn({"robots": "unavailable"})
    async with client.get("/robots.txt") as answer:
        assert answer.status == 503


async def test_the_name_of_the_host_chooses_it(client: aiohttp.ClientSession):
    async with client.get("/robots.txt", headers={"Host": "robots-missing.test"}) as answer:
        assert answer.status == 404


async def test_an_unknown_variant_is_refused(client: aiohttp.ClientSession):
    async with client.post("/_control/state", json={"robots": "odd"}) as answer:
        assert answer.status == 400
    async with client.get("/robots.txt", headers={"Host": "robots-odd.test"}) as answer:
        assert answer.status == 404


@pytest.mark.parametrize(
    ("variant", "status"),
    [
        ("missing", 404),
        ("forbidden", 403),
        ("error", 500),
        ("unavailable", 503),
        ("redirect", 302),
        ("redirect-loop", 302),
    ],
)
async def test_variants_that_answer_with_a_status(client: aiohttp.ClientSession, variant: str, status: int):
    async with client.get(f"/robots/{variant}.txt", allow_redirects=False) as answer:
        assert answer.status == status


async def test_the_huge_one_has_a_rule_before_and_one_past_500_kib(client: aiohttp.ClientSession):
    async with client.get("/robots/huge.txt") as answer:
        body = await answer.read()
    assert body.index(b"/shop/c/ssd") < 100
    assert body.index(b"/shop/c/phones") > 500 * 1024


@pytest.mark.parametrize("variant", ["garbage", "bom"])
async def test_damaged_ones_still_hold_a_rule(client: aiohttp.ClientSession, variant: str):
    async with client.get(f"/robots/{variant}.txt") as answer:
        assert b"Disallow: /shop/c/ssd" in await answer.read()


async def test_groups_speak_to_us_and_to_others(client: aiohttp.ClientSession):
    path = "/robots/groups.txt"
    assert not await _allows(client, path, "/shop/", agent="stranger")
    assert await _allows(client, path, "/shop/")
    assert not await _allows(client, path, "/shop/c/ssd")
    assert await _allows(client, path, "/shop/c/ssd?page=2")


async def test_a_crawl_delay_is_stated(client: aiohttp.ClientSession):
    async with client.get("/robots/crawl-delay.txt") as answer:
        assert Protego.parse(await answer.text()).crawl_delay("gleaner") == 1


def test_every_variant_has_a_name_that_fits_a_host():
    assert all(name.replace("-", "").isalnum() for name in VARIANTS)
