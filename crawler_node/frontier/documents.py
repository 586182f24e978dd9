"""Documents in memory: which are new, changed, unchanged, or a repetition of another page's."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from crawler_node.contracts import Document


class DocumentCounts(NamedTuple):
    """What became of the documents of one page."""

    new: int = 0
    changed: int = 0
    unchanged: int = 0
    duplicate: int = 0


@dataclass(slots=True)
class KeptDocument:
    """A document with its versions, the newest last. `duplicate_of` is the identity of the one it repeats."""

    page_key: bytes
    url: str
    versions: list[Document]
    sequence: int
    duplicate_of: bytes | None = None


class DocumentShelf:
    """The documents of one crawler by identity, in the order of their commits."""

    def __init__(self) -> None:
        self.kept: dict[bytes, KeptDocument] = {}
        self._first_with: dict[bytes, bytes] = {}
        self._sequence = 0

    def put(self, page_key: bytes, url: str, documents: Sequence[Document], *, room: int | None) -> DocumentCounts:
        """Keep the documents of a page; `room` is how many more the runner may have, None for any number."""
        counts = [0, 0, 0, 0]
        for document in documents:
            if room is not None and sum(counts[:3]) >= room:
                break
            counts[self._put_one(page_key, url, document)] += 1
        return DocumentCounts(*counts)

    def _put_one(self, page_key: bytes, url: str, document: Document) -> int:
        known = self.kept.get(document.identity)
        if known is None:
            kept = self.kept[document.identity] = KeptDocument(page_key, url, [document], 0)
        else:
            kept, known.page_key = known, page_key
            if known.versions[-1].sha1 == document.sha1:
                return 3 if known.duplicate_of is not None else 2
            self._stop_standing(document.identity, known)
            known.versions.append(document)
        self._find_original(document.identity, kept)
        self._note(kept)
        return 3 if kept.duplicate_of is not None else 0 if known is None else 1

    def _note(self, kept: KeptDocument) -> None:
        self._sequence += 1
        kept.sequence = self._sequence

    def _find_original(self, identity: bytes, kept: KeptDocument) -> None:
        """It repeats the first with its values, unless that is on the same page: a page may list equal things."""
        original = self._first_with.setdefault(kept.versions[-1].sha1, identity)
        is_copy = original != identity and self.kept[original].page_key != kept.page_key
        kept.duplicate_of = original if is_copy else None

    def _stop_standing(self, identity: bytes, kept: KeptDocument) -> None:
        """It loses the values it had: the oldest that repeated it stands for them, and the others repeat that."""
        old = kept.versions[-1].sha1
        if self._first_with.get(old) == identity:
            del self._first_with[old]
        heirs = [other for other, copy in self.kept.items() if copy.duplicate_of == identity]
        for other in heirs:
            self.kept[other].duplicate_of = heirs[0] if other != heirs[0] else None
        if heirs:
            self._note(self.kept[heirs[0]])
            self._first_with[old] = heirs[0]
