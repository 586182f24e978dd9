"""Documents of a crawler: which are new, changed, unchanged, repeated or gone; their versions, their sequence."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace

from django.db.backends.utils import CursorWrapper

from backend.apps.runners.crawl_store.document_writes import Changes, Kept, write_changes
from backend.apps.runners.crawl_store.letters import Letter, Row, letter_to
from backend.apps.runners.crawl_store.listings import LISTED_ON, Listings
from backend.apps.runners.crawl_store.sql import as_datetime, is_postgres
from backend.apps.runners.crawl_store.urls import UrlRow
from crawler_node.contracts import Document, Outcome
from crawler_node.frontier.documents import CLASHING, Clash, DocumentCounts

SELECT = (
    "SELECT id, identity, page_key, url, sha1, version_number, duplicate_of_id, gone_at, first_runner_id,"
    " last_runner_id FROM documents_document WHERE crawler_id = %s AND "
)
# Of equal documents only those that stand for the others, however many there are: they have an index of their own.
STANDING = "duplicate_of_id IS NULL AND gone_at IS NULL AND sha1 IN {}"


class DocumentDesk:
    """The documents that one transaction touches. `is_first_run` spares the look for what is gone.

    Several runs of a crawler may go on at once, each under the lock of its own state: from the first look at documents
    to the end of the transaction nobody else looks at those of this crawler, so what was not there is still not there.
    """

    def __init__(
        self,
        cursor: CursorWrapper,
        *,
        crawler_id: int,
        project_id: int,
        runner_id: int,
        is_first_run: bool,
    ) -> None:
        self._cursor = cursor
        self._crawler_id = crawler_id
        self._project_id = project_id
        self._runner_id = runner_id
        self._at: object = None
        self._is_first_run = is_first_run
        self._kept: dict[bytes, Kept] = {}
        self._first_with: dict[bytes, Kept] = {}
        self._on_page: dict[bytes, list[Kept]] = {}
        self._listings = Listings()
        self.clash: Clash | None = None
        self._versions: list[tuple[Kept, Document]] = []
        self._gaps: list[tuple[int, int, int]] = []
        self._found_late: list[int] = []
        self._news = 0
        self._has_turn = False

    def take_turn(self) -> None:
        """Wait until nobody else works on documents of this crawler; `ask` does it where it has anything to ask."""
        with letter_to(self._cursor) as letter:
            self._ask_for_turn(letter)

    def _ask_for_turn(self, letter: Letter) -> None:
        if is_postgres() and not self._has_turn:  # on SQLite there is but one writer
            name = f"documents of crawler {self._crawler_id}"
            letter.ask("SELECT pg_advisory_xact_lock(hashtextextended(%s, 0))", [name])
        self._has_turn = True

    def load(self, outcomes: Sequence[Outcome], *, now: float) -> None:
        with letter_to(self._cursor) as letter:
            self.ask(letter, outcomes)
        self.read(outcomes, now=now)

    def ask(self, letter: Letter, outcomes: Sequence[Outcome]) -> None:
        """Ask for what these outcomes may touch; `read` comes when the letter is answered."""
        documents = [document for outcome in outcomes for document in outcome.documents]
        pages = [] if self._is_first_run else sorted({outcome.lease.key for outcome in outcomes})
        if documents or pages:
            self._ask_for_turn(letter)
        self._asked = (
            self._ask(letter, "identity IN {}", sorted(_names_of(documents))),
            self._ask(letter, STANDING, sorted({document.sha1 for document in documents})),
        )
        self._asked_pages = self._ask_pages(letter, pages)

    def read(self, outcomes: Sequence[Outcome], *, now: float) -> None:
        """What was asked for; of these outcomes, which happen now."""
        self._at = as_datetime(now)
        by_identity, by_values = self._asked
        self._keep(by_identity)
        for kept in self._keep(by_values):
            first = self._first_with.setdefault(kept.sha1, kept)
            if kept.id < first.id:
                self._first_with[kept.sha1] = kept
        self._read_pages({outcome.lease.key for outcome in outcomes}, self._asked_pages)
        self._load("duplicate_of_id IN {}", self._may_stop_standing(outcomes))

    def _ask_pages(self, letter: Letter, pages: Sequence[bytes]) -> tuple[list[Row], ...]:
        """What these pages stand for, what they list beside, and all pages that list it."""
        by_page, listed = self._ask(letter, "page_key IN {}", pages), self._ask(letter, LISTED_ON, pages)
        return by_page, listed, self._listings.ask(letter, pages)

    def _read_pages(self, pages: set[bytes], answers: tuple[list[Row], ...]) -> None:
        by_page, listed, listings = answers
        on_pages = {kept.identity: kept for kept in (*self._keep(by_page), *self._keep(listed))}.values()
        self._listings.read(listings, list(on_pages))
        for kept in on_pages:
            for page_key in self._listings.pages_of(kept) & pages:
                self._on_page.setdefault(page_key, []).append(kept)

    def _may_stop_standing(self, outcomes: Sequence[Outcome]) -> list[int]:
        """Ids of documents that may change or be gone by this transaction: what repeats them must be at hand.

        It may find one more than once: with other values, or on one page of it and not on another.
        """
        listed: dict[bytes, set[bytes]] = {}
        values: dict[bytes, set[bytes]] = {}
        for outcome in outcomes:
            for document in map(self._as_known, outcome.documents):
                listed.setdefault(outcome.lease.key, set()).add(document.identity)
                values.setdefault(document.identity, set()).add(document.sha1)
        known = [kept for kept in self._kept.values() if not kept.is_duplicate]
        leaving = {
            kept.id
            for page_key, found in self._on_page.items()
            for kept in found
            if kept.identity not in listed.get(page_key, ())
        }
        changing = {kept.id for kept in known if values.get(kept.identity, set()) - {kept.sha1}}
        return sorted(leaving | changing)

    def _load(self, condition: str, values: Sequence[bytes | int]) -> list[Kept]:
        if not values:
            return []
        with letter_to(self._cursor) as letter:
            self._ask_for_turn(letter)
            rows = self._ask(letter, condition, values)
        return self._keep(rows)

    def _ask(self, letter: Letter, condition: str, values: Sequence[bytes | int]) -> list[Row]:
        return letter.ask_in(SELECT + condition, [self._crawler_id], values)

    def _keep(self, rows: Sequence[Row]) -> list[Kept]:
        found = [Kept(row[0], bytes(row[1]), bytes(row[2]), row[3], bytes(row[4]), *row[5:]) for row in rows]
        return [self._kept.setdefault(kept.identity, kept) for kept in found]

    def put(
        self, row: UrlRow, outcome: Outcome, *, room: int | None, without: Collection[bytes] = ()
    ) -> DocumentCounts:
        """Keep the documents of a page; `room` is how many more the runner may have, None for any number.

        Those `without` (by identity) are on the page, too, but are left as they are.
        """
        counts = [0, 0, 0, 0, 0]
        met: set[bytes] = set()
        documents = [self._as_known(document) for document in outcome.documents]
        for document in documents:
            if document.identity in without:
                continue
            if room is not None and sum(counts[:3]) >= room:
                break
            counts[self._put_one(row, document, is_repeated=document.identity in met)] += 1
            met.add(document.identity)
        if outcome.page.is_unchanged:
            self._see_again(row, counts, room=room)
        else:
            self._mark_gone(row.key, {document.identity for document in documents})
        return DocumentCounts.of(counts)

    def _as_known(self, document: Document) -> Document:
        """Under the name it has here: documents of before pages were told by their canonical form keep theirs."""
        is_former = document.former in self._kept and document.identity not in self._kept
        return replace(document, identity=document.former) if is_former else document

    def _see_again(self, row: UrlRow, counts: list[int], *, room: int | None) -> None:
        """The page has not changed, so its documents have not either."""
        for kept in self._on_page.get(row.key, ()):
            if room is not None and sum(counts[:3]) >= room:
                return
            if row.key in self._listings.pages_of(kept) and kept.gone_at is None:
                self._meet(kept, row)
                counts[3 if kept.is_duplicate else 2] += 1

    def page_gone(self, row: UrlRow, outcome: Outcome) -> None:
        """The page is no more, or has moved for good, so its documents are not there either."""
        if outcome.page.is_gone:
            self._mark_gone(row.key, set())

    def _put_one(self, row: UrlRow, document: Document, *, is_repeated: bool) -> int:
        known = self._kept.get(document.identity)
        if known is None:
            return self._put_new(row, document)
        is_led = is_repeated or self._listings.has_better_page(known, row.key, runner=self._runner_id)
        self._meet(known, row)
        if is_led:
            return self._leave_as_it_is(known, row, document)
        if known.move(row.key, row.url):
            self._note(known)
        if known.sha1 == document.sha1 and known.gone_at is None:
            return 3 if known.is_duplicate else 2
        return self._change(known, document)

    def _note_gap(self, known: Kept) -> None:
        """If it is gone, it was so from the run that last told of it to this one; a later one may have noted that."""
        last = known.last_runner if known.id else None
        if last is not None and last > self._runner_id:
            self._found_late.append(known.id)
        elif last is not None and last < self._runner_id and known.gone_at is not None:
            self._gaps.append((known.id, last, self._runner_id))

    def _change(self, known: Kept, document: Document) -> int:
        """It has other values, or is back."""
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

    def _leave_as_it_is(self, known: Kept, row: UrlRow, document: Document) -> int:
        """Another page stands for it: what this one says of it does not count."""
        if known.sha1 == document.sha1:
            return 3 if known.is_duplicate else 2
        self.clash = self.clash or Clash(known.url, row.url)
        return CLASHING

    def _meet(self, kept: Kept, row: UrlRow) -> None:
        self._note_gap(kept)
        self._listings.meet(kept, row.key, row.url, runner=self._runner_id)
        kept.see(self._runner_id)

    def _put_new(self, row: UrlRow, document: Document) -> int:
        run = self._runner_id
        kept = Kept(0, document.identity, row.key, row.url, document.sha1, 1, None, None, run, run, is_seen=True)
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
        """It loses the values it had: the oldest that repeated it stands for them; on other pages they repeat that."""
        if self._first_with.get(kept.sha1) is kept:
            del self._first_with[kept.sha1]
        heirs = [other for other in self._kept.values() if other.repeats(kept) and other.gone_at is None]
        heirs.sort(key=lambda heir: heir.id or float("inf"))
        for heir in heirs:
            is_copy = heir.page_key != heirs[0].page_key
            heir.point_to(heirs[0] if is_copy else None)
            if not is_copy:
                self._note(heir)
        if heirs:
            self._first_with[kept.sha1] = heirs[0]

    def _note(self, kept: Kept) -> None:
        """Whoever follows the documents will be told of this one, in the order of these calls."""
        self._news += 1
        kept.sequence = self._news

    def _mark_gone(self, page_key: bytes, present: set[bytes]) -> None:
        """What the page lists no longer has another page that lists it, or is gone."""
        for kept in self._on_page.get(page_key, ()):
            if kept.identity in present:
                continue
            self._listings.leave(kept, page_key)
            if kept.page_key == page_key and kept.gone_at is None:
                self._lose_page(kept)

    def _lose_page(self, kept: Kept) -> None:
        if (heir := self._listings.find_heir(kept)) is not None:
            kept.move(*heir)
        else:
            self._stop_standing(kept)
            kept.gone_at = self._at
            kept.see(self._runner_id)
        self._note(kept)

    def save(self, letter: Letter | None = None) -> None:
        """Write what changed: with the letter, or at once."""
        changes = Changes(
            crawler_id=self._crawler_id,
            project_id=self._project_id,
            runner_id=self._runner_id,
            at=self._at,
            documents=list(self._kept.values()),
            versions=self._versions,
            news=self._news,
            listed=list(self._listings.changed(self._kept)),
            unlisted=self._listings.removed,
            gaps=self._gaps,
            found_late=self._found_late,
        )
        if letter is not None:
            write_changes(letter, changes)
            return
        with letter_to(self._cursor) as own:
            write_changes(own, changes)


def _names_of(documents: Iterable[Document]) -> set[bytes]:
    return {name for document in documents for name in (document.identity, document.former) if name}
