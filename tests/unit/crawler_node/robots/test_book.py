"""Rules are remembered for as long as they may be."""

from crawler_node.contracts import RobotsRecord
from crawler_node.robots import RobotsBook


class Clock:
    now = 1000.0

    def __call__(self) -> float:
        return self.now


def test_rules_are_kept_a_day_less_their_age() -> None:
    clock = Clock()
    book = RobotsBook(product="Gleaner", clock=clock)
    assert book.rules_for("a") is None
    book.learn("a", RobotsRecord("User-agent: *\nDisallow: /x"))
    book.learn("b", RobotsRecord("", age_seconds=86_000))
    clock.now += 500
    rules = book.rules_for("a")
    assert rules is not None
    assert not rules.allows("https://a/x")
    assert book.rules_for("b") is None
    clock.now += 86_000
    assert book.rules_for("a") is None


def test_a_silent_host_is_asked_again_before_the_next_page() -> None:
    book = RobotsBook(product="Gleaner", clock=Clock())
    assert book.learn("a", RobotsRecord(None)).is_unreachable
    assert book.rules_for("a") is None


def test_only_so_many_hosts_are_remembered() -> None:
    book = RobotsBook(product="Gleaner", clock=Clock())
    for number in range(5_100):
        book.learn(str(number), RobotsRecord(""))
    assert book.rules_for("0") is None
    assert book.rules_for("5099") is not None


def test_a_host_that_is_told_again_is_remembered_longest() -> None:
    book = RobotsBook(product="Gleaner", clock=Clock())
    for number in range(5_000):
        book.learn(str(number), RobotsRecord(""))
    for number in (1, 5_000, 5_001):
        book.learn(str(number), RobotsRecord(""))
    assert [book.rules_for(host) is not None for host in ("0", "1", "2", "3")] == [False, True, False, True]
