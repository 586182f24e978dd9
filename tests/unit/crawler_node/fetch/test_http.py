"""The HTTP lane against a real server on loopback."""

import asyncio
import gzip
from dataclasses import replace

import pytest
from aiohttp import web

from crawler_node.contracts import Failure, FetchedPage, FetchFailure, Hop, Redirect, Refusal
from crawler_node.robots import fetch_robots
from tests.unit.crawler_node.fetch.conftest import Handler, MakeSite, lane_to, lane_to_port, lease


def html(text: str = "<p>hello</p>", **options: object) -> Handler:
    async def serve(request: web.Request) -> web.Response:
        return web.Response(text=text, content_type="text/html", **options)  # type: ignore[arg-type]

    return serve


def redirect(target: str, status: int = 302, headers: dict[str, str] | None = None) -> Handler:
    async def serve(request: web.Request) -> web.Response:
        return web.Response(status=status, headers={"Location": target} | (headers or {}))

    return serve


async def test_a_page_comes_with_its_bytes_and_headers(make_site: MakeSite) -> None:
    site = await make_site({"/a": html("<p>ä</p>")})
    async with lane_to(site) as lane:
        page = await lane.fetch(lease(site.url("/a")))
    assert isinstance(page, FetchedPage)
    assert (page.url, page.status, page.body) == (site.url("/a"), 200, "<p>ä</p>".encode())
    assert page.content_type == "text/html"
    assert page.headers["content-type"] == "text/html; charset=utf-8"
    assert page.load_seconds > 0


async def test_all_lines_of_what_a_page_says_about_itself_count(make_site: MakeSite) -> None:
    async def serve(request: web.Request) -> web.Response:
        lines = [("X-Robots-Tag", "noindex"), ("X-Robots-Tag", "noarchive"), ("Link", "</b>; rel=canonical")]
        lines += [("Link", "</?p=2>; rel=shortlink"), ("X-Once", "1"), ("X-Once", "2")]
        response = web.Response(text="x", content_type="text/html")
        for name, value in lines:
            response.headers.add(name, value)
        return response

    site = await make_site({"/a": serve})
    async with lane_to(site) as lane:
        page = await lane.fetch(lease(site.url("/a")))
    assert isinstance(page, FetchedPage)
    assert page.headers["x-robots-tag"].splitlines() == ["noindex", "noarchive"]
    assert page.headers["link"].splitlines() == ["</b>; rel=canonical", "</?p=2>; rel=shortlink"]
    assert page.headers["x-once"] == "2"


async def test_we_introduce_ourselves_and_keep_the_connection(make_site: MakeSite) -> None:
    site = await make_site({"/{x}": html()})
    headers = {"accept-language": "de", "X-Team": "7"}
    async with lane_to(site, user_agent="Gleaner/1 (+mailto:a@b.c)", headers=headers) as lane:
        for number in range(3):
            await lane.fetch(lease(site.url(f"/{number}")))
    sent = site.requests[0].headers
    assert sent["User-Agent"] == "Gleaner/1 (+mailto:a@b.c)"
    assert (sent["Accept-Language"], sent["X-Team"]) == ("de", "7")
    assert sent["Accept-Encoding"] == "gzip, deflate, br, zstd"
    assert sent.getall("Accept-Language") == ["de"]
    peers = {request.transport.get_extra_info("peername") if request.transport else None for request in site.requests}
    assert len(peers - {None}) <= 1


async def test_own_headers_are_for_own_hosts_alone(make_site: MakeSite) -> None:
    site = await make_site({"/{x}": html()})
    async with lane_to(site, headers={"X-Team": "7"}, is_own=lambda host: host == "localhost") as lane:
        await lane.fetch(lease(site.url("/foreign")))
        await lane.fetch(lease(site.url("/own").replace("127.0.0.1", "localhost")))
    assert [(request.path, request.headers.get("X-Team")) for request in site.requests] == [
        ("/foreign", None),
        ("/own", "7"),
    ]


async def test_own_headers_do_not_go_in_the_open_where_they_may_not(make_site: MakeSite) -> None:
    site = await make_site({"/{x}": html()})
    for in_open in (False, True):
        async with lane_to(site, headers={"X-Team": "7"}, headers_in_open=in_open) as lane:
            await lane.fetch(lease(site.url("/a")))
    assert [request.headers.get("X-Team") for request in site.requests] == [None, "7"]


