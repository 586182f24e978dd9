import aiohttp
import pytest

from backend.demo_site.hostile.charsets import CASES, Mislabelled
from backend.demo_site.truth import HOSTILE_CHARSETS
from tests.unit.backend.demo_site.extraction import extract


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
async def test_bytes_and_labels_are_as_described(client: aiohttp.ClientSession, case: Mislabelled):
    async with client.get(case.path) as answer:
        body = await answer.read()
        assert answer.headers["Content-Type"] == ("text/html" + (f"; charset={case.header}" if case.header else ""))
    page = body.removeprefix(case.mark).decode(case.encoding)
    assert case.text in page
    assert ("<meta" in page) == bool(case.meta)
    expected = next(document for document in HOSTILE_CHARSETS.documents() if document.path == case.path)
    assert extract(HOSTILE_CHARSETS, page.encode(), case.path) == [expected.shown]


@pytest.mark.parametrize("case", [case for case in CASES if case.is_misleading], ids=lambda case: case.name)
def test_misleading_labels_give_nonsense_to_whoever_believes_them(case: Mislabelled):
    assert case.text not in case.body().decode(case.header, "replace")


@pytest.mark.parametrize(
    "case",
    [case for case in CASES if case.header and not case.is_misleading and not case.mark],
    ids=lambda case: case.name,
)
def test_the_other_headers_can_be_believed(case: Mislabelled):
    label = {"iso-8859-1": "cp1252", "x-klingon": "utf-8"}.get(case.header, case.header)  # as the web reads them
    assert case.text in case.body().decode(label)
