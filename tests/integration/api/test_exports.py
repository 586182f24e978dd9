"""Exports over REST: streamed by an event loop as by a thread, refused with a sentence."""

import json
import warnings
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from django.db import connections
from django.test import AsyncClient

from backend.apps.documents.exports import ExportFormat
from backend.apps.documents.models import DocumentVersion
from tests.integration.api.conftest import World

CSV = b"name,price_amount,price_currency,url\r\nSSD,,,http://shop.example/1\r\n"


@pytest.mark.parametrize("noun", ["runners", "crawlers"])
def test_documents_come_as_a_csv_attachment_unless_asked_otherwise(world: World, noun: str) -> None:
    answer = world.client("viewer").get(f"/api/v1/{noun}/{world.ids[noun]}/export")
    assert answer.status_code == 200
    assert answer["Content-Type"] == "text/csv; charset=utf-8"
    name = {"runners": "shop-1.csv", "crawlers": "shop.csv"}[noun]
    assert answer["Content-Disposition"] == f'attachment; filename="{name}"'
    assert answer.getvalue() == CSV


@pytest.mark.parametrize("format", list(ExportFormat))
def test_every_format_can_be_had_whatever_the_caller_accepts(world: World, format: ExportFormat) -> None:
    address = f"/api/v1/crawlers/{world.ids['crawlers']}/export?format={format}"
    answer = world.client("viewer").get(address, HTTP_ACCEPT="text/html")
    assert (answer.status_code, answer["Content-Type"]) == (200, format.media_type)
    assert len(answer.getvalue()) > 20


def test_options_are_heard(world: World) -> None:
    address = f"/api/v1/crawlers/{world.ids['crawlers']}/export"
    assert world.client("viewer").get(f"{address}?bom=true").getvalue() == b"\xef\xbb\xbf" + CSV
    answer = world.client("viewer").get(f"{address}?format=json&with_duplicates=1&with_gone=1")
    assert list(json.loads(answer.getvalue())[0]) == ["name", "price", "url", "duplicate_of", "gone_at"]


@pytest.mark.parametrize("query", ["format=xls", "with_gone=perhaps"])
def test_an_odd_wish_is_refused_with_a_sentence(world: World, query: str) -> None:
    answer = world.client("viewer").get(f"/api/v1/crawlers/{world.ids['crawlers']}/export?{query}")
    assert answer.status_code == 400
    assert answer.json()["fields"].keys() == {query.partition("=")[0]}


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("format", list(ExportFormat))
async def test_an_event_loop_streams_it_bite_by_bite_without_a_warning(format: ExportFormat) -> None:
    address, client = await _prepare()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        answer = await client.get(f"{address}?format={format}")
        bites = [bite async for bite in answer]
    await sync_to_async(connections.close_all)()  # that thread's, or the database could not be dropped
    assert answer.status_code == 200
    assert sum(map(len, bites)) > 200
    assert len(bites) > 1 or format is ExportFormat.XLSX  # packed, it is one bite


async def _prepare() -> tuple[str, AsyncClient]:
    from tests.integration.api.conftest import build_world

    def prepare() -> Any:
        world = build_world()
        first = DocumentVersion.objects.get()
        first.fields = {"name": "=SSD" * 50_000}
        first.save()
        document = first.document
        document.pk, document.identity = None, b"j" * 16
        document.save()
        first.pk, first.document = None, document
        first.save()
        return world, world.users["viewer"]

    world, viewer = await sync_to_async(prepare)()
    client = AsyncClient()
    await client.aforce_login(viewer)
    return f"/api/v1/crawlers/{world.ids['crawlers']}/export", client
