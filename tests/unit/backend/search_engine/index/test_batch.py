"""What a batch holds is what was put last and not deleted since."""

from hypothesis import given
from hypothesis import strategies as st

from backend.search_engine.index.batch import Batch
from backend.search_engine.index.schema import Field, FieldKind, Schema

SCHEMA = Schema([Field("body"), Field("votes", FieldKind.NUMBER)])
KEYS = st.sampled_from("abcde")


@given(st.lists(st.tuples(KEYS, st.integers(0, 9) | st.none())))
def test_contents_are_those_of_a_dictionary(steps: list[tuple[str, int | None]]) -> None:
    batch, wanted = Batch(SCHEMA), dict[str, int]()
    for key, number in steps:
        wanted.pop(key, None)
        if number is None:
            batch.delete(key)
        else:
            batch.put(key, [f"text {number}", float(number)])
            wanted[key] = number
    keys, (texts, votes) = batch.contents()
    assert dict(zip(keys, votes, strict=True)) == wanted
    assert keys == list(wanted)
    assert texts == [f"text {number}" for number in wanted.values()]
    assert batch.deletes == {key for key, number in steps if number is None}
    assert len(batch) == len(wanted)


def test_replaced_documents_fill_a_batch_too() -> None:
    batch = Batch(SCHEMA)
    for _ in range(3):
        batch.put("a", ["x", 1.0])
    assert batch.is_full(3)
    assert not batch.is_full(4)
    assert batch.is_small
