"""What a clean-up puts in the place of a match: plain text with references to groups."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from crawler_node.extract.errors import CleanupError

_REFERENCE = re.compile(
    r"\\(?:(?P<number>\d{1,2})|g<(?P<name>[^<>]*)>|(?P<escape>.)|$)|\$(?P<dollar>\d|\{\w+\}|<\w+>|&)", re.DOTALL
)
_ESCAPES = {"n": "\n", "t": "\t", "\\": "\\", "$": "$"}


@dataclass(frozen=True, slots=True)
class Replacement:
    """Pieces of plain text (str) and groups (int) in order; `literal` is the whole text when there are no groups."""

    pieces: Sequence[str | int]
    literal: str | None

    def expand(self, groups: Sequence[str | None]) -> str:
        """The text for one match; `groups[0]` is the whole match, a group that took no part is empty."""
        if self.literal is not None:
            return self.literal
        return "".join(piece if isinstance(piece, str) else (groups[piece] or "") for piece in self.pieces)


def compile_replacement(source: str, *, group_count: int, group_names: Mapping[str, int]) -> Replacement:
    r"""Understands \1 and \g<name>, \n, \t, \\ and \$; raises CleanupError for a group the pattern does not have."""
    pieces: list[str | int] = []
    position = 0
    for match in _REFERENCE.finditer(source):
        if match.start() > position:
            pieces.append(source[position : match.start()])
        pieces.append(_piece(match, group_count, group_names))
        position = match.end()
    if position < len(source):
        pieces.append(source[position:])
    if any(isinstance(piece, int) for piece in pieces):
        return Replacement(pieces, None)
    return Replacement(pieces, "".join(str(piece) for piece in pieces))


def _piece(match: re.Match[str], group_count: int, group_names: Mapping[str, int]) -> str | int:
    if match["dollar"]:
        raise _dollar(match)
    if match["escape"]:
        if match["escape"] in _ESCAPES:
            return _ESCAPES[match["escape"]]
        message = f"The replacement has \\{match['escape']}, which means nothing."
        raise CleanupError(message, position=match.start(), hint="Write \\\\ for a backslash, \\1 for the first group.")
    reference = match["number"] or match["name"]
    if reference is None:
        message = "The replacement ends with a single backslash."
        raise CleanupError(message, position=match.start(), hint="Write \\\\ for a backslash.")
    return _group(reference, match, group_count, group_names)


def _group(reference: str, match: re.Match[str], group_count: int, group_names: Mapping[str, int]) -> int:
    if reference.isdecimal() and int(reference) <= group_count:
        return int(reference)
    if reference in group_names:
        return group_names[reference]
    have = {0: "has no groups", 1: "has one group"}.get(group_count, f"has {group_count} groups")
    message = f"The replacement asks for group {reference or '“”'}, but the pattern {have}."
    hint = "Put parentheses around the part of the pattern to keep, and count them from 1."
    raise CleanupError(message, position=match.start(), hint=hint)


def _dollar(match: re.Match[str]) -> CleanupError:
    meant = match["dollar"].strip("{}<>&") or "0"
    reference = f"\\{meant}" if meant.isdecimal() else f"\\g<{meant}>"
    message = f"{match.group()} in the replacement is not how groups are written here."
    hint = f"Write {reference} for the group, or \\{match.group()} if you mean the characters themselves."
    return CleanupError(message, position=match.start(), hint=hint)
