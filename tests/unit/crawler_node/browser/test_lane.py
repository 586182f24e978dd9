"""Pages that are hostile to browsers: each ends in bounded time, read or failed with a reason, and leaves nothing."""

import os
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import psutil
import pytest

from backend.demo_site import DemoSite
from backend.demo_site.hostile.browsers import PERILS
from backend.demo_site.hostile.perils import Outcome, Peril
from crawler_node.browser import BrowserOptions, find_programs
from crawler_node.browser.session import BrowserSession
from crawler_node.contracts import Failure, FetchedPage, FetchFailure, Redirect, Refusal
from tests.unit.crawler_node.browser.showing import PATIENT, Answer, fetch_all, with_browser

pytestmark = pytest.mark.browser
OPTIONS = replace(PATIENT, settle_seconds=1.5)
PLAIN = ["/dynamic/list", "/shop/", "/nope", "/dynamic/account", "/hostile/redirect/to/metadata", "/hostile/body/pdf"]
AGAIN = "/dynamic/list?again"
SEVERAL = ["/hostile/redirect/chain/5", "/hostile/redirect/loop", "/hostile/redirect/refresh"]


def child_processes() -> dict[int, str]:
    return {process.pid: process.name() for process in psutil.Process(os.getpid()).children(recursive=True)}


@pytest.fixture(scope="module")
def there_before() -> frozenset[int]:
    """Browsers of other tests, which are theirs to end."""
    return frozenset(child_processes())


@pytest.fixture(scope="module")
def answers(site: DemoSite, there_before: frozenset[int]) -> Mapping[str, Answer]:
    """What is read gets the time it needs; the time of what may fail is short, as long as a page is read in it."""
    read = [peril.path for peril in PERILS if peril.outcome is Outcome.PAGE]
    others = [peril.path for peril in PERILS if peril.outcome is not Outcome.PAGE]
    found = fetch(site, [*PLAIN, *SEVERAL, *read], OPTIONS)
    for seconds in (6, 30, 120):
        options = replace(PATIENT, deadline_seconds=seconds, settle_seconds=seconds / 4)
        found |= fetch(site, [*others, AGAIN], options)
        if is_whole(found[AGAIN]):
            break
    return found


def fetch(site: DemoSite, paths: Sequence[str], options: BrowserOptions) -> dict[str, Answer]:
    found = fetch_all([site.url + path for path in paths], options, site.url)
    return {url.removeprefix(site.url): answer for url, answer in found.items()}


def is_whole(answer: Answer) -> bool:
    return isinstance(answer, FetchedPage) and answer.body.count(b'<li class="item">') == 60


@pytest.mark.parametrize("peril", PERILS, ids=lambda peril: peril.path.rpartition("/")[2])
def test_a_hostile_page_is_read_or_fails_with_a_reason(answers: Mapping[str, Answer], peril: Peril) -> None:
    answer = answers[peril.path]
    if peril.outcome is Outcome.PAGE:
        assert isinstance(answer, FetchedPage), answer
        assert peril.path.rpartition("/")[2].encode() in answer.body
    if peril.outcome is Outcome.FAILS:
        assert isinstance(answer, FetchFailure), answer
        assert answer.sentence.endswith(".")


def test_the_next_page_is_read_as_if_nothing_had_happened(answers: Mapping[str, Answer]) -> None:
    assert is_whole(answers[AGAIN])


def test_status_and_headers_come_from_the_browser(answers: Mapping[str, Answer]) -> None:
    page, missing = answers["/shop/"], answers["/nope"]
    assert isinstance(page, FetchedPage)
    assert (page.status, page.headers["content-type"]) == (200, "text/html; charset=utf-8")
    assert "date" in page.headers
    assert "etag" not in page.headers
    assert isinstance(missing, FetchFailure)
    assert (missing.status, missing.failure) == (404, Failure.HTTP)


def test_redirects_are_handed_back_with_their_end(answers: Mapping[str, Answer], site: DemoSite) -> None:
    account, chain = answers["/dynamic/account"], answers["/hostile/redirect/chain/5"]
    assert isinstance(account, Redirect)
    assert (account.status, account.target) == (302, f"{site.url}/dynamic/login?next=/dynamic/account")
    assert isinstance(chain, Redirect)


def test_an_endless_redirect_is_a_failure(answers: Mapping[str, Answer]) -> None:
    answer = answers["/hostile/redirect/loop"]
    assert isinstance(answer, FetchFailure)
    assert answer.failure is Failure.REDIRECT_LOOP


def test_what_is_no_page_is_refused(answers: Mapping[str, Answer]) -> None:
    for path in ("/hostile/body/pdf", "/hostile/browser/file"):
        answer = answers[path]
        assert isinstance(answer, FetchFailure)
        assert answer.refusal is Refusal.CONTENT_TYPE


def test_a_forbidden_address_is_refused_in_the_words_of_the_http_lane(answers: Mapping[str, Answer]) -> None:
    answer = answers["/hostile/redirect/to/metadata"]
    assert isinstance(answer, FetchFailure)
    assert answer.refusal is Refusal.FORBIDDEN_ADDRESS


@pytest.mark.parametrize("with_window", [False, True], ids=["headless shell", "chromium"])
def test_no_download_is_kept_not_even_after_other_windows(site: DemoSite, with_window: bool) -> None:
    """The folders of browser and driver are looked into, where a file would be that the browser took."""

    def saved(session: BrowserSession) -> list[str]:
        for name in ("pop-ups", "download", "file"):
            session.open(f"{site.url}/hostile/browser/{name}")
        return [path.name for path in Path(session.folder).rglob("*") if "harmless" in path.name]

    assert with_browser(saved, OPTIONS, site.url, programs=find_programs(with_window=with_window)) == []
    assert list(Path.cwd().glob("harmless*")) == []


def test_no_process_is_left(answers: Mapping[str, Answer], there_before: frozenset[int]) -> None:
    assert answers
    left = [name for number, name in child_processes().items() if number not in there_before]
    assert [name for name in left if "chrom" in name] == []
