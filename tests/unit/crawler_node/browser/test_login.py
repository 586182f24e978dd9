"""Signing in, beside cookies that a person gave."""

import re
from dataclasses import replace
from urllib.parse import urlsplit
from urllib.request import HTTPCookieProcessor, build_opener

import pytest

from backend.demo_site import DemoSite
from backend.demo_site.dynamic.account import COOKIE
from backend.demo_site.truth import LOGIN_ACTIONS
from crawler_node.browser.actions import parse_actions
from crawler_node.browser.login import Cookie, Login
from crawler_node.contracts import Failure, FetchedPage, FetchFailure
from tests.unit.crawler_node.browser.showing import PATIENT, Answer, fetch_all

pytestmark = pytest.mark.browser
WRONG = [{**action, "text": "wrong", "timeout_seconds": 2} if "text" in action else action for action in LOGIN_ACTIONS]
WRONG[-1] = {**WRONG[-1], "timeout_seconds": 2}


def session_cookie(site: DemoSite) -> Cookie:
    """What a person's browser has after signing in."""
    jar = HTTPCookieProcessor()
    opener = build_opener(jar)
    form = opener.open(f"{site.url}/dynamic/login").read().decode()
    token = re.search(r'name="token" value="([^"]*)"', form)
    assert token is not None
    opener.open(f"{site.url}/dynamic/login", f"token={token[1]}&username=demo&password=gleaner-demo".encode())
    value = next(cookie.value for cookie in jar.cookiejar if cookie.name == COOKIE)
    return Cookie(COOKIE, value or "", urlsplit(site.url).hostname or "", "/dynamic/")


def account(site: DemoSite, *cookies: Cookie) -> Answer:
    """The account page, with a login whose password is wrong."""
    login = Login(f"{site.url}/dynamic/login", parse_actions(WRONG), "//button[@id='sign-in']")
    url = f"{site.url}/dynamic/account"
    return fetch_all([url], replace(PATIENT, login=login, cookies=cookies), site.url)[url]


def test_a_login_that_does_not_open_waits_for_a_person(site: DemoSite) -> None:
    answer = account(site)
    assert isinstance(answer, FetchFailure)
    assert answer.failure is Failure.WALL
    assert answer.sentence.startswith("The website does not let us in.")


def test_cookies_of_a_person_open_what_the_login_does_not(site: DemoSite) -> None:
    answer = account(site, session_cookie(site))
    assert isinstance(answer, FetchedPage), answer
    assert b"Only for people who signed in." in answer.body


def test_cookies_that_have_ended_leave_it_to_the_login(site: DemoSite) -> None:
    ended = Cookie(COOKIE, "ended", urlsplit(site.url).hostname or "", "/dynamic/")
    answer = account(site, ended)
    assert isinstance(answer, FetchFailure)
    assert answer.failure is Failure.WALL
