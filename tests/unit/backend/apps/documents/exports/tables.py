"""Sources for the formats' tests: columns and rows without a database."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from backend.apps.documents.exports import Column
from crawler_node.extract.spec import FieldType


class Table:
    """A source whose rows are made when they are asked for."""

    def __init__(self, columns: Sequence[Column], rows: Callable[[], Iterable[dict[str, Any]]]) -> None:
        self.columns = columns
        self._rows = rows

    def rows(self) -> Iterator[dict[str, Any]]:
        yield from self._rows()


def table(columns: Sequence[Column], *rows: dict[str, Any]) -> Table:
    return Table(columns, lambda: rows)


NAME = Column("name")
PRICE = Column("price", FieldType.PRICE)
COUNT = Column("count", FieldType.NUMBER)
TAGS = Column("tags", multiple=True)
OFFERS = Column("offers", FieldType.PRICE, multiple=True)
URL = Column("url")
ALL = [NAME, PRICE, COUNT, TAGS, OFFERS, URL]

FULL_ROW: dict[str, Any] = {
    "name": "SSD “fast” 🚀\nsecond line",
    "price": {"amount": 12.5, "currency": "EUR"},
    "count": -3,
    "tags": ["a", "b,c"],
    "offers": [{"amount": 1, "currency": "USD"}, {"amount": 2.5, "currency": ""}],
    "url": "http://shop.example/1",
}
EMPTY_ROW: dict[str, Any] = {"name": None, "url": "http://shop.example/2"}
# Documents that are older than the present type of their inspectors.
OLD_ROW: dict[str, Any] = {
    "name": {"amount": 7, "currency": "EUR"},
    "price": "on request",
    "count": {"amount": 4, "currency": "EUR"},
    "tags": "alone",
    "offers": 9,
    "url": "http://shop.example/3",
}
