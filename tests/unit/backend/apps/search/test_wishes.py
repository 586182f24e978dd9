"""What an address asks for."""

import pytest

from backend.apps.errors import Invalid
from backend.apps.search.wishes import FacetWish, ValueCondition, wish_of_json, wish_of_pairs


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


@pytest.mark.parametrize(
    ("text", "field", "value"),
    [
        ('size:"<5 kg"', "size", "<5 kg"),
        ('size:">=5"', "size", ">=5"),
        ('part:"a..b"', "part", "a..b"),
        ('name:""quoted""', "name", '"quoted"'),
        ('name:"', "name", '"'),
        ('name:"""', "name", '"'),
        ("name:5 kg", "name", "5 kg"),
        ('"a:b":c', "a:b", "c"),
        ('"a:b":"c..d"', "a:b", "c..d"),
    ],
)
def test_between_quotes_a_value_is_meant_as_it_is(text: str, field: str, value: str) -> None:
    assert wish_of_pairs([("filter", text)]).filters == (ValueCondition(field, (value,)),)


@pytest.mark.parametrize(("text", "wish"), [('"a:b"', FacetWish("a:b")), ('"a:b":5', FacetWish("a:b", 5))])
def test_the_field_of_a_facet_may_be_quoted_too(text: str, wish: FacetWish) -> None:
    assert wish_of_pairs([("facet", text)]).facets == (wish,)


@pytest.mark.parametrize("pairs", [[("filters", "x"), ("filter", "a:1")], [("filter", "a:1"), ("filters", "x")]])
def test_what_is_for_bodies_is_refused_by_name_in_an_address(pairs: list[tuple[str, str]]) -> None:
    for written, given in (
        ("filter", pairs),
        ("facet", [(name.replace("filter", "facet"), text) for name, text in pairs]),
    ):
        with pytest.raises(Invalid) as refused:
            wish_of_pairs(given)
        told = f"Write {written} in an address, once for each; “{written}s” is for bodies."
        assert refused.value.fields == {f"{written}s": [told]}
