"""What one worker knows of the robots.txt files of the hosts it visits."""

from collections.abc import Callable
from typing import NamedTuple

from crawler_node.contracts import RobotsRecord
from crawler_node.robots.rules import RobotsRules

KEEP_SECONDS = 24 * 3600.0
# A host that could not say is asked again before its next page: a server that restarts must not lose a whole crawl.
KEEP_UNREACHABLE_SECONDS = 0.0
MAX_HOSTS = 5_000


def keep_seconds(record: RobotsRecord) -> float:
    """How long a record may be used."""
    return KEEP_UNREACHABLE_SECONDS if record.text is None else KEEP_SECONDS


class _Entry(NamedTuple):
    rules: RobotsRules
    expires_at: float


class RobotsBook:
    """Rules by host, parsed once; a record past its time is as good as none."""

    def __init__(self, *, product: str, clock: Callable[[], float]) -> None:
        self._product = product
        self._clock = clock
        self._entries: dict[str, _Entry] = {}

    def learn(self, host: str, record: RobotsRecord) -> RobotsRules:
        """Remember what a host says, and return it as rules."""
        self._entries.pop(host, None)  # it is the youngest now
        if len(self._entries) >= MAX_HOSTS:
            self._entries.pop(next(iter(self._entries)))
        rules = RobotsRules(record.text, product=self._product)
        self._entries[host] = _Entry(rules, self._clock() + keep_seconds(record) - record.age_seconds)
        return rules

    def rules_for(self, host: str) -> RobotsRules | None:
        """The rules of a host, None when they are not known or too old."""
        entry = self._entries.get(host)
        return entry.rules if entry is not None and entry.expires_at > self._clock() else None
