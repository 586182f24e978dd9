"""Documents as a transaction leaves them, written with few statements."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from django.db.backends.utils import CursorWrapper

from backend.apps.documents.sequences import TAKE, take_sequence
from backend.apps.runners.crawl_store.letters import Letter, values_table
from backend.apps.runners.crawl_store.sql import insert_many, is_postgres, rows_in, to_json
from crawler_node.contracts import Document

INSERT = (
    *("project_id", "crawler_id", "identity", "page_key", "url", "sha1", "version_number", "sequence"),
    *("duplicate_of_id", "gone_at", "first_seen_at", "last_seen_at", "first_runner_id", "last_runner_id"),
)
VERSION = ("document_id", "runner_id", "number", "is_current", "fields", "sha1", "extracted_at")
MOVED = {"page_key": "bytea", "url": "text"}
SEEN = {
    "sha1": "bytea",
    "version_number": "int",
    "gone_at": "timestamptz",
    "last_seen_at": "timestamptz",
    "first_runner_id": "bigint",
    "last_runner_id": "bigint",
}
LISTING = ("document_id", "page_key", "url", "runner_id")
LIST_AGAIN = " ON CONFLICT (document_id, page_key) DO UPDATE SET url = excluded.url, runner_id = excluded.runner_id"
GAP = ("document_id", "gone_runner_id", "back_runner_id")
END_GAP = (
    "UPDATE documents_documentgap SET back_runner_id = %s WHERE gone_runner_id <= %s AND back_runner_id > %s"
    " AND document_id IN {}"
)
NO_LONGER_LISTED = "DELETE FROM documents_documentpage WHERE document_id = %s AND page_key = %s"
NO_LONGER_CURRENT = "UPDATE documents_documentversion SET is_current = false WHERE is_current AND document_id IN {}"


@dataclass(slots=True)
class Kept:
    """A document as it stands; `id` 0: not written yet. `sequence` 0: nothing about it is news.

    It repeats the document `duplicate_of` (by id, as it was read) or `copy_of` (as this transaction found out).
    """

    id: int
    identity: bytes
    page_key: bytes
    url: str
    sha1: bytes
    version: int
    duplicate_of: int | None
    gone_at: object = None
    first_runner: int | None = None
    last_runner: int | None = None
    copy_of: "Kept | None" = None
    sequence: int = 0
    is_seen: bool = False
    is_moved: bool = False
    is_repointed: bool = False

    def see(self, runner_id: int) -> None:
        """A run has found it, or found that it is gone; of runs at once it remembers the first and the last."""
        self.is_seen = True
        self.first_runner = self.first_runner and min(self.first_runner, runner_id)
        self.last_runner = max(self.last_runner or 0, runner_id)

    def move(self, page_key: bytes, url: str) -> bool:
        """From now on this page stands for it; False when it did so before, under this address."""
        is_other = (page_key, url) != (self.page_key, self.url)
        self.page_key, self.url, self.is_moved = page_key, url, self.is_moved or is_other
        return is_other

    @property
    def is_duplicate(self) -> bool:
        return self.duplicate_of is not None or self.copy_of is not None

    def repeats(self, other: "Kept") -> bool:
        return self.copy_of is other or (bool(other.id) and self.duplicate_of == other.id)

    def point_to(self, original: "Kept | None") -> None:
        """From now on it repeats this one, or none."""
        if original is not None or self.is_duplicate:
            self.copy_of, self.duplicate_of, self.is_repointed = original, None, True


class Listed(NamedTuple):
    """A page lists a document that others list, too; the last run that found it there."""

    kept: Kept
    page_key: bytes
    url: str
    runner: int


@dataclass(frozen=True, slots=True)
class Changes:
    """What is to be written: `news` of the documents have a place in the sequence, `versions` are new.

    `listed` are pages on which documents are, `unlisted` the ids of documents with pages on which they are no longer.
    `gaps` are ids of documents that are back, with the run that found them gone and this one;
    those `found_late` were found by a later run before.
    """

    crawler_id: int
    project_id: int
    runner_id: int
    at: Any
    documents: Sequence[Kept]
    versions: Sequence[tuple[Kept, Document]]
    news: int
    listed: Sequence[Listed] = ()
    unlisted: Sequence[tuple[int, bytes]] = ()
    gaps: Sequence[tuple[int, int, int]] = ()
    found_late: Sequence[int] = ()

    @property
    def new(self) -> list[Kept]:
        return [kept for kept in self.documents if not kept.id]

    @property
    def seen(self) -> list[list[Any]]:
        """Values of `SEEN` and the id, of those that were known."""
        return [
            [
                *(kept.sha1, kept.version, kept.gone_at, self.at),
                *(kept.first_runner, kept.last_runner, kept.id),
            ]
            for kept in self.documents
            if kept.id and kept.is_seen
        ]

    @property
    def moved(self) -> list[list[Any]]:
        """Values of `MOVED` and the id, of those that were known."""
        return [[kept.page_key, kept.url, kept.id] for kept in self.documents if kept.id and kept.is_moved]

    @property
    def outdated(self) -> list[int]:
        return sorted({kept.id for kept, _ in self.versions if kept.version > 1 and kept.id})

    def numbered(self) -> list[tuple[Kept, list[Any]]]:
        """The new versions with their values of `VERSION`, all but the document's id."""
        left = Counter(kept.identity for kept, _ in self.versions)
        rows = []
        for kept, document in self.versions:
            left[kept.identity] -= 1
            behind = left[kept.identity]
            values = to_json(dict(document.values))
            row = [self.runner_id, kept.version - behind, behind == 0, values, document.sha1, self.at]
            rows.append((kept, row))
        return rows


