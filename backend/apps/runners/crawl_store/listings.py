"""Which pages list a document that is on several of them, and which of these stands for it.

A document with key fields may be on any number of pages. The first that a run finds it on is its own page: its values
and its address count. That page stays its own while it lists the document from run to run; when it does no longer,
another page takes its place that listed the document as lately. Only without such a page it is gone.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from backend.apps.runners.crawl_store.document_writes import Kept, Listed
from backend.apps.runners.crawl_store.letters import Letter, Row

# Of every document that is listed on one of the pages, all pages.
SELECT = (
    "SELECT document_id, page_key, url, runner_id FROM documents_documentpage WHERE document_id IN"
    " (SELECT document_id FROM documents_documentpage WHERE page_key IN {})"
)
LISTED_ON = "id IN (SELECT document_id FROM documents_documentpage WHERE page_key IN {})"


@dataclass(slots=True)
class Listing:
    """A page on which a run, the last to look, found a document."""

    url: str
    runner: int
    is_changed: bool = False


class Listings:
    """The pages of documents on several pages, as one transaction knows and changes them."""

    def __init__(self) -> None:
        self._pages: dict[bytes, dict[bytes, Listing]] = {}
        self._removed: list[tuple[int, bytes]] = []

    def ask(self, letter: Letter, pages: Sequence[bytes]) -> list[Row]:
        """The rows for `read`."""
        return letter.ask_in(SELECT, [], pages)

    def read(self, rows: Sequence[Row], documents: Sequence[Kept]) -> None:
        by_id = {kept.id: kept.identity for kept in documents}
        for document, page_key, url, runner in rows:
            if document in by_id:
                known = self._pages.setdefault(by_id[document], {})
                known.setdefault(bytes(page_key), Listing(url, runner))

    def has_better_page(self, kept: Kept, page_key: bytes, *, runner: int) -> bool:
        """Whether another page stands for a document that this page lists: of this run, or the one it had before."""
        if kept.page_key == page_key or kept.gone_at is not None:
            return False
        pages = self._pages.get(kept.identity, {})
        own = pages.get(kept.page_key)
        is_faithful = page_key in pages and own is not None and own.runner >= (kept.last_runner or 0)
        return kept.last_runner == runner or is_faithful

    def meet(self, kept: Kept, page_key: bytes, url: str, *, runner: int) -> None:
        """This page lists the document in this run. A document on one page only needs no list."""
        pages = self._pages.get(kept.identity)
        if pages is None:
            if kept.page_key == page_key or kept.gone_at is not None:
                return
            own = Listing(kept.url, kept.last_runner or 0, is_changed=True)
            pages = self._pages[kept.identity] = {kept.page_key: own}
        known = pages.get(page_key)
        last = max(runner, known.runner) if known is not None else runner
        pages[page_key] = Listing(url, last, is_changed=True)

    def leave(self, kept: Kept, page_key: bytes) -> None:
        """This page lists the document no longer."""
        if self._pages.get(kept.identity, {}).pop(page_key, None) is not None and kept.id:
            self._removed.append((kept.id, page_key))

    def find_heir(self, kept: Kept) -> tuple[bytes, str] | None:
        """Another page, and its address, that listed the document in the last run that found it; the newest."""
        others = [
            (listing.runner, page_key, listing.url)
            for page_key, listing in self._pages.get(kept.identity, {}).items()
            if page_key != kept.page_key and listing.runner >= (kept.last_runner or 0)
        ]
        return max(others)[1:] if others else None

    def pages_of(self, kept: Kept) -> set[bytes]:
        """The pages that list a document, as far as is known: its own at least."""
        return {kept.page_key, *self._pages.get(kept.identity, ())}

    def changed(self, documents: Mapping[bytes, Kept]) -> Iterator[Listed]:
        """What is to be written; the documents are by identity."""
        for identity, pages in self._pages.items():
            for page_key, listing in pages.items():
                if listing.is_changed:
                    yield Listed(documents[identity], page_key, listing.url, listing.runner)

    @property
    def removed(self) -> list[tuple[int, bytes]]:
        """Documents, by id, with the pages that list them no longer."""
        return self._removed
