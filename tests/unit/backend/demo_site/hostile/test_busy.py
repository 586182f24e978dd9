from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime

import aiohttp
import pytest

from backend.demo_site import DemoSite
from backend.demo_site.hostile.busy import ABSURD_DELAYS, BASE, FLAKY, LONG_DELAYS, RATE_LIMITED, RATE_PER_SECOND


async def _ask(client: aiohttp.ClientSession, path: str) -> tuple[int, str | None, str | None]:
    async with client.get(path) as answer:
        return answer.status, answer.headers.get("Retry-After"), answer.headers.get("X-Attempt")


async def test_lets_the_third_try_in(client: aiohttp.ClientSession):
    answers = [await _ask(client, f"{BASE}/429?tries=3&wait=7") for _ in range(4)]
    assert answers == [(429, "7", "1"), (429, "7", "2"), (200, None, "3"), (200, None, "4")]


async def test_counts_each_address_by_itself_and_anew_after_a_reset(client: aiohttp.ClientSession, site: DemoSite):
    first = [await _ask(client, f"{BASE}/503?tries=2&key={key}") for key in "ab"]
    site.reset()
    assert [status for status, _, _ in [*first, await _ask(client, f"{BASE}/503?tries=2&key=a")]] == [503, 503, 503]


async def test_retry_after_can_be_a_date(client: aiohttp.ClientSession):
    before = datetime.now(UTC).replace(microsecond=0)
    _, value, _ = await _ask(client, f"{BASE}/503?tries=2&wait=100&form=date")
    assert value is not None
    delay = timedelta(seconds=100)
    assert before + delay <= parsedate_to_datetime(value) <= datetime.now(UTC) + delay


async def test_retry_after_can_be_missing_or_absurd(client: aiohttp.ClientSession):
    assert (await _ask(client, f"{BASE}/429?form=none"))[1] is None
    for name, value in (LONG_DELAYS | ABSURD_DELAYS).items():
        assert (await _ask(client, f"{BASE}/503?form={name}"))[1] == value


async def test_flaky_pages_work_at_the_second_try(client: aiohttp.ClientSession):
    statuses = [[(await _ask(client, f"{FLAKY}/{number}"))[0] for _ in range(2)] for number in (1, 2, 3)]
    assert statuses == [[502, 200], [504, 200], [500, 200]]


async def test_more_than_ten_a_second_are_too_many(client: aiohttp.ClientSession):
    statuses: list[int] = []
    while len(statuses) < 60 or 429 not in statuses:  # on a busy machine, until it happens to be fast enough for that
        statuses.append((await _ask(client, f"{RATE_LIMITED}/{1 + len(statuses) % 40}"))[0])
    assert set(statuses) == {200, 429}
    assert statuses[:RATE_PER_SECOND].count(200) >= RATE_PER_SECOND // 2


@pytest.mark.parametrize("status", [401, 403, 404, 410, 500])
async def test_plain_refusals(client: aiohttp.ClientSession, status: int):
    assert (await _ask(client, f"{BASE}/{status}"))[0] == status