def write_changes(letter: Letter, changes: Changes) -> None:
    if is_postgres():
        _Together(letter, changes).write()
    else:
        _OneByOne(letter.cursor, changes).write()


class _Together:
    """For PostgreSQL: ids and sequence numbers never leave the server, so all of it fits into one letter."""

    def __init__(self, letter: Letter, changes: Changes) -> None:
        self._letter = letter
        self._changes = changes

    def write(self) -> None:
        changes = self._changes
        if changes.news:
            self._letter.ask(TAKE, [changes.project_id, changes.news])
        self._insert()
        self._letter.update("documents_document", SEEN, changes.seen)
        self._letter.update("documents_document", MOVED, changes.moved)
        self._number()
        self._repoint()
        self._write_versions()
        self._write_listings()
        self._letter.ask_in(END_GAP, [changes.runner_id] * 3, changes.found_late)
        self._letter.insert("documents_documentgap", GAP, changes.gaps)

    def _insert(self) -> None:
        changes = self._changes
        rows = [
            [kept.identity, kept.page_key, kept.url, kept.sha1, kept.version, kept.sequence, kept.gone_at]
            for kept in changes.new
        ]
        if not rows:
            return
        names = ["identity", "page_key", "url", "sha1", "version", "place", "gone_at"]
        source, parameters = values_table(names, rows)
        self._letter.ask(
            f"INSERT INTO documents_document ({', '.join(INSERT)})"  # noqa: S608
            " SELECT %s, %s, v.identity, v.page_key, v.url, v.sha1, v.version, s.last - %s + v.place, NULL,"
            f" v.gone_at::timestamptz, %s, %s, %s, %s FROM {source}, documents_documentsequence s"
            " WHERE s.project_id = %s",
            [
                *(changes.project_id, changes.crawler_id, changes.news, changes.at, changes.at),
                *(changes.runner_id, changes.runner_id),
                *parameters,
                changes.project_id,
            ],
        )

    def _number(self) -> None:
        changes = self._changes
        rows = [[kept.id, kept.sequence] for kept in changes.documents if kept.id and kept.sequence]
        if rows:
            source, parameters = values_table(["id", "place"], rows)
            self._letter.ask(
                f"UPDATE documents_document AS t SET sequence = s.last - %s + v.place FROM {source},"  # noqa: S608
                " documents_documentsequence s WHERE t.id = v.id AND s.project_id = %s",
                [changes.news, *parameters, changes.project_id],
            )

    def _repoint(self) -> None:
        changes = self._changes
        rows = [
            [kept.identity, kept.copy_of and kept.copy_of.identity] for kept in changes.documents if kept.is_repointed
        ]
        if rows:
            source, parameters = values_table(["identity", "original"], rows)
            self._letter.ask(
                "UPDATE documents_document AS t SET duplicate_of_id = (SELECT o.id FROM documents_document o"  # noqa: S608
                f" WHERE o.crawler_id = t.crawler_id AND o.identity = v.original::bytea) FROM {source}"
                " WHERE t.crawler_id = %s AND t.identity = v.identity",
                [*parameters, changes.crawler_id],
            )

    def _write_versions(self) -> None:
        changes = self._changes
        self._letter.ask_in(NO_LONGER_CURRENT, [], changes.outdated)
        rows = [[kept.identity, *row] for kept, row in changes.numbered()]
        if rows:
            names = ["identity", *VERSION[1:]]
            source, parameters = values_table(names, rows)
            self._letter.ask(
                f"INSERT INTO documents_documentversion ({', '.join(VERSION)})"  # noqa: S608
                " SELECT d.id, v.runner_id, v.number, v.is_current, v.fields::jsonb, v.sha1, v.extracted_at"
                f" FROM {source} JOIN documents_document d ON d.crawler_id = %s AND d.identity = v.identity",
                [*parameters, changes.crawler_id],
            )

    def _write_listings(self) -> None:
        changes = self._changes
        for removed in changes.unlisted:
            self._letter.ask(NO_LONGER_LISTED, removed)
        rows = [[listed.kept.identity, *listed[1:]] for listed in changes.listed]
        if rows:
            source, parameters = values_table(["identity", *LISTING[1:]], rows)
            self._letter.ask(
                f"INSERT INTO documents_documentpage ({', '.join(LISTING)})"  # noqa: S608
                f" SELECT d.id, v.page_key, v.url, v.runner_id FROM {source}"
                f" JOIN documents_document d ON d.crawler_id = %s AND d.identity = v.identity{LIST_AGAIN}",
                [*parameters, changes.crawler_id],
            )


