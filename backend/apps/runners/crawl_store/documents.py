"""Documents of a crawler: which are new, changed, unchanged, repeated or gone; their versions, their sequence."""

from collections.abc import Sequence

from django.db.backends.utils import CursorWrapper

from backend.apps.runners.crawl_store.document_writes import Changes, Kept, write_changes
from backend.apps.runners.crawl_store.letters import Letter, Row, letter_to
from backend.apps.runners.crawl_store.sql import as_datetime, is_postgres
from backend.apps.runners.crawl_store.urls import UrlRow
from crawler_node.contracts import Document, Outcome
from crawler_node.frontier.documents import DocumentCounts

SELECT = (
    "SELECT id, identity, page_key, sha1, version_number, duplicate_of_id, gone_at, first_runner_id, last_runner_id"
    " FROM documents_document WHERE crawler_id = %s AND "
)


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
        self._versions: list[tuple[Kept, Document]] = []
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
            self._ask(letter, "identity IN {}", sorted({document.identity for document in documents})),
            self._ask(letter, "sha1 IN {}", sorted({document.sha1 for document in documents})),
            self._ask(letter, "page_key IN {}", pages),
        )

    def read(self, outcomes: Sequence[Outcome], *, now: float) -> None:
        """What was asked for; of these outcomes, which happen now."""
        self._at = as_datetime(now)
        by_identity, by_values, by_page = self._asked
        self._keep(by_identity)
        for kept in self._keep(by_values):
            if not kept.is_duplicate and kept.gone_at is None:
                first = self._first_with.setdefault(kept.sha1, kept)
                if kept.id < first.id:
                    self._first_with[kept.sha1] = kept
        for kept in self._keep(by_page):
            self._on_page.setdefault(kept.page_key, []).append(kept)
        documents = [document for outcome in outcomes for document in outcome.documents]
        self._load("duplicate_of_id IN {}", self._may_stop_standing(documents))

    def _may_stop_standing(self, documents: Sequence[Document]) -> list[int]:
        """Ids of documents that may change or be gone by this transaction: what repeats them must be at hand."""
        values = {document.identity: document.sha1 for document in documents}
        known = [kept for kept in self._kept.values() if not kept.is_duplicate]
        on_pages = {kept.id for found in self._on_page.values() for kept in found if kept.identity not in values}
        changing = {kept.id for kept in known if values.get(kept.identity, kept.sha1) != kept.sha1}
        return sorted(on_pages | changing)

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
        found = [Kept(row[0], bytes(row[1]), bytes(row[2]), bytes(row[3]), *row[4:]) for row in rows]
        return [self._kept.setdefault(kept.identity, kept) for kept in found]

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
                kept.see(self._runner_id)
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
        known.see(self._runner_id)
        known.page_key = row.key
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
        run = self._runner_id
        kept = Kept(0, document.identity, row.key, document.sha1, 1, None, None, run, run, row.url, is_seen=True)
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
        )
        if letter is not None:
            write_changes(letter, changes)
            return
        with letter_to(self._cursor) as own:
            write_changes(own, changes)
