"""The compiled scanner against a reference of regular expressions."""

import regex
from hypothesis import given, settings
from hypothesis import strategies as st

from backend.search_engine.text.characters import (
    APOSTROPHE,
    BIGRAM,
    DIGIT,
    HYPHEN,
    LETTER,
    MARK,
    POINT,
    SUFFIX,
    TABLE_SIZE,
    character_classes,
)
from backend.search_engine.text.scan import COMPOUND, NUMBER, PAIR, WORD, scan_bytes

LETTERS = {LETTER: "L", DIGIT: "D", BIGRAM: "B", MARK: "M", APOSTROPHE: "A", HYPHEN: "H", POINT: "P", SUFFIX: "S"}
WORD_RULE = regex.compile(
    r"(?P<number>D(?:[DM]|(?<=DM*)P(?=D))*+(?![L]))|(?P<word>[LD](?:[LDM]|(?<=LM*)A(?=L))*)|(?P<pairs>B[BM]*)"
)


def classes_of(text: str) -> str:
    """One letter per character, so that the rules can be written as regular expressions."""
    table = character_classes()
    codes = [ord(c) for c in text]
    kinds = [table[c] if c < TABLE_SIZE else BIGRAM if c < 0x40000 else 0 for c in codes]
    return "".join(LETTERS.get(int(kind), " ") for kind in kinds)


def reference(text: str) -> list[tuple[int, int, int]]:
    """(start, end, kind) in characters, compounds left out, for texts without `+` and `#`."""
    found = []
    for match in WORD_RULE.finditer(classes_of(text)):
        if match["pairs"]:
            start, end = match.span()
            found.extend((i, i + 2, PAIR) for i in range(start, end - 1))
            if match[0][-1] == "B":
                found.append((end - 1, end, PAIR))
        else:
            found.append((*match.span(), NUMBER if match["number"] else WORD))
    return found


def spans(text: str) -> list[tuple[str, int, int]]:
    data = text.encode()
    return [
        (data[start:end].decode(), position, kind)
        for start, end, position, kind in zip(*(a.tolist() for a in scan_bytes(data)), strict=True)
    ]


def words(text: str) -> list[str]:
    return [word for word, _, _ in spans(text)]


ALPHABET = st.sampled_from(list("abzAZ019 .,'’-\u0301\u00adéßøЖй中日本ไท한\U00020000\U0001f600€")) | st.characters(
    exclude_categories=["Cs"], exclude_characters="+#"
)


@settings(max_examples=400, deadline=None)
@given(st.text(ALPHABET, max_size=40))
def test_agrees_with_the_reference_rules(text: str) -> None:
    found = [(word, kind) for word, _, kind in spans(text) if kind != COMPOUND]
    mixed = {text[start:end] for start, end, kind in reference(text) if kind == WORD}
    wanted = [(text[start:end], kind) for start, end, kind in reference(text)]
    if not any(word[0].isnumeric() for word in mixed if word):  # “1.5a”: the reference backtracks, the scanner does not
        assert found == wanted


@settings(max_examples=200, deadline=None)
@given(st.binary(max_size=60))
def test_broken_utf8_never_reads_outside(data: bytes) -> None:
    starts, ends, _, _ = scan_bytes(data)
    assert all(0 <= start < end <= len(data) for start, end in zip(starts.tolist(), ends.tolist(), strict=True))


def test_keeps_apostrophes_inside_words_only() -> None:
    assert words("don’t 'quoted' rock'n'roll") == ["don’t", "quoted", "rock'n'roll"]


def test_keeps_points_and_commas_inside_numbers_only() -> None:
    assert words("1,299.00, 3.14. end.of") == ["1,299.00", "3.14", "end", "of"]


def test_hyphenated_words_give_parts_and_the_whole_at_the_first_position() -> None:
    assert spans("wi-fi on") == [("wi", 0, WORD), ("fi", 1, WORD), ("wi-fi", 0, COMPOUND), ("on", 2, WORD)]


def test_numbers_with_hyphens_are_no_compounds() -> None:
    assert words("2024-01-15") == ["2024", "01", "15"]


def test_scripts_without_spaces_become_overlapping_pairs_and_their_last_character() -> None:
    assert words("東京都 中 x") == ["東京", "京都", "都", "中", "x"]
    assert spans("A社の x") == [("A", 0, WORD), ("社の", 1, PAIR), ("の", 2, PAIR), ("x", 3, WORD)]


def test_languages_with_signs_in_their_names_are_words() -> None:
    assert words("C++ and C#, a+b a++b") == ["C++", "and", "C#", "a", "b", "a", "b"]


def test_very_long_runs_are_cut() -> None:
    assert max(len(word) for word in words("x" * 1000)) == 240
