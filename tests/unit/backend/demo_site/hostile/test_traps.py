from urllib.parse import urlsplit

import aiohttp

from backend.demo_site.hostile.traps import CALENDAR, DEEP, EMPTY_PAGES, FACETS, GROWING, SESSION
from backend.demo_site.truth import HOSTILE_EVENTS, session_pages
from tests.unit.backend.demo_site.browsing import links_of
from tests.unit.backend.demo_site.extraction import compare_everything


async def _walk(client: aiohttp.ClientSession, start: str, limit: int) -> list[str]:
    """The first addresses that links lead to, breadth first, up to a limit."""
    seen = [start]
    for path in seen:
        for link in sorted(await links_of(client, path) - set(seen)):
            seen.append(link)
        if len(seen) >= limit:
            break
    return seen


async def test_every_event_is_a_page(client: aiohttp.ClientSession):
    assert await compare_everything(client, HOSTILE_EVENTS) == 50


async def test_all_events_are_within_three_clicks_of_the_calendar(client: aiohttp.ClientSession):
    months = [link for link in await links_of(client, CALENDAR) if "month=" in link]
    found = set()
    for month in months:
        found |= {link for link in await links_of(client, month) if "/event/" in link}
    assert found == {document.path for document in HOSTILE_EVENTS.documents()}


async def test_the_calendar_has_no_end(client: aiohttp.ClientSession):
    seen = await _walk(client, CALENDAR, 400)
    assert len([path for path in seen if "/day" in path]) > 300


async def test_session_ids_hide_twenty_pages_behind_many_addresses(client: aiohttp.ClientSession):
    seen = await _walk(client, SESSION, 150)
    assert len(seen) >= 150
    pages = {urlsplit(path).path.partition(";")[0] for path in seen} - {SESSION}
    assert pages <= session_pages()
    assert len(pages) > 10
    assert {"jsessionid", "PHPSESSID", "sid"} == {
        fashion for fashion in ("jsessionid", "PHPSESSID", "sid") if any(f"{fashion}=" in path for path in seen)
    }


async def test_parameters_grow(client: aiohttp.ClientSession):
    seen = await _walk(client, GROWING, 60)
    assert max(path.count("=") for path in seen) >= 5


async def test_paths_repeat(client: aiohttp.ClientSession):
    assert await links_of(client, DEEP + "about/products/") == {
        DEEP + "about/products/products/",
        DEEP + "about/products/about/",
    }


async def test_facets_combine(client: aiohttp.ClientSession):
    assert len(await _walk(client, FACETS, 300)) >= 300


async def test_there_is_always_another_empty_page(client: aiohttp.ClientSession):
    assert f"{EMPTY_PAGES}?page=100001" in await links_of(client, f"{EMPTY_PAGES}?page=100000")


async def test_odd_months_and_days_do_no_harm(client: aiohttp.ClientSession):
    for query, status in (
        ("?year=0&month=13", 200),
        ("?year=99999&month=1", 200),
        ("/day?date=no", 404),
        ("/day?date=0001-01-01", 404),
    ):
        async with client.get(CALENDAR + query) as answer:
            assert answer.status == status, query
