"""The pace of one host: plain numbers that a store keeps, and the rules that change them.

All moments are seconds on the store's clock. The rules are the same for every store, so politeness is too.
"""

from dataclasses import dataclass

from crawler_node.contracts import HostFacts

HORIZON_SECONDS = 30.0
_MIN_PENALTY_SECONDS = 0.5
_MAX_PENALTY_SECONDS = 15.0
_RECOVERY = 0.5
_LATENCY_WEIGHT = 0.2
# A host is called slow when it takes this many times its own best, and long enough for a person to notice.
_SLOW_FACTOR = 4.0
_SLOW_SECONDS = 1.0


def is_silent(facts: HostFacts | None) -> bool:
    """Whether the host was asked what it allows, and could not say."""
    return facts is not None and facts.robots is not None and facts.robots.text is None


@dataclass(frozen=True, slots=True)
class PaceRules:
    """What a crawler chose. `jitter` widens gaps by up to that share, never narrows them.

    A host is bad when at least `bad_host_requests` went out lately and `bad_host_ratio` of them failed.
    """

    delay_seconds: float = 0.0
    jitter: float = 0.2
    max_pages_per_host: int | None = None
    bad_host_requests: int = 20
    bad_host_ratio: float = 0.9


@dataclass(slots=True)
class HostPace:
    """When a host may next be asked, and what it taught us.

    `penalty_seconds` is the slow-down we put on ourselves; `recent_requests` and `recent_failures` forget by halving.
    """

    next_slot: float = 0.0
    crawl_delay_seconds: float = 0.0
    penalty_seconds: float = 0.0
    latency_seconds: float = 0.0
    best_latency_seconds: float = 0.0
    recent_requests: int = 0
    recent_failures: int = 0
    pages: int = 0

    def gap_seconds(self, rules: PaceRules) -> float:
        """The shortest time between two requests now."""
        return max(rules.delay_seconds, self.crawl_delay_seconds, self.penalty_seconds)

    def hand_over(self, gap: float, *, now: float, is_new_owner: bool) -> None:
        """Another worker begins no sooner than a gap from now: the one before may have asked later than its slot."""
        if is_new_owner and gap > 0:
            self.next_slot = max(self.next_slot, now + gap)

    def reserve(self, rules: PaceRules, *, now: float, chance: float, requests: int = 1) -> float | None:
        """Take the next slot for a lease of that many requests; None when it is further off than the horizon.

        `chance` in [0, 1) spreads the gaps, so that we do not knock like a metronome.
        """
        slot = max(self.next_slot, now)
        if slot - now > HORIZON_SECONDS:
            return None
        gap = self.gap_seconds(rules)
        self.next_slot = slot + requests * gap * (1.0 + rules.jitter * (0.25 + 0.75 * chance))
        return slot

    def learn(self, facts: HostFacts, rules: PaceRules, *, now: float) -> None:
        """Slow down when the host suffers or says so; recover step by step when it does not."""
        self._count(facts)
        if facts.crawl_delay_seconds is not None:
            self._learn_crawl_delay(facts.crawl_delay_seconds, rules, now)
        if facts.latency_seconds is not None:
            self._learn_latency(facts.latency_seconds)
        if facts.is_overloaded:
            wished = max(2 * self.penalty_seconds, 2 * rules.delay_seconds, _MIN_PENALTY_SECONDS)
            self.penalty_seconds = min(wished, _MAX_PENALTY_SECONDS)
        elif self._is_slow():
            self.penalty_seconds = min(max(self.penalty_seconds, self.latency_seconds), _MAX_PENALTY_SECONDS)
        else:
            self._recover(rules)
        pause = max(facts.retry_after_seconds or 0.0, self.penalty_seconds if facts.is_overloaded else 0.0)
        self.next_slot = max(self.next_slot, now + pause if pause else 0.0)

    def forget_failures(self) -> None:
        """Begin anew with a host that may be well again."""
        self.recent_requests = self.recent_failures = 0

    def is_bad(self, rules: PaceRules) -> bool:
        """Whether the host fails so often that it is left alone."""
        enough = self.recent_requests >= rules.bad_host_requests
        return enough and self.recent_failures >= rules.bad_host_ratio * self.recent_requests

    def is_over_budget(self, rules: PaceRules) -> bool:
        """Whether the host gave as many pages as the crawler may take from one host."""
        return rules.max_pages_per_host is not None and self.pages >= rules.max_pages_per_host

    def has_room(self, rules: PaceRules, *, leased: int) -> bool:
        """Whether one page more may be asked for while so many of the host's are out."""
        return rules.max_pages_per_host is None or self.pages + leased < rules.max_pages_per_host

    def _count(self, facts: HostFacts) -> None:
        self.recent_requests += facts.requests
        self.recent_failures += facts.requests if facts.is_failure else 0
        if self.recent_requests > 200:
            self.recent_requests //= 2
            self.recent_failures //= 2

    def _learn_crawl_delay(self, seconds: float, rules: PaceRules, now: float) -> None:
        """A longer gap than before counts at once: what was asked last was asked just now."""
        before = self.gap_seconds(rules)
        self.crawl_delay_seconds = seconds
        if self.gap_seconds(rules) > before:
            self.next_slot = max(self.next_slot, now + self.gap_seconds(rules))

    def _learn_latency(self, seconds: float) -> None:
        known = self.latency_seconds
        self.latency_seconds = seconds if not known else known + _LATENCY_WEIGHT * (seconds - known)
        self.best_latency_seconds = min(self.best_latency_seconds or seconds, seconds)

    def _is_slow(self) -> bool:
        slow = max(_SLOW_SECONDS, _SLOW_FACTOR * self.best_latency_seconds)
        return self.latency_seconds > slow

    def _recover(self, rules: PaceRules) -> None:
        self.penalty_seconds *= _RECOVERY
        if self.penalty_seconds < max(rules.delay_seconds, 0.05):
            self.penalty_seconds = 0.0
