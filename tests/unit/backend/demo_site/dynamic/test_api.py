import aiohttp
import pytest


async def test_gives_a_stretch_of_the_three_hundred(client: aiohttp.ClientSession):
    async with client.get("/dynamic/api/items?from=290&count=20") as answer:
        found = await answer.json()
    assert (len(found["items"]), found["total"]) == (10, 300)


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("/dynamic/api/items", 400),
        ("/dynamic/api/items?from=-1&count=2", 400),
        ("/dynamic/api/item/1", 404),
        ("/dynamic/api/tab/none", 404),
        ("/dynamic/api/opinion/10", 404),
        ("/dynamic/item/1", 404),
        ("/dynamic/cookies?lang=xx", 404),
    ],
)
async def test_refuses_what_is_not_there(client: aiohttp.ClientSession, path: str, status: int):
    async with client.get(path) as answer:
        assert answer.status == status
