"""A template as data: what the project file, the database and the API agree on."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from enum import StrEnum
from typing import Any

from crawler_node.extract.errors import TemplateError


class FieldType(StrEnum):
    """What an inspector's value is."""

    TEXT = "text"
    NUMBER = "number"
    PRICE = "price"
    DATE = "date"
    LINK = "link"
    IMAGE = "image"
    HTML = "html"
    CONSTANT = "constant"


@dataclass(frozen=True, slots=True)
class CleanupSpec:
    """One clean-up expression: every match of `pattern` becomes `replacement`."""

    pattern: str
    replacement: str = ""


@dataclass(frozen=True, slots=True)
class InspectorSpec:
    """One field of a template.

    `fallbacks` are tried in order where `selector` gives no value; `attribute` takes an attribute of the element found
    instead of its text; `key` fields identify the document across runs; `value` is that of a constant.
    """

    name: str
    selector: str = ""
    fallbacks: tuple[str, ...] = ()
    type: FieldType = FieldType.TEXT
    locale: str = ""
    value: str = ""
    attribute: str = ""
    variable: str = ""
    cleanup: tuple[CleanupSpec, ...] = ()
    required: bool = False
    multiple: bool = False
    key: bool = False


@dataclass(frozen=True, slots=True)
class TemplateSpec:
    """What one kind of document looks like on a page; with an `item_scope` there may be many on one page."""

    name: str
    inspectors: tuple[InspectorSpec, ...]
    item_scope: str = ""
    description: str = ""
    actions: tuple[Mapping[str, Any], ...] = ()
    actions_on: str = "every"
    actions_pattern: str = ""


def parse_template(data: Mapping[str, Any]) -> TemplateSpec:
    """A template from the JSON of a project file; raises TemplateError naming the part at fault."""
    _refuse_unknown(data, TemplateSpec, "")
    inspectors = _sequence(data, "inspectors", "")
    return TemplateSpec(
        name=_text(data, "name", ""),
        inspectors=tuple(parse_inspector(item, f"inspectors.{index}") for index, item in enumerate(inspectors)),
        item_scope=_text(data, "item_scope", ""),
        description=_text(data, "description", ""),
        actions=tuple(
            _mapping(action, f"actions.{index}") for index, action in enumerate(_sequence(data, "actions", ""))
        ),
        actions_on=_text(data, "actions_on", "") or "every",
        actions_pattern=_text(data, "actions_pattern", ""),
    )


def parse_inspector(data: object, path: str) -> InspectorSpec:
    """An inspector from JSON; `path` is where it stands, for errors."""
    item = _mapping(data, path)
    _refuse_unknown(item, InspectorSpec, path)
    fallbacks = _sequence(item, "fallbacks", path)
    cleanup = _sequence(item, "cleanup", path)
    return InspectorSpec(
        name=_text(item, "name", path),
        selector=_text(item, "selector", path),
        fallbacks=tuple(_string(text, f"{path}.fallbacks.{index}") for index, text in enumerate(fallbacks)),
        type=_type(item, path),
        locale=_text(item, "locale", path),
        value=_text(item, "value", path),
        attribute=_text(item, "attribute", path),
        variable=_text(item, "variable", path),
        cleanup=tuple(_cleanup(entry, f"{path}.cleanup.{index}") for index, entry in enumerate(cleanup)),
        required=_flag(item, "required", path),
        multiple=_flag(item, "multiple", path),
        key=_flag(item, "key", path),
    )


def _cleanup(data: object, path: str) -> CleanupSpec:
    item = _mapping(data, path)
    _refuse_unknown(item, CleanupSpec, path)
    return CleanupSpec(_text(item, "pattern", path), _text(item, "replacement", path))


def _type(data: Mapping[str, Any], path: str) -> FieldType:
    name = _text(data, "type", path) or FieldType.TEXT.value
    try:
        return FieldType(name)
    except ValueError:
        hint = f"Use one of {', '.join(FieldType)}."
        raise TemplateError(f"There is no type “{name}”.", field=_join(path, "type"), hint=hint) from None


def _refuse_unknown(data: Mapping[str, Any], kind: type, path: str) -> None:
    known = {field.name for field in fields(kind)}
    for key in data:
        if key not in known:
            hint = f"Known are {', '.join(sorted(known))}."
            raise TemplateError(f"“{key}” is not known here.", field=_join(path, str(key)), hint=hint)


def _mapping(value: object, path: str) -> Mapping[str, Any]:
    if not isinstance(value, Mapping):
        raise TemplateError("An object with named values is expected.", field=path)
    return value


def _sequence(data: Mapping[str, Any], key: str, path: str) -> Sequence[object]:
    value = data.get(key)
    if value is None:
        return ()
    if isinstance(value, str) or not isinstance(value, Sequence):
        raise TemplateError("A list is expected.", field=_join(path, key))
    return value


def _text(data: Mapping[str, Any], key: str, path: str) -> str:
    value = data.get(key)
    return "" if value is None else _string(value, _join(path, key))


def _string(value: object, path: str) -> str:
    if not isinstance(value, str):
        raise TemplateError("A text is expected.", field=path)
    return value


def _flag(data: Mapping[str, Any], key: str, path: str) -> bool:
    value = data.get(key, False)
    if not isinstance(value, bool):
        raise TemplateError("true or false is expected.", field=_join(path, key))
    return value


def _join(path: str, key: str) -> str:
    return f"{path}.{key}" if path else key
