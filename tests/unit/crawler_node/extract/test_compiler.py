"""A template that cannot run says which part is at fault; one that probably errs says so."""

import pickle

import pytest

from crawler_node.extract.compiler import compile_template
from crawler_node.extract.errors import TemplateError
from crawler_node.extract.spec import parse_template


def compile_json(**data):
    return compile_template(parse_template({"name": "t", **data}))


@pytest.mark.parametrize(
    ("data", "field", "position"),
    [
        ({}, "inspectors", None),
        ({"inspectors": [{"name": " ", "selector": "//a"}]}, "inspectors.0.name", None),
        (
            {"inspectors": [{"name": "a", "selector": "//a"}, {"name": "a", "selector": "//b"}]},
            "inspectors.1.name",
            None,
        ),
        ({"inspectors": [{"name": "a"}]}, "inspectors.0.selector", None),
        ({"inspectors": [{"name": "a", "selector": "//a["}]}, "inspectors.0.selector", 3),
        (
            {"inspectors": [{"name": "a", "selector": "//a", "fallbacks": ["//b", "//c]"]}]},
            "inspectors.0.fallbacks.1",
            3,
        ),
        (
            {"inspectors": [{"name": "a", "selector": "//a", "cleanup": [{"pattern": "("}]}]},
            "inspectors.0.cleanup.0",
            0,
        ),
        ({"item_scope": "//li[", "inspectors": [{"name": "a", "selector": "//a"}]}, "item_scope", 4),
    ],
)
def test_faults_are_located(data, field, position):
    with pytest.raises(TemplateError) as caught:
        compile_json(**data)
    assert (caught.value.field, caught.value.position) == (field, position)
    copy = pickle.loads(pickle.dumps(caught.value))
    assert (copy.field, copy.position, str(copy)) == (field, position, str(caught.value))


def test_a_constant_needs_no_selector():
    assert compile_json(inspectors=[{"name": "shop", "type": "constant", "value": "ours"}]).advice == []


def test_advice_on_selectors_that_leave_the_item():
    advice = compile_json(item_scope="//li", inspectors=[{"name": "a", "selector": "//b", "key": True}]).advice
    assert len(advice) == 1
    assert "write .//b" in advice[0]


def test_advice_on_tbody_and_missing_keys():
    advice = compile_json(item_scope="//li", inspectors=[{"name": "a", "selector": "table/tbody/tr"}]).advice
    assert ["tbody" in advice[0], "key" in advice[1]] == [True, True]
