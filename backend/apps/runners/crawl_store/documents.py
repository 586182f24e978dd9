"""Documents of a crawler: which are new, changed, unchanged, repeated or gone; their versions, their sequence."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.db.backends.utils import CursorWrapper

from backend.apps.documents.sequences import take_sequence
from backend.apps.runners.crawl_store.sql import as_datetime, insert_many, rows_in, to_json
from backend.apps.runners.crawl_store.urls import UrlRow
from crawler_node.contracts import Document, Outcome
from crawler_node.frontier.documents import DocumentCounts

SELECT = (
    "SELECT id, identity, page_key, sha1, version_number, duplicate_of_id, gone_at FROM documents_document"
    " WHERE crawler_id = %s AND "
)
INSERT = (
    *("project_id", "crawler_id", "identity", "page_key", "url", "sha1", "version_number", "sequence"),
    *("duplicate_of_id", "gone_at", "first_seen_at", "last_seen_at", "last_runner_id"),
)
VERSION = ("document_id", "runner_id", "number", "is_current", "fields", "sha1", "extracted_at")


@dataclass(slots=True)
class Kept:
    """A document as it stands; `id` 0: not written yet. `sequence` 0: nothing about it is news.

    It repeats the document `duplicate_of` (by id, as it was read) or `copy_of` (as this transaction found out).
    """

    id: int
    identity: bytes
    page_key: bytes
    sha1: bytes
    version: int
    duplicate_of: int | None
    gone_at: object = None
    url: str = ""
    copy_of: "Kept | None" = None
    sequence: int = 0
    is_seen: bool = False
    is_repointed: bool = False

    @property
    def is_duplicate(self) -> bool:
        return self.duplicate_of is not None or self.copy_of is not None

    def repeats(self, other: "Kept") -> bool:
        return self.copy_of is other or (bool(other.id) and self.duplicate_of == other.id)

    def point_to(self, original: "Kept | None") -> None:
        """From now on it repeats this one, or none."""
        if original is not None or self.is_duplicate:
            self.copy_of, self.duplicate_of, self.is_repointed = original, None, True


class DocumentDesk:
    """The documents that one transaction touches. `is_first_run` spares the look for what is gone."""

    def __init__(
        self,
        cursor: CursorWrapper,
        *,
        crawler_id: int,
        project_id: int,
        runner_id: int,
        now: float,
        is_first_run: bool,
    ) -> None:
        self._cursor = cursor
        self._crawler_id = crawler_id
        self._project_id = project_id
        self._runner_id = runner_id
        self._at = as_datetime(now)
        self._is_first_run = is_first_run
        self._kept: dict[bytes, Kept] = {}
        self._first_with: dict[bytes, Kept] = {}
        self._on_page: dict[bytes, list[Kept]] = {}
        self._versions: list[tuple[Kept, Document]] = []
        self._news = 0

    def load(self, outcomes: Sequence[Outcome]) -> None:
        documents = [document for outcome in outcomes for document in outcome.documents]
        self._load("identity IN {}", sorted({document.identity for document in documents}))
        for kept in self._load("sha1 IN {}", sorted({document.sha1 for document in documents})):
            if not kept.is_duplicate and kept.gone_at is None:
                first = self._first_with.setdefault(kept.sha1, kept)
                if kept.id < first.id:
                    self._first_with[kept.sha1] = kept
        if not self._is_first_run:
            for kept in self._load("page_key IN {}", sorted({outcome.lease.key for outcome in outcomes})):
                self._on_page.setdefault(kept.page_key, []).append(kept)
        self._load("duplicate_of_id IN {}", self._may_stop_standing(documents))

    def _may_stop_standing(self, documents: Sequence[Document]) -> list[int]:
        """Ids of documents that may change or be gone by this transaction: what repeats them must be at hand."""
        values = {document.identity: document.sha1 for document in documents}
        known = [kept for kept in self._kept.values() if not kept.is_duplicate]
        on_pages = {kept.id for found in self._on_page.values() for kept in found if kept.identity not in values}
        changing = {kept.id for kept in known if values.get(kept.identity, kept.sha1) != kept.sha1}
        return sorted(on_pages | changing)

    def _load(self, condition: str, values: list[bytes]) -> list[Kept]:
        found = []
        for row in rows_in(self._cursor, SELECT + condition, [self._crawler_id], values):
            kept = Kept(row[0], bytes(row[1]), bytes(row[2]), bytes(row[3]), row[4], row[5], row[6])
            found.append(self._kept.setdefault(kept.identity, kept))
        return found

    def put(self, row: UrlRow, outcome: Outcome, *, room: int | None) -> DocumentCounts:
        """Keep the documents of a page; `room` is how many more the runner may have, None for any number."""
        counts = [0, 0, 0, 0]
        for document in outcome.documents:
            if room is not None and sum(counts[:3]) >= room:
                break
            counts[self._put_one(row, document)] += 1
        if outcome.page.is_unchanged:
            self._see_again(row.key, counts)
        elif not outcome.page.sentence:
            self._mark_gone(row.key, {document.identity for document in outcome.documents})
        return DocumentCounts(*counts)

    def _see_again(self, page_key: bytes, counts: list[int]) -> None:
        """The page has not changed, so its documents have not either."""
        for kept in self._on_page.get(page_key, ()):
            if kept.page_key == page_key and kept.gone_at is None:
                kept.is_seen = True
                counts[3 if kept.is_duplicate else 2] += 1

    def page_gone(self, row: UrlRow, outcome: Outcome) -> None:
        """The page is no more (404, 410), so its documents are not either."""
        if outcome.page.is_gone and not self._is_first_run:
            for kept in self._load("page_key IN {}", [row.key]):
                self._on_page.setdefault(row.key, []).append(kept)
            self._load("duplicate_of_id IN {}", [kept.id for kept in self._on_page.get(row.key, ())])
            self._mark_gone(row.key, set())

    def _put_one(self, row: UrlRow, document: Document) -> int:
        known = self._kept.get(document.identity)
        if known is None:
            return self._put_new(row, document)
        known.is_seen, known.page_key = True, row.key
        if known.sha1 == document.sha1 and known.gone_at is None:
            return 3 if known.is_duplicate else 2
        is_changed = known.sha1 != document.sha1
        if is_changed:
            self._stop_standing(known)
            known.sha1 = document.sha1
            known.version += 1
            self._versions.append((known, document))
        known.gone_at = None
        self._find_original(known)
        self._note(known)
        return 3 if known.is_duplicate else 1 if is_changed else 2

    def _put_new(self, row: UrlRow, document: Document) -> int:
        kept = Kept(0, document.identity, row.key, document.sha1, 1, None, url=row.url, is_seen=True)
        self._kept[document.identity] = kept
        self._find_original(kept)
        self._note(kept)
        self._versions.append((kept, document))
        return 3 if kept.is_duplicate else 0

    def _find_original(self, kept: Kept) -> None:
        """It repeats the first with its values, unless that is on the same page: a page may list equal things."""
        original = self._first_with.setdefault(kept.sha1, kept)
        kept.point_to(original if original is not kept and original.page_key != kept.page_key else None)

    def _stop_standing(self, kept: Kept) -> None:
        """It loses the values it had: the oldest that repeated it stands for them, and the others repeat that."""
        if self._first_with.get(kept.sha1) is kept:
            del self._first_with[kept.sha1]
        heirs = [other for other in self._kept.values() if other.repeats(kept) and other.gone_at is None]
        heirs.sort(key=lambda heir: heir.id or float("inf"))
        for heir in heirs:
            heir.point_to(heirs[0] if heir is not heirs[0] else None)
        if heirs:
            self._first_with[kept.sha1] = heirs[0]
            self._note(heirs[0])

    def _note(self, kept: Kept) -> None:
        """Whoever follows the documents will be told of this one, in the order of these calls."""
        self._news += 1
        kept.sequence = self._news

    def _mark_gone(self, page_key: bytes, present: set[bytes]) -> None:
        for kept in self._on_page.get(page_key, ()):
            if kept.identity not in present and kept.page_key == page_key and kept.gone_at is None:
                self._stop_standing(kept)
                kept.gone_at = self._at
                kept.is_seen = True
                self._note(kept)

    # --- writing

    def save(self) -> None:
        first = take_sequence(self._cursor, self._project_id, self._news)
        known = [kept for kept in self._kept.values() if kept.id]
        self._insert([kept for kept in self._kept.values() if not kept.id], first)
        self._update([kept for kept in known if kept.is_seen])
        self._cursor.executemany(
            "UPDATE documents_document SET sequence = %s WHERE id = %s",
            [[first + kept.sequence, kept.id] for kept in known if kept.sequence],
        )
        self._cursor.executemany(
            "UPDATE documents_document SET duplicate_of_id = %s WHERE id = %s",
            [[kept.copy_of and kept.copy_of.id, kept.id] for kept in self._kept.values() if kept.is_repointed],
        )
        self._write_versions()

    def _insert(self, new: list[Kept], first: int) -> None:
        rows = [
            [
                *(self._project_id, self._crawler_id, kept.identity, kept.page_key, kept.url, kept.sha1, kept.version),
                *(first + kept.sequence, None, kept.gone_at, self._at, self._at, self._runner_id),
            ]
            for kept in new
        ]
        insert_many(self._cursor, "documents_document", INSERT, rows)
        statement = "SELECT identity, id FROM documents_document WHERE crawler_id = %s AND identity IN {}"
        identities = [kept.identity for kept in new]
        ids = {bytes(key): found for key, found in rows_in(self._cursor, statement, [self._crawler_id], identities)}
        for kept in new:
            kept.id = ids[kept.identity]

    def _update(self, seen: list[Kept]) -> None:
        self._cursor.executemany(
            "UPDATE documents_document SET page_key = %s, sha1 = %s, version_number = %s, gone_at = %s,"
            " last_seen_at = %s, last_runner_id = %s WHERE id = %s",
            [
                [kept.page_key, kept.sha1, kept.version, kept.gone_at, self._at, self._runner_id, kept.id]
                for kept in seen
            ],
        )

    def _write_versions(self) -> None:
        last = {kept.identity: place for place, (kept, _) in enumerate(self._versions)}
        older = [[kept.id] for kept, _ in self._versions if kept.version > 1]
        self._cursor.executemany(
            "UPDATE documents_documentversion SET is_current = false WHERE document_id = %s AND is_current", older
        )
        rows = []
        remaining = {kept.identity: kept.version for kept, _ in self._versions}
        counts: dict[bytes, int] = {}
        for kept, _ in self._versions:
            counts[kept.identity] = counts.get(kept.identity, 0) + 1
        for place, (kept, document) in enumerate(self._versions):
            counts[kept.identity] -= 1
            number = remaining[kept.identity] - counts[kept.identity]
            is_current = last[kept.identity] == place
            rows.append(
                [kept.id, self._runner_id, number, is_current, to_json(dict(document.values)), document.sha1, self._at]
            )
        insert_many(self._cursor, "documents_documentversion", VERSION, rows)
