"""Cookies go where they belong, however they came: set by a server, given by a person, told by another worker."""

import json
import time
from types import SimpleNamespace

import pytest
from aiohttp import web
from yarl import URL

from crawler_node.browser.login import parse_cookies
from crawler_node.contracts import FetchedPage, Lease
from crawler_node.fetch.cookies import CookieShelf
from crawler_node.urls import parse_url
from tests.unit.crawler_node.fetch.conftest import MakeSite, lane_to

GIVEN = [
    {"name": "wide", "value": "1", "domain": ".example.com"},
    {"name": "own", "value": "2", "domain": "example.com", "path": "/"},
    {"name": "account", "value": "3", "domain": ".example.com", "path": "/account"},
    {"name": "safe", "value": "4", "domain": ".example.com", "secure": True},
    {"name": "gone", "value": "5", "domain": ".example.com", "expires": 1_700_000_000},
    {"name": "lasting", "value": "6", "domain": ".example.com", "expires": 99_999_999_999},
    {"name": "odd@name", "value": "YWJj/ZA==", "domain": ".example.com"},
]
SENT = [
    ("https://example.com/", {"wide", "own", "safe", "lasting", "odd@name"}),
    ("https://www.example.com/", {"wide", "safe", "lasting", "odd@name"}),
    ("http://www.example.com/", {"wide", "lasting", "odd@name"}),
    ("https://www.example.com/account/orders", {"wide", "account", "safe", "lasting", "odd@name"}),
    ("https://badexample.com/", set()),
    ("https://com/", set()),
]


def sent(shelf: CookieShelf, url: str) -> dict[str, str]:
    return {name: morsel.coded_value for name, morsel in shelf.jar.filter_cookies(URL(url)).items()}


@pytest.mark.parametrize(("url", "names"), SENT)
async def test_cookies_of_a_person_go_where_a_browser_would_send_them(url: str, names: set[str]) -> None:
    shelf = CookieShelf(is_kept=True)
    for cookie in parse_cookies(GIVEN):
        shelf.put(cookie.as_stored())
    assert sent(shelf, url).keys() == names
    assert sent(shelf, url).get("odd@name", "YWJj/ZA==") == "YWJj/ZA=="


def serving(*headers: str) -> object:
    async def serve(request: web.Request) -> web.Response:
        response = web.Response(text=request.headers.get("Cookie", ""), content_type="text/html")
        for header in headers if "Cookie" not in request.headers else ():
            response.headers.add("Set-Cookie", header)
        return response

    return serve


def lease(url: str) -> Lease:
    return Lease(url, b"k" * 16, "h", 0, 1, 0.0, 1)


async def test_another_worker_learns_cookies_with_their_path_and_end(make_site: MakeSite) -> None:
    headers = ("deep=YQ==; Path=/account; Max-Age=500", "all=2; Path=/", "safe=3; Secure", "gone=4; Max-Age=0")
    site = await make_site({"/": serving(*headers), "/account/x": serving()})  # type: ignore[dict-item]
    async with lane_to(site) as one, lane_to(site) as other:
        await one.fetch(lease(site.url()))
        news = one.cookies.take_news(f"127.0.0.1:{site.port}")
        assert news is not None
        other.cookies.learn(news)
        for path, expected in (("/", b"all=2"), ("/account/x", b"all=2; deep=YQ==")):
            pages = [await lane.fetch(lease(site.url(path))) for lane in (one, other)]
            assert [page.body for page in pages if isinstance(page, FetchedPage)] == [expected] * 2
        assert sent(other.cookies, "https://127.0.0.1/") == {"all": "2", "safe": "3"}
    (deep,) = (row for row in json.loads(news)["cookies"] if row["name"] == "deep")
    assert deep["expires"].endswith(" GMT")
    assert str(time.gmtime(time.time() + 500).tm_year) in deep["expires"]


