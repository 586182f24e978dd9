import aiohttp
import pytest
from lxml import html

from backend.demo_site import DemoSite
from backend.demo_site.dynamic.account import CAPTCHA_ANSWER, PASSWORD, USER_NAME
from backend.demo_site.truth import KINDS
from tests.unit.backend.demo_site.extraction import compare_everything


@pytest.fixture
async def client(site: DemoSite):
    async with aiohttp.ClientSession(site.url, cookie_jar=aiohttp.CookieJar(unsafe=True)) as session:
        yield session


async def _form(client: aiohttp.ClientSession, path: str) -> dict[str, str]:
    async with client.get(path) as answer:
        tree = html.document_fromstring(await answer.read())
    return {field.get("name"): field.get("value", "") for field in tree.xpath("//form//input")}


async def _sign_in(client: aiohttp.ClientSession, path: str = "/dynamic/account", password: str = PASSWORD):
    form = {**await _form(client, path), "username": USER_NAME, "password": password}
    async with client.post("/dynamic/login", data=form) as answer:
        return answer.status, answer.url.path_qs, await answer.text()


async def test_strangers_are_sent_to_the_form(client: aiohttp.ClientSession):
    async with client.get("/dynamic/account/orders?page=2", allow_redirects=False) as answer:
        assert answer.status == 302
        assert answer.headers["Location"] == "/dynamic/login?next=/dynamic/account/orders?page=2"


async def test_the_form_leads_back_to_where_one_wanted_to_go(client: aiohttp.ClientSession):
    status, path, text = await _sign_in(client, "/dynamic/account/orders?page=2")
    assert (status, path) == (200, "/dynamic/account/orders?page=2")
    assert 'id="signed-in"' in text


async def test_every_order_is_there_after_signing_in(client: aiohttp.ClientSession):
    await _sign_in(client)
    assert await compare_everything(client, KINDS["dynamic orders"]) == 30


async def test_a_wrong_password_is_told(client: aiohttp.ClientSession):
    status, _, text = await _sign_in(client, password="guess")
    assert status == 401
    assert "Wrong user name or password" in text


async def test_a_form_without_its_token_is_refused(client: aiohttp.ClientSession):
    async with client.post(
        "/dynamic/login", data={"username": USER_NAME, "password": PASSWORD, "token": "x"}
    ) as answer:
        assert answer.status == 403


async def test_the_form_leads_to_no_other_site(client: aiohttp.ClientSession):
    form = {**await _form(client, "/dynamic/login"), "username": USER_NAME, "password": PASSWORD, "next": "//evil.test"}
    async with client.post("/dynamic/login", data=form, allow_redirects=False) as answer:
        assert answer.headers["Location"] == "/dynamic/account"


async def test_a_session_ends_after_as_many_pages_as_the_knob_says(client: aiohttp.ClientSession, site: DemoSite):
    site.state.turn({"session_requests": 2})
    await _sign_in(client)
    paths = []
    for _ in range(2):
        async with client.get("/dynamic/account") as answer:
            paths.append(answer.url.path)
    assert paths == ["/dynamic/account", "/dynamic/login"]


async def test_signing_out_ends_the_session(client: aiohttp.ClientSession):
    await _sign_in(client)
    async with client.post("/dynamic/logout"), client.get("/dynamic/account") as answer:
        assert answer.url.path == "/dynamic/login"


async def test_the_captcha_lets_people_in(client: aiohttp.ClientSession):
    async with client.get("/dynamic/captcha") as answer:
        assert answer.status == 403
    async with client.post("/dynamic/captcha", data={"answer": CAPTCHA_ANSWER}) as answer:
        assert (answer.status, "Welcome" in await answer.text()) == (200, True)