async def test_a_path_is_asked_for_as_it_is_written(make_site: MakeSite) -> None:
    site = await make_site({"/{tail:.*}": html()})
    async with lane_to(site) as lane:
        await lane.fetch(lease(site.url("/a%2Fb/%C3%A4?q=%26&r=a+b")))
    assert site.requests[0].raw_path == "/a%2Fb/%C3%A4?q=%26&r=a+b"


async def test_a_long_header_is_no_reason_to_go_without_the_page(make_site: MakeSite) -> None:
    policy = "default-src 'self' " + "https://cdn.example " * 2_000
    site = await make_site({"/a": html(headers={"Content-Security-Policy": policy})})
    async with lane_to(site) as lane:
        page = await lane.fetch(lease(site.url("/a")))
    assert isinstance(page, FetchedPage)
    assert page.headers["content-security-policy"] == policy.strip()


async def test_many_headers_are_no_reason_to_go_without_the_page(make_site: MakeSite) -> None:
    site = await make_site({"/a": html(headers={f"X-Shop-{number}": "1" for number in range(200)})})
    async with lane_to(site) as lane:
        page = await lane.fetch(lease(site.url("/a")))
    assert isinstance(page, FetchedPage)
    assert page.headers["x-shop-199"] == "1"


@pytest.mark.parametrize(
    "content_type", ["text/html, text/html", "text/html,charset=utf-8", "Text/HTML , text/html; x=y"]
)
async def test_a_type_that_is_written_twice_is_one(make_site: MakeSite, content_type: str) -> None:
    async def serve(request: web.Request) -> web.Response:
        return web.Response(body=b"<p>x</p>", headers={"Content-Type": content_type})

    site = await make_site({"/a": serve})
    async with lane_to(site) as lane:
        page = await lane.fetch(lease(site.url("/a")))
    assert isinstance(page, FetchedPage)
    assert page.content_type == "text/html"


async def test_a_page_that_was_packed_twice_is_unpacked_twice(make_site: MakeSite) -> None:
    async def serve(request: web.Request) -> web.Response:
        response = web.Response(body=gzip.compress(gzip.compress(b"<p>x</p>")), content_type="text/html")
        response.headers.add("Content-Encoding", "gzip")
        response.headers.add("Content-Encoding", "gzip")
        return response

    site = await make_site({"/": serve})
    async with lane_to(site) as lane:
        page = await lane.fetch(lease(site.url()))
    assert isinstance(page, FetchedPage)
    assert page.body == b"<p>x</p>"


async def test_a_compressed_page_is_unpacked(make_site: MakeSite) -> None:
    async def serve(request: web.Request) -> web.Response:
        return web.Response(
            body=gzip.compress(b"<p>x</p>" * 99), headers={"Content-Encoding": "gzip"}, content_type="text/html"
        )

    site = await make_site({"/": serve})
    async with lane_to(site) as lane:
        page = await lane.fetch(lease(site.url()))
    assert isinstance(page, FetchedPage)
    assert page.body == b"<p>x</p>" * 99


async def test_a_bomb_is_too_big(make_site: MakeSite) -> None:
    async def serve(request: web.Request) -> web.Response:
        return web.Response(
            body=gzip.compress(bytes(20_000_000)), headers={"Content-Encoding": "gzip"}, content_type="text/html"
        )

    site = await make_site({"/": serve})
    async with lane_to(site, max_body_bytes=1_000_000) as lane:
        failure = await lane.fetch(lease(site.url()))
    assert isinstance(failure, FetchFailure)
    assert (failure.refusal, failure.can_retry) == (Refusal.TOO_BIG, False)


async def test_an_endless_body_ends_at_the_cap(make_site: MakeSite) -> None:
    async def serve(request: web.Request) -> web.StreamResponse:
        response = web.StreamResponse(headers={"Content-Type": "text/html"})
        await response.prepare(request)
        while True:
            await response.write(bytes(65536))

    site = await make_site({"/": serve})
    async with lane_to(site, max_body_bytes=1_000_000) as lane:
        failure = await lane.fetch(lease(site.url()))
    assert isinstance(failure, FetchFailure)
    assert failure.refusal is Refusal.TOO_BIG


@pytest.mark.parametrize(
    ("headers", "refusal"),
    [
        ({"Content-Type": "image/png"}, Refusal.CONTENT_TYPE),
        ({"Content-Type": "application/pdf; x=y"}, Refusal.CONTENT_TYPE),
        ({"Content-Type": "text/html", "Content-Length": "99999999999"}, Refusal.TOO_BIG),
    ],
)
async def test_type_and_size_are_judged_before_the_body(
    make_site: MakeSite, headers: dict[str, str], refusal: Refusal
) -> None:
    never = asyncio.Event()

    async def serve(request: web.Request) -> web.StreamResponse:
        response = web.StreamResponse(headers=headers)
        await response.prepare(request)
        await asyncio.wait([asyncio.ensure_future(never.wait())], timeout=20)
        return response

    site = await make_site({"/": serve})
    async with lane_to(site, deadline_seconds=15) as lane:
        failure = await lane.fetch(lease(site.url()))
    never.set()
    assert isinstance(failure, FetchFailure)
    assert failure.refusal is refusal


