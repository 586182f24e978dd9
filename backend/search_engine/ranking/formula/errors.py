"""What can be wrong with a formula.

FormulaError    the person's formula cannot be used; says what, where, and what to write instead
"""

from backend.search_engine.errors import SearchEngineError


class FormulaError(SearchEngineError):
    """A formula that cannot be used. `position` counts characters from 0; `str(error)` is a sentence for people."""

    def __init__(self, message: str, position: int, hint: str = "") -> None:
        super().__init__(f"{message} {hint}".rstrip())
        self.message = message
        self.position = position
        self.hint = hint
