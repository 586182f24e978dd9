"""Walls that only a person opens: captchas, and logins that do not let us in."""

import re

from crawler_node.contracts import Failure, FetchFailure
from crawler_node.urls.parse import parse_url

WALL_STATUSES = frozenset({401, 403, 429, 503})
MAX_WALL_BYTES = 200_000
CAPTCHA_SENTENCE = (
    "The website wants to see that a person is there (a captcha). Answer it in your own browser, give its cookies to "
    "the crawler and resume."
)
_WALLS_IN_A_ROW = 3
# Widgets and phrases of the usual captchas and gates.
_CAPTCHA = re.compile(
    r"g-?captcha|recaptcha|h-?captcha|cf-turnstile|cf-challenge|challenges\.cloudflare|funcaptcha|arkoselabs|geetest"
    r"|datadome|px-captcha|are you (?:a )?human|i am not a robot|verify (?:that )?you are human|bist du ein mensch",
    re.IGNORECASE,
)


def find_captcha(html: str) -> bool:
    """Whether a page asks its reader to prove that they are a person."""
    return _CAPTCHA.search(html) is not None


class Walls:
    """What of a crawl stands behind a wall, whichever lane met it.

    One page behind a wall just fails. A wall stops the crawl where it stands before everything: before the first page
    of a crawl of one site, or before several pages of a host while no page at all is read.
    """

    def __init__(self, *, is_one_site: bool = True) -> None:
        self._is_one_site = is_one_site
        self._has_read = False
        self._in_a_row: dict[str, set[str]] = {}

    def passed(self) -> None:
        """A page was read."""
        self._has_read = True
        self._in_a_row.clear()

    def met(self, url: str, sentence: str, status: int | None, *, is_login: bool = False) -> FetchFailure:
        """A page was not: its failure, or the end of the run until a person has helped.

        `is_login` where our own login does not open, which is one for all sites.
        """
        parsed = parse_url(url)
        pages = self._in_a_row.setdefault(parsed.host if parsed else "", set())
        pages.add(url)
        is_first = (self._is_one_site or is_login) and not self._has_read
        failure = Failure.WALL if is_first or len(pages) >= _WALLS_IN_A_ROW else Failure.HTTP
        return FetchFailure(url, failure, sentence, can_retry=False, status=status)
