"""Who may search: members, and everybody where the indexer is public, within a rate and for some origins."""

from typing import Any

import pytest
from rest_framework.test import APIClient

from backend.apps.accounts.models import User
from backend.apps.indexers.models import Indexer

SHOP_PAGE = "https://shop.example"


@pytest.fixture
def public(shop: Indexer) -> Indexer:
    shop.public, shop.public_origins, shop.public_per_minute = True, [SHOP_PAGE], 3
    shop.save()
    return shop


def search(client: APIClient, indexer: Indexer, **headers: Any) -> Any:
    return client.get(f"/api/v1/indexers/{indexer.pk}/search", {"q": "tea"}, **headers)


def test_strangers_and_the_public_see_nothing_of_an_indexer_that_is_not_public(shop: Indexer) -> None:
    assert search(APIClient(), shop).status_code == 401
    stranger = APIClient()
    stranger.force_login(User.objects.create_user("stranger"))
    assert search(stranger, shop).status_code == 404
    assert APIClient().get("/api/v1/indexers/999999/search").status_code == 401


def test_everybody_may_search_a_public_one_so_often_a_minute(public: Indexer, owner: APIClient) -> None:
    codes = [search(APIClient(), public).status_code for _ in range(4)]
    assert codes == [200, 200, 200, 429]
    refused = search(APIClient(), public)
    assert int(refused["Retry-After"]) > 0
    assert search(APIClient(), public, REMOTE_ADDR="192.0.2.7").status_code == 200
    assert search(owner, public).status_code == 200


def test_suggestions_while_typing_take_no_searches_away(public: Indexer) -> None:
    address = f"/api/v1/indexers/{public.pk}/suggest"
    codes = [APIClient().get(address, {"q": "te"}).status_code for _ in range(16)]
    assert codes == [*[200] * 15, 429]
    assert [search(APIClient(), public).status_code for _ in range(4)] == [200, 200, 200, 429]


def test_a_forged_forwarding_header_gains_nothing(public: Indexer) -> None:
    codes = [search(APIClient(), public, HTTP_X_FORWARDED_FOR=f"192.0.2.{n}").status_code for n in range(4)]
    assert codes[-1] == 429


def test_pages_of_named_websites_may_search(public: Indexer, owner: APIClient) -> None:
    answer = search(APIClient(), public, HTTP_ORIGIN=SHOP_PAGE)
    assert answer["Access-Control-Allow-Origin"] == SHOP_PAGE
    assert "Access-Control-Allow-Credentials" not in answer
    assert "Access-Control-Allow-Origin" not in search(APIClient(), public, HTTP_ORIGIN="https://evil.example")
    other = owner.get(f"/api/v1/indexers/{public.pk}", HTTP_ORIGIN=SHOP_PAGE)
    assert "Access-Control-Allow-Origin" not in other


def test_a_browser_may_ask_before_it_posts(public: Indexer) -> None:
    address = f"/api/v1/indexers/{public.pk}/search"
    answer = APIClient().options(address, HTTP_ORIGIN=SHOP_PAGE)
    assert answer.status_code == 204
    assert "POST" in answer["Access-Control-Allow-Methods"]
    assert answer["Access-Control-Allow-Origin"] == SHOP_PAGE
    posted = APIClient().post(address, {"q": "tea"}, HTTP_ORIGIN=SHOP_PAGE, format="json")
    assert posted.json()["total"] == 3


def test_a_private_one_answers_no_browser(shop: Indexer) -> None:
    shop.public_origins = [SHOP_PAGE]
    shop.save()
    answer = APIClient().options(f"/api/v1/indexers/{shop.pk}/search", HTTP_ORIGIN=SHOP_PAGE)
    assert "Access-Control-Allow-Origin" not in answer
