"""A whole result as a file: every hit, best first, read while it is sent."""

from collections.abc import Iterator, Sequence
from typing import Any

from backend.apps.documents.exports import Column
from backend.apps.documents.exports.columns import free_name
from backend.apps.indexers import standard_fields as standard
from backend.apps.indexers.column_plans import ColumnKind
from backend.apps.search.asked import Asked
from backend.apps.search.asking import MAX_GROUP_WINDOW, engine_errors, hides_duplicates, leaders_of
from backend.apps.search.corrections import understand
from backend.apps.search.presenting import value_of
from backend.apps.search.served import Served
from backend.apps.search.wishes import SearchWish
from backend.search_engine.search import Hit
from crawler_node.extract.spec import FieldType

TYPES = {
    ColumnKind.PRICE: FieldType.PRICE,
    ColumnKind.NUMBER: FieldType.NUMBER,
    ColumnKind.DATE: FieldType.DATE,
    ColumnKind.LINK: FieldType.LINK,
    ColumnKind.IMAGE: FieldType.IMAGE,
    ColumnKind.TEXT: FieldType.TEXT,
}


class ResultSource:
    """The rows of an export. The search runs at once, so that what cannot be asked is refused before anything is sent.

    All rows are of one generation of the index, however long the sending takes.
    """

    def __init__(self, served: Served, wish: SearchWish) -> None:
        self._served = served
        taken = [each.name for each in served.columns]
        self._own = {name: free_name(name, taken) for name in ("rank", "score", "url")}
        values = [Column(each.name, self._type_of(each)) for each in served.columns]
        self.columns: Sequence[Column] = [
            Column(self._own["rank"], FieldType.NUMBER),
            Column(self._own["score"], FieldType.NUMBER),
            *values,
            Column(self._own["url"], FieldType.LINK),
        ]
        self._hits = self._search(wish)

    def __len__(self) -> int:
        return len(self._hits)

    def rows(self) -> Iterator[dict[str, Any]]:
        for rank, hit in enumerate(self._hits, start=1):
            stored = hit.fields
            values = {each.name: value_of(each, stored) for each in self._served.columns}
            address = stored.get(standard.URL) or [None]
            own = {"rank": rank, "score": hit.score, "url": address[0]}
            yield values | {self._own[name]: value for name, value in own.items()}

    def _search(self, wish: SearchWish) -> list[Hit]:
        with engine_errors():
            index = self._served.index
            searcher, ranking = index.searcher, self._served.ranking_for(wish.tried)
            query = understand(wish, self._served, searcher, index.aids.first()).query
            every = max(1, searcher.snapshot.live_documents)
            request = Asked(self._served, searcher.snapshot.schema).request(wish, offset=0, limit=every)
            hits = searcher.search(query, ranking, request).hits
            if not hides_duplicates(self._served, searcher.snapshot, wish):
                return hits
            best = leaders_of(searcher.snapshot, hits[:MAX_GROUP_WINDOW])
            return [*(each.hit for each in best), *hits[MAX_GROUP_WINDOW:]]

    def _type_of(self, column: Any) -> FieldType:
        return FieldType.PRICE if column.currency_field else TYPES[column.kind]