async def test_a_slow_drip_ends_at_the_deadline(make_site: MakeSite) -> None:
    async def serve(request: web.Request) -> web.StreamResponse:
        response = web.StreamResponse(headers={"Content-Type": "text/html"})
        await response.prepare(request)
        while True:
            await response.write(b".")
            await asyncio.sleep(0.02)

    site = await make_site({"/": serve})
    async with lane_to(site, deadline_seconds=0.3) as lane:
        failure = await lane.fetch(lease(site.url()))
    assert isinstance(failure, FetchFailure)
    assert (failure.failure, failure.can_retry) == (Failure.TIMEOUT, True)


@pytest.mark.parametrize(
    ("status", "headers", "failure", "can_retry", "words"),
    [
        (404, {}, Failure.HTTP, False, "no such page (404)"),
        (410, {}, Failure.HTTP, False, "gone for good (410)"),
        (403, {}, Failure.HTTP, False, "refuses to show us this page (403)"),
        (500, {}, Failure.HTTP, True, "a problem of its own (500)"),
        (418, {}, Failure.HTTP, False, "status 418"),
        (429, {"Retry-After": "30"}, Failure.RATE_LIMITED, True, "The server asked us to wait 30 s (429)."),
        (503, {"Retry-After": "7"}, Failure.RATE_LIMITED, True, "The server asked us to wait 7 s (503)."),
        (429, {"Retry-After": "3600"}, Failure.RATE_LIMITED, True, "The server asked us to wait 60 min (429)."),
        (503, {"Retry-After": "86400"}, Failure.RATE_LIMITED, True, "The server asked us to wait 24 h (503)."),
        (429, {}, Failure.RATE_LIMITED, True, "slow down (429)"),
        (302, {}, Failure.BAD_REDIRECT, False, "sends us on to nowhere"),
        (302, {"Location": "ftp://x/"}, Failure.BAD_REDIRECT, False, "not to a web address"),
    ],
)
async def test_statuses_become_failures_with_sentences(
    make_site: MakeSite, status: int, headers: dict[str, str], failure: Failure, *, can_retry: bool, words: str
) -> None:
    async def serve(request: web.Request) -> web.Response:
        return web.Response(status=status, headers=headers)

    site = await make_site({"/": serve})
    async with lane_to(site) as lane:
        found = await lane.fetch(lease(site.url()))
    assert isinstance(found, FetchFailure)
    assert (found.failure, found.can_retry, found.status) == (failure, can_retry, status)
    assert words in found.sentence
    if status in (429, 503) and headers:
        assert found.retry_after_seconds == float(headers["Retry-After"])


async def test_a_lease_gets_its_redirect_back(make_site: MakeSite) -> None:
    site = await make_site({"/old": redirect("new?a=ä", 301, {"Set-Cookie": "seen=1"}), "/new": html()})
    async with lane_to(site) as lane:
        answer = await lane.fetch(lease(site.url("/old")))
    assert isinstance(answer, Redirect)
    assert (answer.status, answer.target, answer.sets_cookies) == (301, site.url("/new?a=%C3%A4"), True)
    assert [request.path for request in site.requests] == ["/old"]


async def test_redirects_are_followed_and_recorded_where_asked(make_site: MakeSite) -> None:
    site = await make_site({"/1": redirect("/2", 301), "/2": redirect("/3", 307), "/3": html("end")})
    async with lane_to(site) as lane:
        page = await lane.fetch_following(site.url("/1"))
    assert isinstance(page, FetchedPage)
    assert (page.url, page.requested_url, page.body) == (site.url("/3"), site.url("/1"), b"end")
    assert page.hops == (Hop(site.url("/1"), 301), Hop(site.url("/2"), 307))


async def test_a_redirect_loop_ends(make_site: MakeSite) -> None:
    site = await make_site({"/1": redirect("/2"), "/2": redirect("/1")})
    async with lane_to(site, max_redirects=4) as lane:
        failure = await lane.fetch_following(site.url("/1"))
    assert isinstance(failure, FetchFailure)
    assert (failure.failure, len(site.requests)) == (Failure.REDIRECT_LOOP, 5)


