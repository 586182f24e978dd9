import aiohttp
import pytest

from backend.demo_site import DemoSite
from backend.demo_site.truth import (
    CHANGING_RULES,
    DocumentKind,
    changed_pages,
    changing_documents,
    changing_pages,
    gone_pages,
)
from tests.unit.backend.demo_site.browsing import reachable
from tests.unit.backend.demo_site.extraction import compare_everything


@pytest.mark.parametrize("version", [1, 2, 3, 4, 5, 12])
async def test_each_version_is_as_expected(client: aiohttp.ClientSession, site: DemoSite, version: int):
    site.state.turn({"version": version})
    assert await reachable(client, "/changing/") == changing_pages(version)
    kind = DocumentKind("changing", "", CHANGING_RULES, lambda: changing_documents(version))
    assert await compare_everything(client, kind) == len(changing_pages(version)) - 1


async def _validators(client: aiohttp.ClientSession, path: str) -> tuple[str, str]:
    async with client.get(path) as answer:
        return answer.headers["ETag"], answer.headers["Last-Modified"]


@pytest.mark.parametrize("use_etag", [True, False])
async def test_exactly_the_changed_pages_are_sent_again(client: aiohttp.ClientSession, site: DemoSite, use_etag: bool):
    things = sorted(changing_pages(2) - {"/changing/"})
    site.state.turn({"version": 2})
    known = {path: await _validators(client, path) for path in things}
    site.state.turn({"version": 5})
    statuses = {}
    for path, (etag, modified) in known.items():
        headers = {"If-None-Match": etag} if use_etag else {"If-Modified-Since": modified}
        async with client.get(path, headers=headers) as answer:
            statuses[path] = answer.status
    assert {path for path, status in statuses.items() if status == 410} == gone_pages(2, 5)
    assert {path for path, status in statuses.items() if status == 200} == changed_pages(2, 5)


async def test_things_come_and_go(client: aiohttp.ClientSession, site: DemoSite):
    late = changing_pages(3) - changing_pages(2)
    assert late
    for path in late:
        async with client.get(path) as answer:
            assert answer.status == 404
    assert gone_pages(4, 5)
