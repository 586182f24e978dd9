"""Templates are read from the project file's JSON, and faults are named by their path."""

import pytest

from crawler_node.extract.errors import TemplateError
from crawler_node.extract.spec import CleanupSpec, FieldType, InspectorSpec, TemplateSpec, parse_template


def test_the_smallest_template():
    spec = parse_template({"name": "t", "inspectors": [{"name": "title", "selector": "//h1"}]})
    assert spec == TemplateSpec("t", (InspectorSpec("title", "//h1"),))


def test_every_key_is_read():
    inspector = {
        "name": "price",
        "selector": ".//b",
        "fallbacks": [".//i"],
        "type": "price",
        "locale": "de",
        "value": "",
        "attribute": "content",
        "variable": "p",
        "cleanup": [{"pattern": "a", "replacement": "b"}],
        "required": True,
        "multiple": True,
        "key": True,
    }
    data = {
        "name": "t",
        "description": "d",
        "item_scope": "//li",
        "inspectors": [inspector],
        "actions": [{"type": "wait"}],
    }
    assert parse_template(data) == TemplateSpec(
        name="t",
        description="d",
        item_scope="//li",
        actions=({"type": "wait"},),
        inspectors=(
            InspectorSpec(
                name="price",
                selector=".//b",
                fallbacks=(".//i",),
                type=FieldType.PRICE,
                locale="de",
                attribute="content",
                variable="p",
                cleanup=(CleanupSpec("a", "b"),),
                required=True,
                multiple=True,
                key=True,
            ),
        ),
    )


@pytest.mark.parametrize(
    ("data", "field"),
    [
        ({"name": "t", "colour": 1}, "colour"),
        ({"name": 1}, "name"),
        ({"inspectors": {}, "name": "t"}, "inspectors"),
        ({"inspectors": "x"}, "inspectors"),
        ({"inspectors": [1]}, "inspectors.0"),
        ({"inspectors": [{"name": "a", "xpath": "//a"}]}, "inspectors.0.xpath"),
        ({"inspectors": [{"name": "a", "type": "colour"}]}, "inspectors.0.type"),
        ({"inspectors": [{"name": "a", "required": "yes"}]}, "inspectors.0.required"),
        ({"inspectors": [{"name": "a", "fallbacks": [1]}]}, "inspectors.0.fallbacks.0"),
        ({"inspectors": [{"name": "a", "cleanup": [{"regex": "a"}]}]}, "inspectors.0.cleanup.0.regex"),
        ({"actions": [1]}, "actions.0"),
    ],
)
def test_faults_are_named_by_their_path(data, field):
    with pytest.raises(TemplateError) as caught:
        parse_template(data)
    assert caught.value.field == field