@pytest.mark.parametrize(
    "value",
    [
        '"q w"',
        '"a\\054b\\073c"',
        '"abc="',
        "a b",
        'x"y',
        '{"a":1,"b":[2]}',
        "a\\054b",
        "%22a%22",
        "YQ==",
        "ä",
        '""',
        "",
    ],
)
async def test_values_go_back_as_they_came(make_site: MakeSite, value: str) -> None:
    site = await make_site({"/": serving(f"first={value}; Path=/")})  # type: ignore[dict-item]
    async with lane_to(site) as one, lane_to(site) as other:
        await one.fetch(lease(site.url()))
        other.cookies.learn(one.cookies.take_news(f"127.0.0.1:{site.port}") or "")
        pages = [await lane.fetch(lease(site.url())) for lane in (one, other)]
    assert [page.body.decode() for page in pages if isinstance(page, FetchedPage)] == [f"first={value}"] * 2


@pytest.mark.parametrize(
    "url",
    [
        "https://shop.example/a",
        "http://shop.example/a",
        "https://xn--mller-kva.example/a?b",
        "http://shop.example:8080/",
        "http://[2001:db8::1]/a",
        "http://[2001:db8::1]:8080/a",
    ],
)
async def test_news_are_told_under_the_name_that_leases_call_a_host_by(url: str) -> None:
    address, parsed = URL(url, encoded=True), parse_url(url)
    assert parsed is not None
    shelf = CookieShelf(is_kept=True)
    shelf.jar.update_cookies_from_headers(["a=1"], address)
    answer = SimpleNamespace(url=address, headers={"Set-Cookie": "a=1"})
    shelf.notice(answer)  # type: ignore[arg-type]
    news = shelf.take_news(parsed.authority)
    assert news is not None
    assert [row["name"] for row in json.loads(news)["cookies"]] == ["a"]
    assert shelf.take_news(parsed.authority) is None


async def test_a_cookie_of_a_whole_domain_stays_one_on_the_way() -> None:
    one, other = CookieShelf(is_kept=True), CookieShelf(is_kept=True)
    one.jar.update_cookies_from_headers(["wide=1; Domain=example.com", "own=2"], URL("https://www.example.com/"))
    one._changed["www.example.com"] = "www.example.com"
    news = one.take_news("www.example.com")
    assert news is not None
    other.learn(news)
    assert sent(other, "https://www.example.com/") == {"wide": "1", "own": "2"}
    assert sent(other, "https://shop.example.com/") == {"wide": "1"}


async def test_cookies_of_a_bare_ipv6_address_are_learnt() -> None:
    one, other = CookieShelf(is_kept=True), CookieShelf(is_kept=True)
    one.jar.update_cookies_from_headers(["own=2; Path=/"], URL("http://[::1]:8000/"))
    one._changed["[::1]:8000"] = "::1"
    news = one.take_news("[::1]:8000")
    assert news is not None
    other.learn(news)
    assert sent(other, "http://[::1]:8000/") == {"own": "2"}


async def test_a_cookie_of_no_host_is_left_out_and_the_others_are_learnt() -> None:
    shelf = CookieShelf(is_kept=True)
    rows = [{"name": "a", "value": "1", "domain": domain} for domain in ("x:y:z", "[", "b.example")]
    shelf.learn(json.dumps({"cookies": rows}))
    assert sent(shelf, "https://b.example/") == {"a": "1"}


async def test_a_text_of_an_earlier_version_is_understood() -> None:
    shelf = CookieShelf(is_kept=True)
    shelf.learn(json.dumps({"origin": "http://127.0.0.1:8000", "cookies": {"basket": "b 17", "sid": "x=="}}))
    assert sent(shelf, "http://127.0.0.1:8000/any") == {"basket": "b 17", "sid": "x=="}


async def test_who_keeps_no_cookies_learns_none() -> None:
    shelf = CookieShelf(is_kept=False)
    shelf.learn(json.dumps({"origin": "http://a.example", "cookies": {"a": "1"}}))
    for cookie in parse_cookies(GIVEN):
        shelf.put(cookie.as_stored())
    assert sent(shelf, "http://a.example/") == sent(shelf, "https://example.com/") == {}
