"""The key table is a dictionary from 128-bit keys to numbers."""

import random

import pytest

from backend.search_engine.links import KeyTable


def test_the_same_numbers_as_a_dictionary_over_many_growths() -> None:
    chance = random.Random(5)
    table, known = KeyTable(), {}
    for _ in range(40):
        keys = [chance.randbytes(16) for _ in range(400)] + chance.sample(list(known), min(100, len(known)))
        numbers = table.add(b"".join(keys))
        assert numbers.tolist() == [known.setdefault(key, len(known)) for key in keys]
    assert len(table) == len(known) == 16_000
    assert table.find(b"".join(known)).tolist() == list(range(16_000))
    assert [table.key(number) for number in (0, 7, 15_999)] == [list(known)[number] for number in (0, 7, 15_999)]


def test_keys_that_share_a_half_are_told_apart() -> None:
    table = KeyTable()
    keys = [b"a" * 8 + b"1" * 8, b"a" * 8 + b"2" * 8, b"b" * 8 + b"1" * 8]
    assert table.add(b"".join(keys)).tolist() == [0, 1, 2]
    assert table.find(keys[1] + b"x" * 16 + keys[0]).tolist() == [1, -1, 0]


def test_what_is_no_key_is_refused() -> None:
    with pytest.raises(ValueError, match="16 bytes"):
        KeyTable().find(b"short")
    with pytest.raises(IndexError, match="no key 0"):
        KeyTable().key(0)
