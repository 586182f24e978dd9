"""The rules of one robots.txt, for one crawler."""

import re

from protego import Protego

_MAX_VERDICTS = 20_000
_MAX_CRAWL_DELAY_SECONDS = 300
# Looking at one rule, or at one piece between its stars, takes about half a microsecond.
_MAX_STEPS = 10_000_000
# With a colon or, as Protego forgives, without one.
_USER_AGENT = re.compile(r"\s*user[- ]?agent(?:\s*:|(?=\s)(?![^:]*:(?:\s|\Z))|\Z)", re.IGNORECASE)
_IN_NAME = re.compile(r"[\w-]")
# No crawler can be called so.
_SOMEBODY_ELSE = "/"


class RobotsRules:
    """What one host allows one product. Verdicts are remembered, a bounded number of them.

    `text` None means that the host could not say: then nothing is allowed (RFC 9309, 2.3.1.4).
    """

    def __init__(self, text: str | None, *, product: str) -> None:
        self._product = product
        self._is_unreachable = text is None
        self._parser = Protego.parse(_for_product(text, product)) if text else None
        self._steps = len(text.splitlines()) + text.count("*") if text else 0
        self._verdicts: dict[str, bool] = {}

    def allows(self, url: str) -> bool:
        """Whether the URL may be fetched."""
        if self._parser is None:
            return not self._is_unreachable
        verdict = self._verdicts.get(url)
        if verdict is None:
            if len(self._verdicts) >= _MAX_VERDICTS:
                self._verdicts.clear()
            verdict = self._verdicts[url] = bool(self._parser.can_fetch(url, self._product))
        return verdict

    def can_judge(self, urls: int) -> bool:
        """Whether so many addresses can be judged in a few seconds: a hostile file makes each of them cost much."""
        return self._steps * urls <= _MAX_STEPS

    @property
    def is_unreachable(self) -> bool:
        """Whether nothing is allowed only because the host could not say."""
        return self._is_unreachable

    @property
    def crawl_delay_seconds(self) -> float | None:
        """The pause the host asks for (Crawl-delay, or Request-rate), at most five minutes; None without a wish."""
        if self._parser is None:
            return None
        delay = self._parser.crawl_delay(self._product)
        rate = self._parser.request_rate(self._product)
        if delay is None and rate is not None and rate.requests:
            # Whole numbers of any length are allowed there: what they come to may be more than a float can be.
            delay = min(rate.seconds, _MAX_CRAWL_DELAY_SECONDS * rate.requests) / rate.requests
        return None if delay is None else min(max(float(delay), 0.0), float(_MAX_CRAWL_DELAY_SECONDS))

    @property
    def sitemaps(self) -> list[str]:
        """The sitemaps the file names."""
        return [] if self._parser is None else list(self._parser.sitemaps)


def _for_product(text: str, product: str) -> str:
    """The file with but one name for all other crawlers, so that thousands of them do not each get a copy of a rule.

    The product stands alone where it is named with more (“Gleaner/1.0”), as servers see it in their logs: only the name
    tells whom a group is for (RFC 9309, 2.2.1).
    """
    product = product.lower()
    lines = text.splitlines()
    for place, line in enumerate(lines):
        plain = line.partition("#")[0]
        found = _USER_AGENT.match(plain)
        if found is not None:
            lines[place] = f"user-agent: {_known_name(plain[found.end() :].strip().lower(), product)}"
    return "\n".join(lines)


def _known_name(name: str, product: str) -> str:
    """What of a name means something for a product, both in lower case: the product, its beginning, or everybody."""
    if name == "*":
        return name
    if name.startswith(product) and not _IN_NAME.match(name, len(product)):
        return product
    name = name.replace("*", "")  # as Protego does
    places = [place for place in range(len(product)) if name and product.startswith(name, place)]
    is_ours = any(place == 0 or not _IN_NAME.match(product, place - 1) for place in places)
    return name if is_ours else _SOMEBODY_ELSE
