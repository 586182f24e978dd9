"""robots.txt over real HTTP, by RFC 9309."""

import gzip
import random

import pytest
from aiohttp import web

from crawler_node.contracts import RobotsRecord
from crawler_node.robots import RobotsAnswer, RobotsRules, fetch_robots, robots_address
from tests.unit.crawler_node.fetch.conftest import Handler, MakeSite, lane_to, make_site

__all__ = ["make_site"]


def answering(status: int, text: str = "", headers: dict[str, str] | None = None) -> Handler:
    async def serve(request: web.Request) -> web.Response:
        return web.Response(status=status, text=text, headers=headers)

    return serve


async def ask(make_site: MakeSite, routes: dict[str, Handler]) -> RobotsAnswer:
    site = await make_site(routes)
    async with lane_to(site) as lane:
        return await fetch_robots(lane, site.url("/robots.txt"), pause_seconds=0)


async def test_a_file_is_read_whatever_its_type(make_site: MakeSite) -> None:
    answer = await ask(make_site, {"/robots.txt": answering(200, "\ufeffUser-agent: *\nDisallow: /ä")})
    assert answer.record == RobotsRecord("User-agent: *\nDisallow: /ä")
    assert answer.requests == 1


@pytest.mark.parametrize("status", [400, 401, 403, 404, 410, 451])
async def test_unavailable_means_all_is_allowed(make_site: MakeSite, status: int) -> None:
    answer = await ask(make_site, {"/robots.txt": answering(status)})
    assert answer.record == RobotsRecord("")


@pytest.mark.parametrize("status", [429, 500, 502, 503])
async def test_unreachable_means_nothing_is_allowed(make_site: MakeSite, status: int) -> None:
    answer = await ask(make_site, {"/robots.txt": answering(status, headers={"Retry-After": "9"})})
    assert answer.record == RobotsRecord(None)
    assert answer.retry_after_seconds == 9
    assert "could not be read" in answer.sentence


async def test_redirects_are_followed_and_counted(make_site: MakeSite) -> None:
    routes = {
        "/robots.txt": answering(301, headers={"Location": "/1"}),
        "/1": answering(302, headers={"Location": "/2"}),
        "/2": answering(200, "User-agent: *\nDisallow: /"),
    }
    answer = await ask(make_site, routes)
    assert answer.requests == 3
    assert not RobotsRules(answer.record.text, product="x").allows("http://h/a")


def whole_lines(text: str) -> str:
    return text[: text.rfind("\n") + 1]


async def test_only_the_first_500_kib_count(make_site: MakeSite) -> None:
    text = "User-agent: *\nDisallow: /first\n" + "# padding\n" * 60_000 + "Disallow: /last\n"
    answer = await ask(make_site, {"/robots.txt": answering(200, text)})
    assert answer.record.text == whole_lines(text[: 500 * 1024])
    rules = RobotsRules(answer.record.text, product="x")
    assert not rules.allows("http://h/first")
    assert rules.allows("http://h/last")


@pytest.mark.parametrize("padding", ["# padding\n" * 60_000, random.Random(7).randbytes(400_000).hex()])
async def test_of_a_packed_file_the_first_500_kib_count_too(make_site: MakeSite, padding: str) -> None:
    text = f"User-agent: *\nDisallow: /first\n{padding}\nDisallow: /last\n" * 2

    async def serve(request: web.Request) -> web.Response:
        return web.Response(body=gzip.compress(text.encode()), headers={"Content-Encoding": "gzip"})

    answer = await ask(make_site, {"/robots.txt": serve})
    assert answer.record.text == whole_lines(text[: 500 * 1024])


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
async def test_no_rule_that_was_cut_forbids_more_than_was_meant(make_site: MakeSite, end: str) -> None:
    begin, rule = f"User-agent: *{end}Disallow: /first{end}", "Disallow: /private/rooms"
    padding = "#" * (500 * 1024 - len(begin + end + "Disallow: /p"))
    answer = await ask(make_site, {"/robots.txt": answering(200, f"{begin}{padding}{end}{rule}{end}")})
    rules = RobotsRules(answer.record.text, product="x")
    assert not rules.allows("http://h/first")
    assert rules.allows("http://h/products")


async def test_of_a_file_without_lines_nothing_counts(make_site: MakeSite) -> None:
    answer = await ask(make_site, {"/robots.txt": answering(200, "x" * 600_000)})
    assert answer.record.text == ""


async def test_a_packed_file_that_breaks_off_is_not_taken_for_a_whole_one(make_site: MakeSite) -> None:
    async def serve(request: web.Request) -> web.Response:
        return web.Response(body=gzip.compress(b"User-agent: *")[:-9], headers={"Content-Encoding": "gzip"})

    answer = await ask(make_site, {"/robots.txt": serve})
    assert answer.record == RobotsRecord(None)


@pytest.mark.parametrize("target", ["/robots.txt", "ftp://elsewhere.example/", ""])
async def test_a_file_that_only_sends_us_on_is_none(make_site: MakeSite, target: str) -> None:
    answer = await ask(make_site, {"/robots.txt": answering(302, headers={"Location": target})})
    assert answer.record == RobotsRecord("")
    assert answer.sentence == ""


def test_where_robots_txt_is() -> None:
    assert robots_address("https://example.com:8443/a/b?c") == "https://example.com:8443/robots.txt"
