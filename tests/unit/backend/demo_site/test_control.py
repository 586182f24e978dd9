import asyncio
import json

import aiohttp

from backend.demo_site import DemoSite
from backend.demo_site.truth import SHOP_PRODUCTS


async def test_gives_the_log_as_json_lines_without_logging_itself(client: aiohttp.ClientSession, site: DemoSite):
    async with client.get("/shop/"), client.get("/shop/about"):
        pass
    async with client.get("/_control/log", params={"since": list(site.log)[1].number}) as answer:
        lines = [json.loads(line) for line in (await answer.text()).splitlines()]
    assert [line["target"] for line in lines] == ["/shop/about"]
    assert len(site.log) == 2


async def test_reset_forgets_the_log_and_puts_the_knobs_back(client: aiohttp.ClientSession, site: DemoSite):
    async with client.get("/shop/"), client.post("/_control/state", json={"version": 7}) as turned:
        assert (await turned.json())["version"] == 7
    async with client.post("/_control/reset") as answer:
        assert (await answer.json())["version"] == 1
    assert len(site.log) == 0


async def test_pages_are_late_and_the_knobs_are_not(client: aiohttp.ClientSession, site: DemoSite):
    site.state.turn({"latency_seconds": 3600})
    waiting = asyncio.ensure_future(client.get("/shop/"))
    while not site.log.targets():
        await asyncio.sleep(0.01)
    async with client.post("/_control/reset"):
        assert not waiting.done()
    waiting.cancel()


async def test_refuses_unknown_knobs_and_sets_none(client: aiohttp.ClientSession, site: DemoSite):
    async with client.post("/_control/state", json={"version": 2, "colour": "red"}) as answer:
        assert answer.status == 400
        assert "colour" in (await answer.json())["error"]
    assert site.state.version == 1


async def test_gives_the_truth(client: aiohttp.ClientSession):
    async with client.get("/_control/truth/shop-products") as answer:
        lines = [json.loads(line) for line in (await answer.text()).splitlines()]
    assert [line["path"] for line in lines] == [document.path for document in SHOP_PRODUCTS.documents()]
    assert set(lines[0]["values"]["price"]) == {"amount", "currency"}
