"""Documents in memory: which are new, changed, unchanged, or a repetition of another page's."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple, Self

from crawler_node.contracts import Document, LogLine

CLASHING = 4


class DocumentCounts(NamedTuple):
    """What became of the documents of one page; those `clashing` are duplicates by their key, with other values."""

    new: int = 0
    changed: int = 0
    unchanged: int = 0
    duplicate: int = 0
    clashing: int = 0

    @classmethod
    def of(cls, counts: Sequence[int]) -> Self:
        """Of counts in this order, each document counted once."""
        new, changed, unchanged, duplicate, clashing = counts
        return cls(new, changed, unchanged, duplicate + clashing, clashing)


class Clash(NamedTuple):
    """Two addresses where documents have the same key and other values."""

    kept: str
    left_out: str


def clash_line(clash: Clash, keys: Sequence[str] = ()) -> LogLine:
    """What people are told of the first clash of a run."""
    key = f"The key ({', '.join(keys)})" if keys else "The key"
    places = clash.kept if clash.kept == clash.left_out else f"{clash.kept} and {clash.left_out}"
    sentence = (
        f"{key} is not unique: documents with the same key have different values on {places}, for example. The values"
        " found first are kept. Choose key fields that tell documents apart, or leave out what differs by page."
    )
    return LogLine("warning", sentence, clash.left_out)


@dataclass(slots=True)
class KeptDocument:
    """A document with its versions, the newest last. `duplicate_of` is the identity of the one it repeats."""

    page_key: bytes
    url: str
    versions: list[Document]
    sequence: int
    duplicate_of: bytes | None = None


class DocumentShelf:
    """The documents of one crawler by identity, in the order of their commits.

    In a run the first page that a document is found on has the say; what others of its pages say does not count.
    """

    def __init__(self) -> None:
        self.kept: dict[bytes, KeptDocument] = {}
        self.clash: Clash | None = None
        self._found: set[bytes] = set()
        self._first_with: dict[bytes, bytes] = {}
        self._sequence = 0

    def put(self, page_key: bytes, url: str, documents: Sequence[Document], *, room: int | None) -> DocumentCounts:
        """Keep the documents of a page; `room` is how many more the runner may have, None for any number."""
        counts = [0, 0, 0, 0, 0]
        for document in documents:
            if room is not None and sum(counts[:3]) >= room:
                break
            counts[self._put_one(page_key, url, document)] += 1
        return DocumentCounts.of(counts)

    def begin_run(self) -> None:
        """From now on another run of the crawler finds documents."""
        self._found.clear()
        self.clash = None

    def _put_one(self, page_key: bytes, url: str, document: Document) -> int:
        known = self.kept.get(document.identity)
        is_first_page = document.identity not in self._found
        self._found.add(document.identity)
        if known is None:
            kept = self.kept[document.identity] = KeptDocument(page_key, url, [document], 0)
        elif known.versions[-1].sha1 == document.sha1:
            if is_first_page:
                self._move(known, page_key, url)
            return 3 if known.duplicate_of is not None else 2
        elif not is_first_page:
            self.clash = self.clash or Clash(known.url, url)
            return CLASHING
        else:
            kept = known
            self._move(kept, page_key, url)
            self._stop_standing(document.identity, kept)
            kept.versions.append(document)
        self._find_original(document.identity, kept)
        self._note(kept)
        return 3 if kept.duplicate_of is not None else 0 if known is None else 1

    def _move(self, kept: KeptDocument, page_key: bytes, url: str) -> None:
        if (kept.page_key, kept.url) != (page_key, url):
            kept.page_key, kept.url = page_key, url
            self._note(kept)

    def _note(self, kept: KeptDocument) -> None:
        self._sequence += 1
        kept.sequence = self._sequence

    def _find_original(self, identity: bytes, kept: KeptDocument) -> None:
        """It repeats the first with its values, unless that is on the same page: a page may list equal things."""
        original = self._first_with.setdefault(kept.versions[-1].sha1, identity)
        is_copy = original != identity and self.kept[original].page_key != kept.page_key
        kept.duplicate_of = original if is_copy else None

    def _stop_standing(self, identity: bytes, kept: KeptDocument) -> None:
        """It loses the values it had: the oldest that repeated it stands for them; on other pages they repeat that."""
        old = kept.versions[-1].sha1
        if self._first_with.get(old) == identity:
            del self._first_with[old]
        heirs = [other for other, copy in self.kept.items() if copy.duplicate_of == identity]
        for other in heirs:
            heir = self.kept[other]
            heir.duplicate_of = heirs[0] if heir.page_key != self.kept[heirs[0]].page_key else None
            if heir.duplicate_of is None:
                self._note(heir)
        if heirs:
            self._first_with[old] = heirs[0]
