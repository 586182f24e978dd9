import json

import pytest

from backend.apps.documents.exports.json_format import stream_json, stream_jsonl
from tests.unit.backend.apps.documents.exports.tables import ALL, EMPTY_ROW, FULL_ROW, NAME, OLD_ROW, table

ROWS = [FULL_ROW, EMPTY_ROW, OLD_ROW]
EXPECTED = [{column.name: row.get(column.name) for column in ALL} for row in ROWS]


def test_a_list_of_documents_whose_values_keep_their_shape() -> None:
    assert json.loads(b"".join(stream_json(table(ALL, *ROWS)))) == EXPECTED


def test_one_document_a_line() -> None:
    lines = b"".join(stream_jsonl(table(ALL, *ROWS))).decode().splitlines()
    assert [json.loads(line) for line in lines] == EXPECTED


def test_keys_come_in_the_order_of_the_columns() -> None:
    assert list(json.loads(b"".join(stream_json(table(ALL, FULL_ROW))))[0]) == [column.name for column in ALL]


@pytest.mark.parametrize("count", [0, 1, 3_000])
def test_any_number_of_documents_is_one_valid_list(count: int) -> None:
    source = table([NAME], *({"name": "n" * 100} for _ in range(count)))
    assert json.loads(b"".join(stream_json(source))) == [{"name": "n" * 100}] * count


def test_hostile_text_survives() -> None:
    text = '=cmd\x00\n\u2028"\\</script>🚀'
    source = table([NAME], {"name": text}, {"name": "a\ud800b"})
    assert [json.loads(line) for line in b"".join(stream_jsonl(source)).decode().split("\n")[:-1]] == [
        {"name": text},
        {"name": "a\ufffdb"},
    ]
