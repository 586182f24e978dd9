import aiohttp
import pytest

from backend.demo_site import DemoSite
from backend.demo_site.hostile.redirects import BASE, FORBIDDEN_TARGETS


async def _follow(client: aiohttp.ClientSession, path: str, steps: int) -> tuple[list[int], str]:
    """The status codes met, and the last address."""
    statuses = []
    for _ in range(steps):
        async with client.get(path, allow_redirects=False) as answer:
            statuses.append(answer.status)
            if "Location" not in answer.headers:
                break
            path = str(answer.url.join(aiohttp.client.URL(answer.headers["Location"])).path_qs)
    return statuses, path


@pytest.mark.parametrize("name", ["loop", "ping", "endless?n=1"])
async def test_never_arrives(client: aiohttp.ClientSession, name: str):
    statuses, _ = await _follow(client, f"{BASE}/{name}", 40)
    assert len(statuses) == 40
    assert 200 not in statuses


async def test_endless_never_repeats_an_address(client: aiohttp.ClientSession, site: DemoSite):
    await _follow(client, f"{BASE}/endless?n=1", 30)
    assert len(set(site.log.targets())) == 30


async def test_the_short_chain_uses_every_kind_of_redirect(client: aiohttp.ClientSession):
    statuses, path = await _follow(client, f"{BASE}/chain/5", 10)
    assert sorted(statuses) == [200, 301, 302, 303, 307, 308]
    assert path == f"{BASE}/chain/0"


async def test_the_long_chain_ends_after_sixty(client: aiohttp.ClientSession):
    statuses, _ = await _follow(client, f"{BASE}/chain/60", 100)
    assert (len(statuses), statuses[-1]) == (61, 200)


async def test_a_relative_redirect_arrives(client: aiohttp.ClientSession):
    async with client.get(f"{BASE}/relative") as answer:
        assert answer.url.path == f"{BASE}/chain/0"


async def test_the_cookie_opens_the_door(site: DemoSite):
    jar = aiohttp.CookieJar(unsafe=True)
    async with aiohttp.ClientSession(site.url, cookie_jar=jar) as client, client.get(f"{BASE}/cookie") as answer:
        assert answer.status == 200


async def test_a_redirect_may_lead_nowhere(client: aiohttp.ClientSession):
    async with client.get(f"{BASE}/empty", allow_redirects=False) as answer:
        assert (answer.status, answer.headers.get("Location")) == (302, None)


@pytest.mark.parametrize("name", FORBIDDEN_TARGETS)
async def test_some_lead_where_nobody_should_go(client: aiohttp.ClientSession, name: str):
    async with client.get(f"{BASE}/to/{name}", allow_redirects=False) as answer:
        assert answer.headers["Location"] == FORBIDDEN_TARGETS[name]