async def test_redirects_that_take_longer_than_two_pages_may_are_given_up(make_site: MakeSite) -> None:
    site = await make_site({"/1": redirect("/2"), "/2": redirect("/1")})
    async with lane_to(site, max_redirects=100, deadline_seconds=0.5) as lane:
        failure = await lane.fetch_following(site.url("/1"), pause_seconds=0.4)
    assert isinstance(failure, FetchFailure)
    assert (failure.failure, failure.can_retry) == (Failure.TIMEOUT, True)
    assert 2 <= len(site.requests) <= 5


@pytest.mark.parametrize(
    ("location", "path"),
    [
        (b"/M\xfcller/?q=\xe4#\xe4", "/M%FCller/?q=%E4"),
        ("/Müller/?q=ä".encode(), "/M%C3%BCller/?q=%C3%A4"),
        ("/тест?q=тест".encode("windows-1251"), "/%F2%E5%F1%F2?q=%F2%E5%F1%F2"),
    ],
)
async def test_a_redirect_leads_where_its_bytes_say_in_any_charset(location: bytes, path: str) -> None:
    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(b"HTTP/1.1 301 Moved\r\nLocation: %s\r\nContent-Length: 0\r\n\r\n" % location)
        writer.close()

    async with await asyncio.start_server(serve, "127.0.0.1", 0) as server:
        port = server.sockets[0].getsockname()[1]
        async with lane_to_port(port) as lane:
            answer = await lane.fetch(lease(f"http://127.0.0.1:{port}/"))
    assert isinstance(answer, Redirect)
    assert answer.target.partition("#")[0] == f"http://127.0.0.1:{port}{path}"


async def test_a_redirect_to_no_address_that_can_be_is_told(make_site: MakeSite) -> None:
    site = await make_site({"/long": redirect("/" + "x" * 4_000), "/host": redirect(f"http://{'a' * 404}.com/")})
    async with lane_to(site) as lane:
        answers = [await lane.fetch(lease(site.url(path))) for path in ("/long", "/host")]
    assert [(type(answer), getattr(answer, "failure", None)) for answer in answers] == [
        (FetchFailure, Failure.BAD_REDIRECT),
        (FetchFailure, Failure.BAD_REDIRECT),
    ]
    assert "more than 4,000 characters" in getattr(answers[0], "sentence", "")


async def test_conditional_requests_find_a_page_unchanged(make_site: MakeSite) -> None:
    async def serve(request: web.Request) -> web.Response:
        known = request.headers.get("If-None-Match") == '"v1"' and "If-Modified-Since" in request.headers
        return web.Response(status=304 if known else 200, headers={"ETag": '"v1"'})

    site = await make_site({"/": serve})
    async with lane_to(site) as lane:
        condition = {"etag": '"v1"', "last_modified": "Fri, 01 May 2026 12:00:00 GMT"}
        page = await lane.fetch(lease(site.url(), **condition))
    assert isinstance(page, FetchedPage)
    assert (page.status, page.body) == (304, b"")


@pytest.mark.parametrize("status", [301, 304, 404])
async def test_how_long_it_took_is_told_of_answers_without_a_page_too(make_site: MakeSite, status: int) -> None:
    async def serve(request: web.Request) -> web.Response:
        await asyncio.sleep(0.05)
        return web.Response(status=status, headers={"Location": "/new"})

    site = await make_site({"/": serve})
    async with lane_to(site) as lane:
        answer = await lane.fetch(lease(site.url(), etag='"v1"'))
    assert answer.load_seconds >= 0.05


async def test_a_page_that_we_never_had_is_not_unchanged(make_site: MakeSite) -> None:
    async def serve(request: web.Request) -> web.Response:
        return web.Response(status=304)

    site = await make_site({"/": serve})
    async with lane_to(site, headers={"if-none-match": '"my own"'}) as lane:
        answers = [await lane.fetch(lease(site.url())), await lane.fetch_following(site.url())]
    for answer in answers:
        assert isinstance(answer, FetchFailure)
        assert (answer.failure, answer.status, answer.can_retry) == (Failure.HTTP, 304, False)
        assert "never had it" in answer.sentence


