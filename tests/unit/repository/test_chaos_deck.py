"""The faults of `./gleaner chaos cluster` come in random order, and none is left out."""

import random

from tests.chaos._cluster_faults import KINDS, Deck, kinds_on
from tests.chaos._cluster_hosts import Hosts


def test_every_kind_is_dealt_before_any_comes_again() -> None:
    deck = Deck(KINDS, random.Random(3))
    rounds = [[deck.deal() for _ in KINDS] for _ in range(4)]
    assert [sorted(dealt) for dealt in rounds] == [sorted(KINDS)] * 4
    assert len({tuple(dealt) for dealt in rounds}) > 1


def test_some_may_be_asked_for_first() -> None:
    deck = Deck(KINDS, random.Random(3), first=["wipe_redis", "kill_head"])
    dealt = [deck.deal() for _ in KINDS]
    assert dealt[:2] == ["wipe_redis", "kill_head"]
    assert sorted(dealt) == sorted(KINDS)


def test_what_cannot_break_on_one_machine_is_not_dealt() -> None:
    assert set(KINDS) - set(kinds_on(Hosts())) == {"cut_node"}
    assert "wipe_redis" in Deck(kinds_on(Hosts()), random.Random(3), first=["cut_node", "wipe_redis"]).deal()
