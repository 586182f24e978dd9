"""Captchas over HTTP: one page behind one fails, a crawl that meets nothing else waits for a person."""

import asyncio
import gzip

import pytest
from aiohttp import web

from crawler_node.contracts import Failure, FetchedPage, FetchFailure
from crawler_node.engine import CrawlSpec
from crawler_node.fetch import parse_allow_networks
from crawler_node.fetch.walls import CAPTCHA_SENTENCE, Walls
from tests.unit.crawler_node.fetch.conftest import Handler, MakeSite, lane_to
from tests.unit.crawler_node.fetch.test_http import html, lease

GATE = '<h1>One moment</h1><div class="cf-turnstile"></div>'


def gate(status: int = 403, *, text: str = GATE) -> Handler:
    async def serve(request: web.Request) -> web.Response:
        return web.Response(text=text, content_type="text/html", status=status)

    return serve


@pytest.mark.parametrize("status", [401, 403, 429, 503])
async def test_a_captcha_before_the_first_page_waits_for_a_person(make_site: MakeSite, status: int) -> None:
    site = await make_site({"/a": gate(status)})
    async with lane_to(site) as lane:
        answer = await lane.fetch(lease(site.url("/a")))
    assert isinstance(answer, FetchFailure)
    assert (answer.failure, answer.sentence, answer.status) == (Failure.WALL, CAPTCHA_SENTENCE, status)


async def test_a_packed_captcha_is_seen(make_site: MakeSite) -> None:
    async def packed(request: web.Request) -> web.Response:
        headers = {"Content-Encoding": "gzip"}
        return web.Response(body=gzip.compress(GATE.encode()), content_type="text/html", status=403, headers=headers)

    site = await make_site({"/a": packed})
    async with lane_to(site) as lane:
        answer = await lane.fetch(lease(site.url("/a")))
    assert isinstance(answer, FetchFailure)
    assert answer.failure is Failure.WALL


async def test_among_good_pages_one_fails_and_three_in_a_row_wait(make_site: MakeSite) -> None:
    site = await make_site({"/good": html(), "/{x}": gate()})
    async with lane_to(site) as lane:
        paths = ["/good", "/1", "/2", "/good", "/1", "/2", "/2", "/3"]
        answers = [await lane.fetch(lease(site.url(path))) for path in paths]
    found = [None if isinstance(answer, FetchedPage) else answer.failure for answer in answers]  # type: ignore[union-attr]
    assert found == [None, Failure.HTTP, Failure.HTTP, None, Failure.HTTP, Failure.HTTP, Failure.HTTP, Failure.WALL]


@pytest.mark.parametrize("handler", [gate(text="<p>Forbidden</p>"), gate(404), gate(200)])
async def test_what_asks_for_nobody_is_no_wall(make_site: MakeSite, handler: Handler) -> None:
    site = await make_site({"/a": handler})
    async with lane_to(site) as lane:
        answer = await lane.fetch(lease(site.url("/a")))
    assert isinstance(answer, FetchedPage) or answer.failure is Failure.HTTP  # type: ignore[union-attr]


async def test_a_refusal_that_never_ends_stays_a_refusal(make_site: MakeSite, monkeypatch: pytest.MonkeyPatch) -> None:
    async def endless(request: web.Request) -> web.StreamResponse:
        response = web.StreamResponse(status=403, headers={"Content-Type": "text/html"})
        await response.prepare(request)
        await asyncio.sleep(30)
        return response

    monkeypatch.setattr("crawler_node.fetch.http._WALL_SECONDS", 0.1)
    site = await make_site({"/a": endless})
    async with lane_to(site) as lane:
        answer = await lane.fetch(lease(site.url("/a")))
    assert isinstance(answer, FetchFailure)
    assert (answer.failure, answer.status) == (Failure.HTTP, 403)


def test_a_captcha_on_one_of_many_sites_does_not_stop_the_others() -> None:
    walls = Walls(is_one_site=False)
    found = [walls.met(f"http://{host}.test/", CAPTCHA_SENTENCE, 403).failure for host in "abcdef"]
    assert set(found) == {Failure.HTTP}
    pages = [walls.met(f"http://a.test/{page}", CAPTCHA_SENTENCE, 403).failure for page in (1, 2)]
    assert pages == [Failure.HTTP, Failure.WALL]


@pytest.mark.parametrize(
    ("seeds", "is_one_site"),
    [(["http://a.test/", "http://a.test/b"], True), (["http://a.test/", "http://b.test/"], False)],
)
def test_a_crawl_knows_whether_it_starts_on_several_sites(seeds: list[str], is_one_site: bool) -> None:
    spec = CrawlSpec.from_json({"seeds": seeds})
    assert spec.lane_options(policy=parse_allow_networks([]), version="1").is_one_site is is_one_site
