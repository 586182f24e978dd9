from backend.apps.documents.exports.columns import Column, flatten_columns, free_name, merge_columns
from crawler_node.extract.spec import FieldType


def test_a_price_is_an_amount_and_a_currency() -> None:
    flat = flatten_columns([Column("price", FieldType.PRICE)])
    assert [column.heading for column in flat] == ["price_amount", "price_currency"]
    assert [column.cell({"amount": 3, "currency": "EUR"}) for column in flat] == [3, "EUR"]
    assert [column.cell(None) for column in flat] == [None, None]


def test_the_currencies_of_several_prices_stand_in_the_places_of_their_amounts() -> None:
    amount, currency = flatten_columns([Column("offers", FieldType.PRICE, multiple=True)])
    offers = [{"amount": 1, "currency": ""}, {"amount": 2, "currency": "USD"}]
    assert (amount.items(offers), currency.items(offers)) == ([1, 2], ["", "USD"])
    assert (amount.cell(offers), currency.cell(offers)) == ("1 | 2", " | USD")
    assert currency.cell(offers[:1]) is None


def test_no_two_headings_are_the_same() -> None:
    columns = [Column("price_amount"), Column("price", FieldType.PRICE), Column("a\x00"), Column("a")]
    headings = [column.heading for column in flatten_columns(columns)]
    assert headings == ["price_amount", "price_amount_2", "price_currency", "a", "a_2"]


def test_templates_share_a_column_of_one_name_and_a_doubtful_type_is_text() -> None:
    one = [Column("name"), Column("price", FieldType.PRICE)]
    other = [Column("price", FieldType.NUMBER), Column("name", multiple=True), Column("size")]
    assert merge_columns([one, other]) == [Column("name", multiple=True), Column("price"), Column("size")]


def test_a_taken_name_gets_a_number() -> None:
    assert free_name("url", ["url", "url_2"]) == "url_3"
    assert free_name("url", []) == "url"


def test_a_truth_value_is_not_a_number() -> None:
    assert flatten_columns([Column("stock", FieldType.NUMBER)])[0].cell(True) == "true"
