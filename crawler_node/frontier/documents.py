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
        if known is not None and known.versions[-1].sha1 == document.sha1:
            return 3 if known.duplicate_of is not None else 2
        self._sequence += 1
        if known is not None:
            known.versions.append(document)
            known.sequence = self._sequence
            return 1
        original = self._first_with.setdefault(document.sha1, document.identity)
        is_duplicate = original != document.identity and self.kept[original].page_key != page_key
        kept = KeptDocument(page_key, url, [document], self._sequence, original if is_duplicate else None)
        self.kept[document.identity] = kept
        return 3 if is_duplicate else 0
