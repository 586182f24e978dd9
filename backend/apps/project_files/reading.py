"""Reading a project file: from text to a value whose shape is right, or sentences that say where it is not."""

import difflib
import json
from collections.abc import Iterator
from functools import cache
from typing import Any, NoReturn

import jsonschema
from jsonschema.exceptions import ValidationError

from backend.apps.errors import FieldErrors, Invalid
from backend.apps.project_files.schema import VERSION, project_file_schema
from wording import say_count

MAX_SHOWN = 20
MAX_VALUE_CHARACTERS = 80
WRONG_TYPES = {
    "array": "is not a list. Put it between [ and ].",
    "object": 'is not an object. Write names and values between { and }: {"name": "value"}.',
    "string": "is not a text. Write one between quotes.",
    "integer": "is not a whole number. Write one like 100.",
    "number": "is not a number. Write one like 1.5.",
    "boolean": "is neither true nor false. Write one of the two.",
}
BOUNDS = {
    "minimum": "is too small: the minimum is {}.",
    "maximum": "is too large: the maximum is {}.",
    "exclusiveMinimum": "is too small: it must be more than {}.",
    "minLength": "is too short: at least {}.",
    "maxLength": "is too long: at most {}.",
    "minItems": "is too short: at least {} of these.",
}


def read_json(text: str) -> Any:
    """The value of a JSON text; Invalid names the line and column of a mistake."""
    try:
        return json.loads(text.removeprefix("\ufeff"), parse_constant=_refuse_constant)
    except json.JSONDecodeError as error:
        sentence = f"This is not JSON: {error.msg} at line {error.lineno}, column {error.colno}. Mend it there."
        raise Invalid({"": [sentence]}) from error
    except ValueError as error:  # Python reads no number of more than 4,300 digits
        raise Invalid({"": ["This file has a number of thousands of digits. Write an ordinary number."]}) from error
    except RecursionError as error:
        raise Invalid({"": ["This file is nested too deeply to be a project file."]}) from error


def _refuse_constant(name: str) -> NoReturn:
    raise Invalid({"": [f"{name} is not a number that JSON knows. Write an ordinary number."]})


def check_shape(file: Any) -> None:
    """Raise Invalid with a sentence for each place where the file is not of the shape of the schema."""
    if not isinstance(file, dict):
        raise Invalid({"": ["A project file is a JSON object: it begins with { and has a version and a name."]})
    _check_version(file.get("version"))
    errors: FieldErrors = {}
    for error in _validator().iter_errors(file):
        for path, sentence in _sentences(error):
            errors.setdefault(path, []).append(sentence)
        if len(errors) >= MAX_SHOWN:
            break
    errors = errors or _check_characters(file)
    if errors:
        raise Invalid(errors)


def _check_version(version: Any) -> None:
    if isinstance(version, int) and not isinstance(version, bool) and version > VERSION:
        sentence = (
            f"This file is of version {version}; this Gleaner reads up to {VERSION}. Update Gleaner, then import."
        )
        raise Invalid({"version": [sentence]})


@cache
def _validator() -> jsonschema.Draft202012Validator:
    return jsonschema.Draft202012Validator(project_file_schema())


def _sentences(error: ValidationError) -> Iterator[tuple[str, str]]:
    """What a person should read about one error of the validator."""
    path = ".".join(str(part) for part in error.absolute_path)
    text = json.dumps(error.instance, ensure_ascii=False, default=str)
    value = text if len(text) <= MAX_VALUE_CHARACTERS else f"{text[:MAX_VALUE_CHARACTERS]}…"
    match error.validator:
        case "additionalProperties":
            yield from _unknown_keys(error, path)
        case "oneOf" | "anyOf":
            yield from _sentences_of_alternatives(error, path, value)
        case "required":
            missing = [name for name in error.validator_value if name not in error.instance]
            yield path, f"“{missing[0]}” is missing. Add it."
        case "enum":
            yield path, f"{value} is not one of: {', '.join(error.validator_value)}."
        case "type":
            yield path, f"{value} {_wrong_type(error.instance, error.validator_value)}"
        case "minimum" | "maximum" | "exclusiveMinimum" | "minLength" | "maxLength" | "minItems":
            yield path, f"{value} {_out_of_bounds(error.validator, error.validator_value)}"
        case _:
            yield path, f"{error.message[:300]}."


def _out_of_bounds(rule: str, bound: Any) -> str:
    """The rest of a sentence that begins with the value."""
    return BOUNDS[rule].format(say_count(bound, "character") if rule.endswith("Length") else bound)


def _wrong_type(value: Any, allowed: str | list[str]) -> str:
    """The same: what it is not, and how to write what is meant."""
    wanted = allowed if isinstance(allowed, str) else allowed[0]  # the other one is null
    sentence = WRONG_TYPES[wanted]
    if wanted in ("integer", "number", "boolean") and isinstance(value, str) and _is_a(value, wanted):
        return f"{sentence.partition('.')[0]}. Leave out the quotes: {value}"
    return sentence


def _is_a(text: str, wanted: str) -> bool:
    """Whether the characters between the quotes would be right without these."""
    try:
        return jsonschema.Draft202012Validator({"type": wanted}).is_valid(json.loads(text))
    except ValueError:
        return False


def _unknown_keys(error: ValidationError, path: str) -> Iterator[tuple[str, str]]:
    known = list(error.schema.get("properties", {}))
    for name in error.instance:
        if name not in known:
            near = difflib.get_close_matches(name, known, n=1)
            remedy = f"Did you mean “{near[0]}”?" if near else f"Known: {', '.join(known)}."
            yield f"{path}.{name}".lstrip("."), f"There is no key “{name[:100]}” here. {remedy}"


def _sentences_of_alternatives(error: ValidationError, path: str, value: str) -> Iterator[tuple[str, str]]:
    """For an action the type tells which alternative was meant; else the alternative that came nearest."""
    if isinstance(error.instance, dict) and isinstance(error.validator_value, list):
        kinds = [branch["properties"]["type"]["const"] for branch in error.validator_value if "properties" in branch]
        wanted = error.instance.get("type")
        if wanted not in kinds:
            yield f"{path}.type", f"{json.dumps(wanted)[:80]} is not an action. Choose one of: {', '.join(kinds)}."
            return
        for inner in error.context or ():
            if inner.schema_path[0] == kinds.index(wanted):
                yield from _sentences(inner)
        return
    meant = [inner for inner in error.context or () if inner.validator_value != "null"]
    yield from _sentences(meant[0]) if meant else [(path, f"{value} cannot be used here.")]


def _check_characters(file: Any) -> FieldErrors:
    """NUL characters and halves of surrogate pairs cannot be stored in any database."""
    return {
        path: ["This text holds a character that cannot be stored (NUL or half a character). Remove it."]
        for path, text in _texts(file, "")
        if "\x00" in text or any("\ud800" <= character <= "\udfff" for character in text)
    }


def _texts(value: Any, path: str) -> Iterator[tuple[str, str]]:
    if isinstance(value, str):
        yield path, value
    elif isinstance(value, dict):
        for key, inner in value.items():
            yield path, key
            yield from _texts(inner, f"{path}.{key}".lstrip("."))
    elif isinstance(value, list):
        for place, inner in enumerate(value):
            yield from _texts(inner, f"{path}.{place}".lstrip("."))
