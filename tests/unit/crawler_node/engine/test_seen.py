"""The filter in front of the store."""

from crawler_node.engine.seen import SeenFilter


def test_knows_a_key_only_from_its_depth_on() -> None:
    seen = SeenFilter()
    assert not seen.knows(b"a", 5)
    seen.add(b"a", 3)
    assert seen.knows(b"a", 3)
    assert seen.knows(b"a", 9)
    assert not seen.knows(b"a", 2)
    seen.add(b"a", 7)
    assert seen.knows(b"a", 3)


def test_forgets_the_oldest_and_stays_bounded() -> None:
    seen = SeenFilter(capacity=10)
    for number in range(100):
        seen.add(bytes([number]), 1)
    assert not seen.knows(bytes([0]), 1)
    assert seen.knows(bytes([99]), 1)
    assert len(seen._young) + len(seen._old) <= 20
