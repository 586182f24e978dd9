"""Lists that ended are told from lists that go on."""

from crawler_node.traps import EchoBook

ENDED = b"<h1>A list</h1><p>No more things.</p><a href='?page=%d'>next</a>"
ALIVE = b"<h1>A list</h1><p>Thing %s</p><a href='?page=%d'>next</a>"


def test_pages_that_differ_in_numbers_alone_are_echoes() -> None:
    book = EchoBook(max_echoes=5)
    told = [book.note("list?page", ENDED % number, []) for number in range(10)]
    assert told == [False] * 6 + [True] * 4


def test_a_list_that_goes_on_is_none() -> None:
    book = EchoBook(max_echoes=5)
    names = [bytes([97 + number % 26]) * (number // 26 + 1) for number in range(100)]
    assert not any(book.note("list?page", ALIVE % (name, number), []) for number, name in enumerate(names))


def test_pages_with_other_documents_are_none_even_if_they_differ_in_numbers_alone() -> None:
    book = EchoBook(max_echoes=5)
    assert not any(book.note("item", ENDED % number, [b"%d" % number]) for number in range(50))
    told = [book.note("item", ENDED % number, [b"the same"]) for number in range(50)]
    assert told[-1]


def test_patterns_do_not_mix_and_memory_is_bounded() -> None:
    book = EchoBook(max_echoes=5)
    assert not any(book.note(f"list{number % 2}", ENDED % number, []) for number in range(12))
    for number in range(20_000):
        book.note(str(number), b"", [])
    assert len(book._last) <= 10_000
