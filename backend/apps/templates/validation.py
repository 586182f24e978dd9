"""What must be true of a template before it is stored; sentences by field path where it is not."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from backend.apps.errors import FieldErrors
from backend.apps.sentences import merge_errors, name_sentence, variable_sentence, with_place
from backend.apps.templates.actions import PARAMETERS, check_parameters
from backend.apps.templates.models import ActionsOn, ActionType, InspectorType
from crawler_node.errors import SpecError
from crawler_node.extract.cleanup import CleanupError, compile_cleanup
from crawler_node.extract.selectors import SelectorError, compile_selector
from crawler_node.urls.scope import AddressPattern

MAX_INSPECTORS = 200
MAX_ACTIONS = 100


def check_template(values: Mapping[str, Any]) -> FieldErrors:
    """Checks what is there: an absent key is not looked at, so partial updates can be checked too."""
    errors: FieldErrors = {}
    if sentence := selector_sentence(values.get("item_scope", "")):
        errors["item_scope"] = [sentence]
    merge_errors(errors, "inspectors", _check_inspectors(values.get("inspectors", ())))
    merge_errors(errors, "actions", _check_actions(values.get("actions", ())))
    if sentence := _pattern_sentence(values):
        errors["actions_pattern"] = [sentence]
    return errors


def _pattern_sentence(values: Mapping[str, Any]) -> str | None:
    pattern = values.get("actions_pattern", "").strip()
    if not pattern:
        wants_one = values.get("actions_on") == ActionsOn.MATCHING and "actions_pattern" in values
        return "Give a piece of the addresses that are meant, such as /list or */page/*." if wants_one else None
    try:
        AddressPattern(pattern)
    except SpecError as error:
        return str(error)
    return None


def selector_sentence(xpath: str) -> str | None:
    """Why this XPath cannot be used; None when it can or is empty."""
    if not xpath:
        return None
    try:
        compile_selector(xpath)
    except SelectorError as error:
        return with_place(error.message, error.position, error.hint)
    return None


def _check_inspectors(inspectors: Sequence[Mapping[str, Any]]) -> FieldErrors:
    errors: FieldErrors = {}
    if len(inspectors) > MAX_INSPECTORS:
        errors[""] = [f"A template can have at most {MAX_INSPECTORS} inspectors. Split it into two templates."]
    for place, inspector in enumerate(inspectors):
        merge_errors(errors, str(place), _check_inspector(inspector))
    for field in ("name", "variable"):
        for place, value in _repeated(inspectors, field):
            sentence = f"The {field} “{value}” is used twice in this template. Choose another."
            merge_errors(errors, str(place), {field: [sentence]})
    return errors


def _check_inspector(inspector: Mapping[str, Any]) -> FieldErrors:
    errors: FieldErrors = {}
    if sentence := name_sentence(inspector.get("name", ""), forbid="."):
        errors["name"] = [sentence]
    if sentence := variable_sentence(inspector.get("variable", "")):
        errors["variable"] = [sentence]
    merge_errors(errors, "", _check_selectors(inspector))
    merge_errors(errors, "cleanup", _check_cleanup(inspector.get("cleanup", ())))
    return errors


def _check_selectors(inspector: Mapping[str, Any]) -> FieldErrors:
    is_constant = inspector.get("type", InspectorType.TEXT) == InspectorType.CONSTANT
    selector = inspector.get("selector", "")
    if not selector and not is_constant:
        return {"selector": ["Give an XPath that points at this field, for example //h1."]}
    if is_constant and not inspector.get("value"):
        return {"value": ["A constant needs a value: the text that every document gets."]}
    errors: FieldErrors = {}
    if sentence := selector_sentence(selector):
        errors["selector"] = [sentence]
    for place, fallback in enumerate(inspector.get("fallbacks", ())):
        if sentence := selector_sentence(fallback) if fallback else "Remove this empty fallback or give it an XPath.":
            errors[f"fallbacks.{place}"] = [sentence]
    return errors


def _check_cleanup(steps: Sequence[Mapping[str, str]]) -> FieldErrors:
    errors: FieldErrors = {}
    for place, step in enumerate(steps):
        try:
            compile_cleanup(step["pattern"], step.get("replacement", ""))
        except CleanupError as error:
            errors[f"{place}.pattern"] = [with_place(error.message, error.position, error.hint)]
    return errors


def _check_actions(actions: Sequence[Mapping[str, Any]]) -> FieldErrors:
    errors: FieldErrors = {}
    if len(actions) > MAX_ACTIONS:
        errors[""] = [f"An action chain can have at most {MAX_ACTIONS} steps."]
    for place, action in enumerate(actions):
        merge_errors(errors, str(place), check_action(action))
    return errors


def check_action(action: Mapping[str, Any]) -> FieldErrors:
    parameters = action.get("parameters", {})
    errors = check_parameters(action.get("type", ""), parameters)
    if errors:
        return errors
    for parameter in PARAMETERS[ActionType(action["type"])]:
        if parameter.kind != "selector":
            continue
        if sentence := selector_sentence(parameters.get(parameter.name, "")):
            errors[parameter.name] = [sentence]
    return errors


def _repeated(rows: Sequence[Mapping[str, Any]], field: str) -> Iterator[tuple[int, str]]:
    """Each row after the first that has the same non-empty value."""
    seen: Counter[str] = Counter()
    for place, row in enumerate(rows):
        value = row.get(field, "")
        if value and seen[value]:
            yield place, value
        seen[value] += 1
