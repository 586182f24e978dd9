"""The parameters of each action type: one table for validation, the project file's schema and the API."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from backend.apps.errors import FieldErrors
from backend.apps.sentences import secret_names
from backend.apps.templates.models import ActionType

MAX_WAIT_SECONDS = 300.0
MAX_TIMES = 10_000
MAX_TEXT = 5_000
ONLY_TYPED = "A secret can only be typed, for other steps tell people their texts. Write the text itself here."
KEYS = (
    *("Enter", "Tab", "Escape", "Space", "Backspace", "Delete", "Home", "End", "PageUp", "PageDown"),
    *("ArrowUp", "ArrowDown", "ArrowLeft", "ArrowRight"),
)


@dataclass(frozen=True, slots=True)
class Parameter:
    """One parameter of an action; `kind` is selector, text, seconds, times, key, direction or flag."""

    name: str
    kind: str
    default: Any = None
    is_required: bool = True


SELECTOR = Parameter("selector", "selector")
OPTIONAL_SELECTOR = Parameter("selector", "selector", default="", is_required=False)

PARAMETERS: Mapping[ActionType, tuple[Parameter, ...]] = {
    ActionType.CLICK: (SELECTOR,),
    ActionType.CLICK_IF_PRESENT: (SELECTOR,),
    ActionType.TYPE: (SELECTOR, Parameter("text", "text"), Parameter("submit", "flag", False, is_required=False)),
    ActionType.PRESS_KEY: (Parameter("key", "key"), OPTIONAL_SELECTOR),
    ActionType.SELECT_OPTION: (SELECTOR, Parameter("option", "text")),
    ActionType.HOVER: (SELECTOR,),
    ActionType.WAIT: (Parameter("seconds", "seconds"),),
    ActionType.WAIT_FOR: (SELECTOR,),
    ActionType.WAIT_FOR_TEXT: (Parameter("text", "text"),),
    ActionType.WAIT_UNTIL_GONE: (SELECTOR,),
    ActionType.SCROLL: (
        Parameter("times", "times", 1, is_required=False),
        Parameter("direction", "direction", "down", is_required=False),
    ),
    ActionType.SCROLL_TO_END: (Parameter("max_times", "times", 100, is_required=False),),
    ActionType.LOAD_MORE: (SELECTOR, Parameter("max_times", "times", 100, is_required=False)),
    ActionType.DISMISS_OVERLAYS: (),
}
PARAMETER_NAMES = sorted({parameter.name for row in PARAMETERS.values() for parameter in row})


def parameters_with_defaults(action_type: str, given: Mapping[str, Any]) -> dict[str, Any]:
    """What is stored: every parameter of the type, in the table's order."""
    table = PARAMETERS[ActionType(action_type)]
    return {parameter.name: given.get(parameter.name, parameter.default) for parameter in table}


def check_parameters(action_type: str, given: Mapping[str, Any]) -> FieldErrors:
    """Sentences by parameter name; empty when the step can run. Selectors are checked by the caller."""
    if action_type not in ActionType.values:
        return {"type": [f"“{action_type}” is not an action. Choose one of: {', '.join(ActionType.values)}."]}
    table = {parameter.name: parameter for parameter in PARAMETERS[ActionType(action_type)]}
    errors: FieldErrors = {}
    for name in given:
        if name not in table:
            known = ", ".join(table) or "none"
            errors[name] = [f"The action “{action_type}” has no parameter “{name}”. It knows: {known}."]
    for name, parameter in table.items():
        value = given.get(name, parameter.default)
        if sentence := _check(parameter, value) or _secret_sentence(action_type, parameter, value):
            errors[name] = [sentence]
    return errors


def _secret_sentence(action_type: str, parameter: Parameter, value: Any) -> str | None:
    is_told = parameter.kind == "text" and action_type != ActionType.TYPE
    return ONLY_TYPED if is_told and secret_names(value) else None


def _check(parameter: Parameter, value: Any) -> str | None:  # noqa: C901 (a table of kinds reads best in one place)
    if parameter.is_required and value in (None, ""):
        return f"Fill in “{parameter.name}”."
    match parameter.kind:
        case "selector" | "text":
            if not isinstance(value, str) or len(value) > MAX_TEXT:
                return f"This must be a text of at most {MAX_TEXT} characters."
        case "seconds":
            if not _is_number(value) or not 0 < value <= MAX_WAIT_SECONDS:
                return f"Enter the seconds to wait, more than 0 and at most {MAX_WAIT_SECONDS:g}."
        case "times":
            if not _is_number(value) or int(value) != value or not 1 <= value <= MAX_TIMES:
                return f"Enter how many times, a whole number from 1 to {MAX_TIMES}."
        case "key":
            if value not in KEYS and not (isinstance(value, str) and len(value) == 1):
                return f"Enter one character or one of these keys: {', '.join(KEYS)}."
        case "direction":
            if value not in ("down", "up"):
                return "Choose “down” or “up”."
        case "flag":
            if not isinstance(value, bool):
                return "This must be true or false."
    return None


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and value == value and abs(value) < 1e9
