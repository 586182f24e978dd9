"""Documents are told apart and known again."""

from crawler_node.extract.identity import fingerprint, identity


def test_fingerprints_depend_on_values_not_on_their_order():
    assert fingerprint({"a": "1", "b": [1, {"c": None}]}) == fingerprint({"b": [1, {"c": None}], "a": "1"})
    assert fingerprint({"a": "1"}) != fingerprint({"a": 1})
    assert fingerprint({}).hex() == "bf21a9e8fbc5a3846fb05b4fa0859e0917b2202f"


def test_keys_identify_a_document_wherever_it_is():
    here = identity("http://s.test/1", {"sku": "x", "price": 1}, keys=["sku"], is_item=True)
    there = identity("http://s.test/2", {"sku": "x", "price": 2}, keys=["sku"], is_item=False)
    other = identity("http://s.test/1", {"sku": "y", "price": 1}, keys=["sku"], is_item=True)
    assert here == there != other
    assert len(here) == 16


def test_without_keys_the_page_identifies_it():
    first = identity("http://s.test/1", {"price": 1}, keys=[], is_item=False)
    assert first == identity("http://s.test/1", {"price": 2}, keys=[], is_item=False)
    assert first != identity("http://s.test/2", {"price": 1}, keys=[], is_item=False)


def test_an_item_without_keys_is_its_page_and_its_values():
    first = identity("http://s.test/1", {"price": 1}, keys=[], is_item=True)
    assert first == identity("http://s.test/1", {"price": 1}, keys=[], is_item=True)
    assert first != identity("http://s.test/1", {"price": 2}, keys=[], is_item=True)


def test_keys_that_were_not_found_do_not_make_all_documents_one():
    first = identity("http://s.test/1", {"sku": None}, keys=["sku"], is_item=False)
    assert first != identity("http://s.test/2", {"sku": None}, keys=["sku"], is_item=False)