class _OneByOne:
    """For SQLite, which tells ids and numbers without a way."""

    def __init__(self, cursor: CursorWrapper, changes: Changes) -> None:
        self._cursor = cursor
        self._changes = changes

    def write(self) -> None:
        changes = self._changes
        known = [kept for kept in changes.documents if kept.id]
        seen, moved, outdated = changes.seen, changes.moved, changes.outdated
        first = take_sequence(self._cursor, changes.project_id, changes.news)
        self._insert(changes.new, first)
        for columns, values in ((SEEN, seen), (MOVED, moved)):
            settings = ", ".join(f"{name} = %s" for name in columns)
            self._cursor.executemany(f"UPDATE documents_document SET {settings} WHERE id = %s", values)  # noqa: S608
        self._cursor.executemany(
            "UPDATE documents_document SET sequence = %s WHERE id = %s",
            [[first + kept.sequence, kept.id] for kept in known if kept.sequence],
        )
        self._cursor.executemany(
            "UPDATE documents_document SET duplicate_of_id = %s WHERE id = %s",
            [[kept.copy_of and kept.copy_of.id, kept.id] for kept in changes.documents if kept.is_repointed],
        )
        list(rows_in(self._cursor, NO_LONGER_CURRENT, [], outdated))
        rows = [[kept.id, *row] for kept, row in changes.numbered()]
        insert_many(self._cursor, "documents_documentversion", VERSION, rows)
        self._cursor.executemany(NO_LONGER_LISTED, changes.unlisted)
        listed = [[each.kept.id, *each[1:]] for each in changes.listed]
        insert_many(self._cursor, "documents_documentpage", LISTING, listed, ending=LIST_AGAIN)
        list(rows_in(self._cursor, END_GAP, [changes.runner_id] * 3, changes.found_late))
        insert_many(self._cursor, "documents_documentgap", GAP, changes.gaps)

    def _insert(self, new: list[Kept], first: int) -> None:
        changes = self._changes
        rows = [
            [
                *(changes.project_id, changes.crawler_id, kept.identity, kept.page_key, kept.url, kept.sha1),
                *(kept.version, first + kept.sequence, None, kept.gone_at, changes.at, changes.at),
                *(changes.runner_id, changes.runner_id),
            ]
            for kept in new
        ]
        insert_many(self._cursor, "documents_document", INSERT, rows)
        statement = "SELECT identity, id FROM documents_document WHERE crawler_id = %s AND identity IN {}"
        identities = [kept.identity for kept in new]
        ids = {bytes(key): found for key, found in rows_in(self._cursor, statement, [changes.crawler_id], identities)}
        for kept in new:
            kept.id = ids[kept.identity]
