"""Words become letters one by one, and none gets lost."""

from hypothesis import given
from hypothesis import strategies as st

from backend.search_engine.fuzzy.letters import to_letter_pool, to_letters


def test_a_character_is_one_letter_in_every_script():
    assert to_letters("aé日").tolist() == [0x61, 0xE9, 0x65E5]
    assert len(to_letters("🦊𝔊\x00\ud800")) == 4


@given(st.lists(st.text(max_size=8), max_size=8))
def test_a_pool_holds_the_letters_of_each_word(words):
    pool, starts = to_letter_pool(words)
    assert starts[-1] == len(pool)
    for word, start, end in zip(words, starts[:-1], starts[1:], strict=True):
        assert pool[start:end].tolist() == to_letters(word).tolist()
