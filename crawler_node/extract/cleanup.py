"""Clean-up expressions: a pattern and its replacement, run by engines that a hostile pattern cannot hang.

RE2 runs in linear time and comes first. What it refuses (lookaround, back references) goes to `regex` on a time limit.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import re2
import regex

from crawler_node.extract.errors import BudgetError, CleanupError
from crawler_node.extract.replacement import Replacement, compile_replacement

MAX_PATTERN_CHARS = 1_000
MAX_REPLACEMENT_CHARS = 1_000
MAX_REPETITIONS = 10_000
# As much as the longest page has; few clean-ups could fill all memory otherwise.
MAX_WRITTEN_CHARS = 10_000_000
TIMEOUT_SECONDS = 0.5
MAX_MEMORY_BYTES = 8 << 20

_COUNTED = re.compile(r"\{(\d*)(?:,(\d*))?\}")
# What RE2 refuses because it cannot be done in linear time; all else it refuses is a fault.
_BEYOND_RE2 = ("invalid perl operator", "invalid escape sequence", "bad repetition operator")
_SAYINGS = {
    "missing )": ("A parenthesis ( is never closed.", "Add ), or write \\( for the character itself."),
    "unbalanced parenthesis": ("A ) has no ( before it.", "Remove it, or write \\) for the character itself."),
    "unterminated character set": ("A [ is never closed.", "Add ], or write \\[ for the character itself."),
    "nothing to repeat": (
        "There is nothing before *, + or ? to repeat.",
        "Write \\ before it for the character itself.",
    ),
    "multiple repeat": ("Two repetitions follow each other.", "Keep one of them, or put parentheses around the first."),
    "bad character range": ("A range in [ ] runs backwards.", "Put the smaller character first, or - at the end."),
    "bad escape (end of pattern)": ("The pattern ends with a single backslash.", "Write \\\\ for a backslash."),
    "min repeat greater than max repeat": ("In {a,b} the first number is the greater one.", "Swap the two numbers."),
    "invalid group reference": ("The pattern refers to a group it does not have.", "Count the parentheses from 1."),
    "unknown property": ("The pattern names a class of characters that does not exist.", "Use \\d, \\w, \\s or [a-z]."),
}


@dataclass(frozen=True, slots=True)
class Cleanup:
    """One compiled expression; `apply` replaces every match. `engine` is "re2" or "regex"."""

    pattern: str
    replacement: str
    engine: str
    _compiled: Any
    _replacement: Replacement

    def apply(self, text: str) -> str:
        """`text` with every match replaced; raises BudgetError when that takes too long or writes too much."""
        if self.engine == "re2":
            if self._compiled.search(text) is None:
                return text
            return str(self._compiled.sub(self._expansion(), text))
        try:
            return str(self._compiled.sub(self._expansion(), text, timeout=TIMEOUT_SECONDS))
        except TimeoutError:
            message = f"The clean-up expression {self.pattern[:80]} took more than {TIMEOUT_SECONDS} s on one value."
            raise BudgetError(message) from None

    def _expansion(self) -> Callable[[Any], str]:
        """What one text's matches become, within MAX_WRITTEN_CHARS.

        RE2 for Python finds an empty match (the `$` of a text) once more, unless its search began there.
        """
        last: tuple[int, int] | None = None
        written = 0

        def expand(match: Any) -> str:
            nonlocal last, written
            if match.span() == last:
                return ""
            last = match.span()
            text = self._replacement.expand((match.group(), *match.groups()))
            written += len(text)
            if written > MAX_WRITTEN_CHARS:
                message = f"The clean-up expression {self.pattern[:80]} made one value longer than any may be."
                raise BudgetError(message)
            return text

        return expand

    def __reduce__(self) -> tuple[object, ...]:
        return (compile_cleanup, (self.pattern, self.replacement))


def compile_cleanup(pattern: str, replacement: str) -> Cleanup:
    """The compiled expression; raises CleanupError saying what is wrong, where, and what to do."""
    _check_size(pattern, replacement)
    engine, compiled = _compile(pattern)
    expansion = compile_replacement(replacement, group_count=compiled.groups, group_names=compiled.groupindex)
    return Cleanup(pattern, replacement, engine, compiled, expansion)


def _check_size(pattern: str, replacement: str) -> None:
    if not pattern:
        hint = "Write what is to be replaced, such as \\s+ for white space."
        raise CleanupError("The clean-up pattern is empty.", position=0, hint=hint)
    if len(pattern) > MAX_PATTERN_CHARS:
        message = f"The pattern has {len(pattern):,} characters; at most {MAX_PATTERN_CHARS:,} are allowed."
        raise CleanupError(message, position=MAX_PATTERN_CHARS, hint="Split it into several clean-up expressions.")
    if len(replacement) > MAX_REPLACEMENT_CHARS:
        message = f"The replacement has {len(replacement):,} characters; at most {MAX_REPLACEMENT_CHARS:,} are allowed."
        raise CleanupError(message, position=MAX_REPLACEMENT_CHARS, hint="Write a shorter one.")
    if any("\ud800" <= character <= "\udfff" for character in pattern + replacement):
        raise CleanupError("There is half a character (a lone surrogate) in it.", hint="Type the expression anew.")


def _compile(pattern: str) -> tuple[str, Any]:
    options = re2.Options()
    options.log_errors = False
    options.max_mem = MAX_MEMORY_BYTES
    try:
        return "re2", re2.compile(pattern, options)
    except re2.error as error:
        complaint = error.args[0].decode(errors="replace") if error.args else ""
    if complaint.startswith(("pattern too large", "invalid repetition size")):
        _refuse_size(pattern)
    return "regex", _compile_with_regex(pattern, complaint)


def _compile_with_regex(pattern: str, complaint: str) -> Any:
    _check_repetitions(pattern)
    try:
        compiled = regex.compile(pattern)
    except regex.error as error:
        raise _translate(*_complaint(pattern, error)) from None
    except (OverflowError, RecursionError, KeyError, ValueError):
        raise CleanupError("The pattern cannot be understood.", hint="Write a simpler one.") from None
    if not complaint.startswith(_BEYOND_RE2):
        raise CleanupError(f"The pattern cannot be used: {complaint}.", hint="Write it in another way.")
    return compiled


def _complaint(pattern: str, error: Exception) -> tuple[str, int | None]:
    """What `regex` complains of and where; for a bracket that is never closed that is where it opens."""
    complaint: str = getattr(error, "msg", str(error))
    position: int | None = getattr(error, "pos", None)
    if complaint in {"missing )", "unterminated character set"}:
        opened = _unclosed(pattern)
        position = position if opened is None else opened
    return complaint, position


def _unclosed(pattern: str) -> int | None:
    stack: list[int] = []
    set_start: int | None = None
    for match in re.finditer(r"\\.|[\[\]()]", pattern, re.DOTALL):
        if set_start is not None:
            set_start = None if match.group() == "]" and match.start() > set_start + 1 else set_start
        elif match.group() == "[":
            set_start = match.start()
        elif match.group() == "(":
            stack.append(match.start())
        elif match.group() == ")" and stack:
            stack.pop()
    return set_start if set_start is not None else stack[-1] if stack else None


def _check_repetitions(pattern: str) -> None:
    """`regex` unrolls counted repetitions: nested ones would take all memory already when they are compiled."""
    product = 1
    for match in _COUNTED.finditer(pattern):
        product *= max(int(match[1] or 1), int(match[2] or 1), 1)
    if product > MAX_REPETITIONS:
        _refuse_size(pattern)


def _refuse_size(pattern: str) -> None:
    largest = max(_COUNTED.finditer(pattern), key=lambda match: int(match[2] or match[1] or 0), default=None)
    for match in _COUNTED.finditer(pattern):
        if match[1] and match[2] and int(match[1]) > int(match[2]):
            raise _translate("min repeat greater than max repeat", match.start())
    message = "The pattern repeats something too many times."
    raise CleanupError(message, position=largest.start() if largest else None, hint="Use * or +, or a smaller number.")


def _translate(complaint: str, position: int | None) -> CleanupError:
    message, hint = _SAYINGS.get(complaint, (f"The pattern cannot be understood: {complaint}.", "Check it there."))
    return CleanupError(message, position=position, hint=hint)
