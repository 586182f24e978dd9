"""Hosts of a runner: read for the batch in hand, changed by the rules, written back once."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, fields

from django.db.backends.utils import CursorWrapper

from backend.apps.runners.crawl_store.letters import Letter, Row, letter_to
from backend.apps.runners.crawl_store.sql import Moment, storable
from crawler_node.contracts import HostFacts, Refusal, RobotsRecord
from crawler_node.politeness.pace import HORIZON_SECONDS, HostPace, PaceRules
from crawler_node.robots.book import keep_seconds

TABLE = "runners_crawlhost"
PACE = tuple(field.name for field in fields(HostPace))
OTHERS = ("queued", "robots_text", "robots_until", "asking_until", "cookies", "news", "shut", "owner")
COLUMNS = (*PACE, *OTHERS)
SELECT = f"SELECT id, host, {', '.join(COLUMNS)} FROM {TABLE}"  # noqa: S608
WHOLE = {"recent_requests", "recent_failures", "pages", "queued", "news"}
TEXTS = {"robots_text", "cookies", "shut", "owner"}
TYPES = {name: "bigint" if name in WHOLE else "text" if name in TEXTS else "float8" for name in COLUMNS}
READY = (
    "runner_id = %s AND queued > 0 AND next_slot <= {now} + %s AND asking_until <= {now}"
    " ORDER BY next_slot, id LIMIT %s"
)


@dataclass(slots=True)
class HostRow:
    """One host. `robots_text` None: its rules are not known, or it could not say."""

    id: int
    host: str
    pace: HostPace
    queued: int = 0
    robots_text: str | None = None
    robots_until: float = 0.0
    asking_until: float = 0.0
    cookies: str = ""
    news: int = 0
    shut: str = ""
    owner: str = ""
    is_changed: bool = False

    def may_be_asked(self, now: float) -> bool:
        return self.asking_until <= now and self.pace.next_slot - now <= HORIZON_SECONDS

    def must_ask_robots(self, now: float) -> bool:
        return self.robots_until <= now

    def learn(self, facts: HostFacts, rules: PaceRules, now: float) -> None:
        self.pace.learn(facts, rules, now=now)
        if facts.robots is not None:
            self.robots_text = storable(facts.robots.text) if facts.robots.text is not None else None
            self.robots_until = now + keep_seconds(facts.robots) - facts.robots.age_seconds
            self.news += 1
        if facts.cookies is not None and facts.cookies != self.cookies:
            self.cookies = storable(facts.cookies)
            self.news += 1

    def robots(self, now: float) -> RobotsRecord | None:
        """The rules as they may be told to a worker, None when there are none to tell."""
        if self.robots_text is None or self.robots_until <= now:
            return None
        record = RobotsRecord(self.robots_text)
        return RobotsRecord(self.robots_text, keep_seconds(record) - (self.robots_until - now))

    def refusal(self, rules: PaceRules) -> Refusal | None:
        """Why nothing more is taken from this host, None when something may be."""
        if self.shut:
            return Refusal(self.shut)
        return Refusal.OVER_BUDGET if self.pace.is_over_budget(rules) else None


def _host(row: tuple) -> HostRow:
    identifier, host, *values = row
    pace = HostPace(**dict(zip(PACE, values, strict=False)))
    return HostRow(identifier, host, pace, *values[len(PACE) :])


class HostBook:
    """The hosts that one transaction touches."""

    def __init__(self, cursor: CursorWrapper, runner_id: int) -> None:
        self._cursor = cursor
        self._runner_id = runner_id
        self._by_id: dict[int, HostRow] = {}
        self._by_name: dict[str, HostRow] = {}

    def __iter__(self) -> Iterator[HostRow]:
        return iter(self._by_id.values())

    def by_id(self, identifier: int) -> HostRow:
        if identifier not in self._by_id:
            self.load_ids([identifier])
        return self._by_id[identifier]

    def by_name(self, name: str) -> HostRow:
        return self._by_name[name]

    def load_ids(self, identifiers: Iterable[int]) -> None:
        missing = sorted(set(identifiers) - self._by_id.keys())
        with letter_to(self._cursor) as letter:
            rows = letter.ask_in(f"{SELECT} WHERE id IN {{}}", [], missing)
        self.read(rows)

    def ask_names(self, letter: Letter, names: Iterable[str]) -> list[Row]:
        """The rows for `read`, of those that are there."""
        missing = sorted(set(names) - self._by_name.keys())
        return letter.ask_in(f"{SELECT} WHERE runner_id = %s AND host IN {{}}", [self._runner_id], missing)

    def add_missing(self, names: Iterable[str]) -> None:
        """Hosts that are not known yet get a row."""
        new = sorted(set(names) - self._by_name.keys())
        if not new:
            return
        blank = _values(HostRow(0, "", HostPace()))
        with letter_to(self._cursor) as letter:
            letter.insert(TABLE, ["runner_id", "host", *COLUMNS], [[self._runner_id, name, *blank] for name in new])
            rows = self.ask_names(letter, new)
        self.read(rows)

    def ask_ready(self, letter: Letter, now: Moment, most: int) -> list[Row]:
        """The rows for `read` of hosts with something in their queue whose next slot is near, the soonest first."""
        condition = READY.format(now=now.sql)
        return letter.ask(f"{SELECT} WHERE {condition}", ready_parameters(self._runner_id, now, most))

    def ask_waiting(self, letter: Letter) -> list[Row]:
        """The rows for `read` of every host with something in its queue."""
        return letter.ask(f"{SELECT} WHERE runner_id = %s AND queued > 0", [self._runner_id])

    def read(self, rows: Iterable[Row]) -> list[HostRow]:
        """Remember hosts; of one that is known already what we know of it counts."""
        return [self._remember(_host(row)) for row in rows]

    def save(self, letter: Letter) -> None:
        changed = [host for host in self if host.is_changed]
        letter.update(TABLE, TYPES, [[*_values(host), host.id] for host in changed])
        for host in changed:
            host.is_changed = False

    def _remember(self, host: HostRow) -> HostRow:
        known = self._by_id.setdefault(host.id, host)
        self._by_name[known.host] = known
        return known


def ready_parameters(runner_id: int, now: Moment, most: int) -> list[object]:
    """What the condition READY wants."""
    return [runner_id, *now.parameters, HORIZON_SECONDS, *now.parameters, most]


def _values(host: HostRow) -> list[object]:
    return [*(getattr(host.pace, name) for name in PACE), *(getattr(host, name) for name in OTHERS)]
