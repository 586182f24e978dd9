"""Pages nested deeper than any parser goes: their deepest elements put side by side, as browsers do past 512 levels."""

import re

MAX_DEPTH = 500
# An end tag that closes nothing among the last so many elements is left as it is.
_LOOK_BACK = 64

_TAG = re.compile(
    rb"<!--.*?(?:-->|\Z)|<(?P<raw>script|style|textarea|title)\b.*?(?:</(?P=raw)\s*>|\Z)"
    rb"|<(?P<slash>/?)(?P<name>[a-zA-Z][\w:\-]*)[^<>]*>",
    re.IGNORECASE | re.DOTALL,
)
_NO_END = (
    b"area base br col embed hr img input link meta source track wbr "
    b"p li td th tr option optgroup dt dd tbody thead tfoot colgroup html head body"
)
# Void elements, and those whose end tags pages leave out: they do not tell how deep we are.
_UNCOUNTED = frozenset(_NO_END.split())


def flatten(source: bytes) -> bytes:
    """The same page with no element nested deeper than MAX_DEPTH; every tag and text is kept, in order."""
    return _TAG.sub(_Flattener().replace, source)


class _Flattener:
    """Follows the open elements; one too deep begins after the innermost of those around it, closed early."""

    def __init__(self) -> None:
        self._stack: list[tuple[bytes, int]] = []  # name, and its number among all
        self._open: list[tuple[bytes, int]] = []
        self._count = 0

    def replace(self, match: re.Match[bytes]) -> bytes:
        name = (match["name"] or b"").lower()
        if not name or name in _UNCOUNTED:
            return match.group()
        return self._end(match, name) if match["slash"] else self._start(match, name)

    def _start(self, match: re.Match[bytes], name: bytes) -> bytes:
        before = b""
        if len(self._open) >= MAX_DEPTH:
            before = self._close_half()
        self._count += 1
        self._stack.append((name, self._count))
        self._open.append((name, self._count))
        return before + match.group()

    def _close_half(self) -> bytes:
        """Many at once, so that what follows has room to nest and few elements are torn from what is inside them."""
        closed = self._open[MAX_DEPTH // 2 :]
        del self._open[MAX_DEPTH // 2 :]
        return b"".join(b"</%s>" % name for name, _ in reversed(closed))

    def _end(self, match: re.Match[bytes], name: bytes) -> bytes:
        for back in range(1, min(_LOOK_BACK, len(self._stack)) + 1):
            if self._stack[-back][0] == name:
                break
        else:
            return match.group()
        number = self._stack[-back][1]
        del self._stack[-back:]
        is_open = False
        while self._open and self._open[-1][1] >= number:
            is_open = self._open.pop()[1] == number
        return match.group() if is_open else b""