async def test_cookies_are_kept_and_can_be_carried_to_another_worker(make_site: MakeSite) -> None:
    async def serve(request: web.Request) -> web.Response:
        response = web.Response(text=request.headers.get("Cookie", "none"), content_type="text/html")
        if "Cookie" not in request.headers:
            response.set_cookie("basket", "b 17")
        return response

    site = await make_site({"/": serve})
    authority = f"127.0.0.1:{site.port}"
    async with lane_to(site) as one, lane_to(site) as other, lane_to(site, keep_cookies=False) as forgetful:
        await one.fetch(lease(site.url()))
        news = one.cookies.take_news(authority)
        assert news is not None
        assert one.cookies.take_news(authority) is None
        other.cookies.learn(news)
        forgetful.cookies.learn(news)
        pages = [await lane.fetch(lease(site.url())) for lane in (one, other, forgetful)]
    cookies = [page.body if isinstance(page, FetchedPage) else b"?" for page in pages]
    assert cookies[0] == cookies[1]
    assert cookies[0].startswith(b"basket=")
    assert cookies[2] == b"none"


@pytest.fixture
def _long_rests(monkeypatch: pytest.MonkeyPatch) -> None:
    """So that a proxy which fails stays away for as long as the test takes."""
    monkeypatch.setattr("crawler_node.fetch.proxies._FIRST_REST_SECONDS", 600.0)


@pytest.mark.usefixtures("_long_rests")
async def test_proxies_are_used_in_turn_and_sick_ones_left(make_site: MakeSite) -> None:
    site = await make_site({"/{x}": html("direct")})
    proxies = [await make_site({"/{x}": html("proxied")}) for _ in range(2)]
    async with lane_to(site, *proxies, proxies=tuple(proxy.url() for proxy in proxies)) as lane:
        pages = [await lane.fetch(lease(site.url(f"/{number}"))) for number in range(4)]
        await proxies[0].server.close()
        late = [await lane.fetch(lease(site.url(f"/late{number}"))) for number in range(4)]
    assert [page.body for page in pages if isinstance(page, FetchedPage)] == [b"proxied"] * 4
    assert [len(proxy.requests) for proxy in proxies] == [2, 2 + 3]
    failures = [page for page in late if isinstance(page, FetchFailure)]
    assert [(failure.failure, failure.can_retry) for failure in failures] == [(Failure.PROXY, True)]
    assert site.requests == []


@pytest.mark.usefixtures("_long_rests")
async def test_a_proxy_that_never_answers_is_left_alone(make_site: MakeSite) -> None:
    async def hang(request: web.Request) -> web.Response:
        await asyncio.sleep(30)
        return web.Response()

    site = await make_site({"/{x}": html("direct")})
    stuck, well = await make_site({"/{x}": hang}), await make_site({"/{x}": html("proxied")})
    for seconds in (0.5, 5, 60):  # until a request comes to the stuck one in time, however slow the machine is
        async with lane_to(site, stuck, well, proxies=(stuck.url(), well.url()), deadline_seconds=seconds) as lane:
            answers = [await lane.fetch(lease(site.url("/0")))]
            lane.options = replace(lane.options, deadline_seconds=60)
            answers += [await lane.fetch(lease(site.url(f"/{number}"))) for number in range(1, 5)]
        if stuck.requests:
            break
    assert [type(answer) for answer in answers] == [FetchFailure, *[FetchedPage] * 4]
    assert len(stuck.requests) == 1


@pytest.mark.usefixtures("_long_rests")
async def test_what_a_proxy_wants_of_us_is_no_word_of_the_site(make_site: MakeSite) -> None:
    async def refuse(request: web.Request) -> web.Response:
        return web.Response(status=407, headers={"Proxy-Authenticate": "Basic"})

    site, closed = await make_site({"/{x}": html("direct")}), await make_site({"/{x}": refuse})
    async with lane_to(site, closed, proxies=(closed.url(),)) as lane:
        failure = await lane.fetch(lease(site.url("/1")))
        robots = await fetch_robots(lane, site.url("/robots.txt"), pause_seconds=0)
    assert isinstance(failure, FetchFailure)
    assert (failure.failure, failure.can_retry, failure.status) == (Failure.PROXY, True, None)
    assert robots.record.text is None


@pytest.mark.usefixtures("_long_rests")
async def test_a_proxy_that_hangs_up_is_left_alone(make_site: MakeSite) -> None:
    async def hang_up(request: web.Request) -> web.Response:
        assert request.transport is not None
        request.transport.close()
        return web.Response()

    site = await make_site({"/{x}": html("direct")})
    rude, well = await make_site({"/{x}": hang_up}), await make_site({"/{x}": html("proxied")})
    async with lane_to(site, rude, well, proxies=(rude.url(), well.url())) as lane:
        answers = [await lane.fetch(lease(site.url(f"/{number}"))) for number in range(6)]
    assert [type(answer) for answer in answers] == [FetchFailure, *[FetchedPage] * 5]
    assert len(rude.requests) == 1
