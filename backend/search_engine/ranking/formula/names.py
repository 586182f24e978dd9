"""Which names a formula's variables may have."""

import re

from backend.search_engine.ranking.formula.functions import FUNCTIONS

TEXT_VARIABLE = "text"
"""The name of the text score (BM25 and its bonuses) inside a formula."""

MAX_NAME_CHARACTERS = 64
_NAME = re.compile(r"[^\W\d]\w*")


def is_variable_name(name: str) -> bool:
    """Whether a person may give this name to a column: letters, digits, _; no word of the language."""
    fits = len(name) <= MAX_NAME_CHARACTERS and _NAME.fullmatch(name) is not None
    return fits and name != TEXT_VARIABLE and name not in FUNCTIONS
