"""What an address asks for."""

from backend.apps.search.wishes import wish_of_json, wish_of_pairs


def test_several_values_of_one_field_mean_any_of_them_as_in_a_body() -> None:
    pairs = [("q", "ssd"), ("filter", "brand:Acme"), ("filter", "price:10..20"), ("filter", "brand:Bolt")]
    body = {
        "q": "ssd",
        "filters": [
            {"field": "brand", "values": ["Acme", "Bolt"]},
            {"field": "price", "low": "10", "high": "20", "with_high": True},
        ],
    }
    assert wish_of_pairs(pairs) == wish_of_json(body)


def test_two_ranges_of_one_field_must_both_hold() -> None:
    wish = wish_of_pairs([("q", "*"), ("filter", "price:>=10"), ("filter", "price:<20")])
    assert len(wish.filters) == 2
