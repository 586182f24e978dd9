import threading

import aiohttp
import pytest

from backend.demo_site import DemoSite, SiteOptions


async def test_two_sites_run_side_by_side_with_logs_of_their_own():
    async with DemoSite() as one, DemoSite() as other, aiohttp.ClientSession() as client:
        async with client.get(one.url + "/shop/") as answer:
            assert answer.status == 200
        assert one.url != other.url
        assert (len(one.log), len(other.log)) == (1, 0)


def test_knows_the_truth_about_itself():
    with DemoSite() as site:
        assert len(site.truth["shop products"].documents()) == 500


def test_leaves_no_thread_behind():
    before = set(threading.enumerate())
    with DemoSite():
        assert set(threading.enumerate()) - before
    assert set(threading.enumerate()) <= before


def test_says_when_the_port_is_taken():
    with DemoSite() as site:
        port = int(site.url.rsplit(":", 1)[1])
        with pytest.raises(OSError, match="address already in use"):
            DemoSite(SiteOptions(port=port)).start()
