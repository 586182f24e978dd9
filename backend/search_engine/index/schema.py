"""What the documents of an index are made of."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from enum import StrEnum
from typing import Any, Final

from backend.search_engine.errors import SchemaError
from backend.search_engine.ranking.ranking import MAX_WEIGHT
from backend.search_engine.text import Analysis

MAX_TEXT_FIELDS: Final = 32


class FieldKind(StrEnum):
    """What a field holds and so what can be asked of it."""

    TEXT = "text"
    KEYWORD = "keyword"
    NUMBER = "number"
    DATE = "date"


@dataclass(frozen=True, slots=True)
class Field:
    """One field of a document. Text is searched, the other kinds are columns to filter, sort and count by."""

    name: str
    kind: FieldKind = FieldKind.TEXT
    analysis: Analysis = field(default_factory=Analysis)
    boost: float = 1.0
    stored: bool = True

    def __post_init__(self) -> None:
        if not self.name or self.name != self.name.strip():
            raise SchemaError("A field needs a name without spaces around it.")
        if not 0 < self.boost <= MAX_WEIGHT:
            told = f"must be more than 0 and at most {MAX_WEIGHT:,.0f}; it is {self.boost}"
            raise SchemaError(f"The boost of “{self.name}” {told}.")

    def to_json(self) -> dict[str, Any]:
        """A plain mapping, `from_json` reads it back."""
        return {
            "name": self.name,
            "kind": str(self.kind),
            "analysis": self.analysis.to_json(),
            "boost": self.boost,
            "stored": self.stored,
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> "Field":
        """The field that `to_json` wrote."""
        changed = {"kind": FieldKind(data["kind"]), "analysis": Analysis.from_json(data["analysis"])}
        return cls(**{**data, **changed})


@dataclass(frozen=True, slots=True)
class FieldGroup:
    """Text fields with one analysis. They share their terms: a term has one posting list for the whole group."""

    number: int
    analysis: Analysis
    fields: tuple[Field, ...]

    def mask(self, names: Iterable[str]) -> int:
        """The bits of the named fields in this group's postings."""
        wanted = set(names)
        return sum(1 << i for i, each in enumerate(self.fields) if each.name in wanted)


class Schema:
    """The fields of an index, in order; unknown names and wrong values are refused with a sentence."""

    def __init__(self, fields: Iterable[Field]) -> None:
        self.fields = tuple(fields)
        self._by_name = {each.name: each for each in self.fields}
        if len(self._by_name) != len(self.fields):
            raise SchemaError("Two fields have the same name; names must differ.")
        self.text_fields = tuple(each for each in self.fields if each.kind is FieldKind.TEXT)
        if not self.text_fields:
            raise SchemaError("An index needs at least one text field.")
        if len(self.text_fields) > MAX_TEXT_FIELDS:
            raise SchemaError(f"An index has at most {MAX_TEXT_FIELDS} text fields.")
        self.groups = self._grouped()
        self._checks = [(each.name, _CHECKS[each.kind], _OWN_TYPES.get(each.kind)) for each in self.fields]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Schema) and self.fields == other.fields

    def __hash__(self) -> int:
        return hash(self.fields)

    def __getitem__(self, name: str) -> Field:
        try:
            return self._by_name[name]
        except KeyError:
            known = ", ".join(self._by_name)
            raise SchemaError(f"There is no field “{name}”. The fields are {known}.") from None

    def __contains__(self, name: str) -> bool:
        return name in self._by_name

    def of_kind(self, *kinds: FieldKind) -> tuple[Field, ...]:
        """The fields of these kinds, in order."""
        return tuple(each for each in self.fields if each.kind in kinds)

    def to_json(self) -> list[dict[str, Any]]:
        """Plain values, `from_json` reads them back."""
        return [each.to_json() for each in self.fields]

    @classmethod
    def from_json(cls, data: Iterable[Mapping[str, Any]]) -> "Schema":
        """The schema that `to_json` wrote."""
        return cls(Field.from_json(each) for each in data)

    def check(self, document: Mapping[str, object]) -> dict[str, object]:
        """The document with every value brought to its field's type; a missing value is None.

        Raises SchemaError for a field that does not exist and for a value that cannot be read as its field's kind.
        """
        return dict(zip(self._by_name, self.row(document), strict=True))

    def row(self, document: Mapping[str, object]) -> list[Any]:
        """What `check` gives, as a list in the order of the fields."""
        get = document.get
        row = [
            value if type(value := get(name)) is own_type else check(name, value)
            for name, check, own_type in self._checks
        ]
        if len(document) > len(row) or not document.keys() <= self._by_name.keys():
            unknown = min(document.keys() - self._by_name.keys())
            raise SchemaError(f"There is no field “{unknown}”. The fields are {', '.join(self._by_name)}.")
        return row

    def _grouped(self) -> tuple[FieldGroup, ...]:
        found: dict[Analysis, list[Field]] = {}
        for each in self.text_fields:
            found.setdefault(each.analysis, []).append(each)
        return tuple(FieldGroup(i, analysis, tuple(some)) for i, (analysis, some) in enumerate(found.items()))


def _text(name: str, value: object) -> str | None:
    if value is None or isinstance(value, str):
        return value
    if isinstance(value, list | tuple):
        return "\n".join(str(part) for part in value)
    if isinstance(value, int | float):
        return str(value)
    raise SchemaError(f"“{name}” holds text; {type(value).__name__} is not text.")


def _keywords(name: str, value: object) -> list[str]:
    if value is None:
        return []
    values = value if isinstance(value, list | tuple) else [value]
    if not all(isinstance(each, str | int | float | bool) for each in values):
        raise SchemaError(f"“{name}” holds keywords; give a word or a list of words.")
    return [str(each) for each in values]


def _number(name: str, value: object) -> float | None:
    if value is None or value == "":
        return None
    try:
        return float(value)  # type: ignore[arg-type]
    except (TypeError, ValueError):
        raise SchemaError(f"“{name}” holds numbers; “{value}” is no number.") from None


def _date(name: str, value: object) -> float | None:
    """Seconds since 1970 in UTC; dates without a time are midnight, times without a zone are UTC."""
    if value is None or value == "":
        return None
    try:
        moment = datetime.fromisoformat(value) if isinstance(value, str) else value
    except ValueError:
        raise SchemaError(f"“{name}” holds dates like 2024-01-31; “{value}” is none.") from None
    if isinstance(moment, datetime):
        return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp()
    if isinstance(moment, date):
        return datetime(moment.year, moment.month, moment.day, tzinfo=UTC).timestamp()
    return _number(name, moment)


_CHECKS: Final = {
    FieldKind.TEXT: _text,
    FieldKind.KEYWORD: _keywords,
    FieldKind.NUMBER: _number,
    FieldKind.DATE: _date,
}
_OWN_TYPES: Final[dict[FieldKind, type]] = {FieldKind.TEXT: str, FieldKind.NUMBER: float, FieldKind.DATE: float}
"""Values of exactly this type are what a check would make of them."""
