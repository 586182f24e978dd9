"""Pages that only repeat themselves: the next page of a list that ended long ago.

Such pages differ in numbers alone. A page is an echo when it has the same documents as the page of its pattern before
it, and the same bytes but for digits; after so many echoes in a row, links to more of that pattern are a trap.
"""

from collections.abc import Sequence
from hashlib import blake2b
from typing import NamedTuple

_MAX_PATTERNS = 10_000
_DIGITS = b"0123456789"


class _Last(NamedTuple):
    documents: tuple[bytes, ...]
    skeleton: bytes = b""
    echoes: int = 0


class EchoBook:
    """What one worker remembers of patterns. Forgetting (a restart, too many patterns) costs a few pages more."""

    def __init__(self, *, max_echoes: int = 200) -> None:
        self._max_echoes = max_echoes
        self._last: dict[str, _Last] = {}

    def note(self, pattern: str, body: bytes, documents: Sequence[bytes]) -> bool:
        """Note a page of a pattern with the fingerprints of its documents; True when it is one echo too many."""
        found = tuple(documents)
        last = self._last.get(pattern)
        if len(self._last) >= _MAX_PATTERNS:
            self._last.clear()
        if last is None or last.documents != found:
            self._last[pattern] = _Last(found)
            return False
        skeleton = blake2b(body.translate(None, _DIGITS), digest_size=16).digest()
        echoes = last.echoes + 1 if skeleton == last.skeleton else 0
        self._last[pattern] = _Last(found, skeleton, echoes)
        return echoes >= self._max_echoes
