"""Sentences that tell a person what is wrong with a value, where, and what to do; shared by every noun's validation."""

import re
from collections.abc import Mapping

from backend.apps.errors import FieldErrors
from backend.search_engine.ranking.formula import is_variable_name

SECRET = re.compile(r"\$\{([^{}$]*)\}")
SECRET_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9 ._-]{0,99}")


def with_place(message: str, position: int | None, hint: str) -> str:
    """One text from the three parts of an error: what, where (counted from 1, as people do), and the remedy."""
    where = f" (at character {position + 1})" if position is not None else ""
    return " ".join(part for part in (f"{message.rstrip('.')}{where}.", hint) if part)


def merge_errors(errors: FieldErrors, prefix: str, more: Mapping[str, list[str]]) -> None:
    """Put `more` under `prefix`; the empty path is the prefix itself."""
    for path, sentences in more.items():
        errors.setdefault(".".join(part for part in (prefix, path) if part), []).extend(sentences)


def name_sentence(name: str, *, forbid: str = "") -> str | None:
    if not name.strip():
        return "Give it a name."
    if name != name.strip():
        return "Remove the spaces before or after the name."
    if found := next((character for character in forbid if character in name), None):
        return f"A name cannot contain “{found}”. Leave it out."
    if not name.isprintable():
        return "A name cannot contain line breaks or invisible characters. Leave them out."
    return None


def variable_sentence(variable: str) -> str | None:
    if not variable or is_variable_name(variable):
        return None
    return (
        f"“{variable}” is not a variable name. Use letters, digits and underscores, beginning with a letter, "
        "and no word that formulas already know (such as log, min or text)."
    )


def secret_names(text: str) -> list[str]:
    """The names of the secrets that a text refers to as `${name}`."""
    return SECRET.findall(text)


def secret_sentence(text: str) -> str | None:
    for name in secret_names(text):
        if not SECRET_NAME.fullmatch(name):
            return f"“${{{name}}}” names no secret. Use letters, digits, spaces, dots, dashes and underscores."
    return None
