"""What becomes of a column: its kind by the types of its sources, and the fields of the index that hold it."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from backend.apps.indexers.models import IndexColumn, Indexer
from backend.apps.templates.models import InspectorType
from backend.search_engine.index import Field, FieldKind
from backend.search_engine.text import Analysis, Reduction


class ColumnKind(StrEnum):
    """How a column is searched and shown."""

    TEXT = "text"
    NUMBER = "number"
    PRICE = "price"
    DATE = "date"
    LINK = "link"
    IMAGE = "image"


KIND_OF_TYPE = {
    InspectorType.NUMBER: ColumnKind.NUMBER,
    InspectorType.PRICE: ColumnKind.PRICE,
    InspectorType.DATE: ColumnKind.DATE,
    InspectorType.LINK: ColumnKind.LINK,
    InspectorType.IMAGE: ColumnKind.IMAGE,
}
NUMERIC = (ColumnKind.NUMBER, ColumnKind.PRICE, ColumnKind.DATE)


@dataclass(frozen=True, slots=True)
class ColumnPlan:
    """A column and its fields: `name` is the main one; the others are empty where the column has none.

    `variable_field` holds the number that formulas know under the column's variable, `currency_field` a price's
    currency, `facet_field` the values to narrow down by. `sources` names, by template id, the inspectors that fill it,
    each followed by its former names, which older documents have.
    """

    name: str
    kind: ColumnKind
    is_searched: bool
    boost: float
    analysis: Analysis
    variable: str
    variable_field: str
    currency_field: str
    facet_field: str
    is_key: bool
    has_markup: bool
    sources: Mapping[int, tuple[str, ...]]

    def to_json(self) -> dict[str, Any]:
        """Plain values without the boost, which is no part of a build; `from_json` reads them back."""
        own = {name: getattr(self, name) for name in self.__slots__ if name not in ("boost", "analysis", "sources")}
        sources = {str(template): list(names) for template, names in self.sources.items()}
        return {**own, "kind": str(self.kind), "analysis": self.analysis.to_json(), "sources": sources}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> "ColumnPlan":
        """The plan that `to_json` wrote."""
        changed = {
            "kind": ColumnKind(data["kind"]),
            "analysis": Analysis.from_json(data["analysis"]),
            "sources": {int(template): tuple(names) for template, names in data["sources"].items()},
        }
        return cls(**{**data, **changed, "boost": 1.0})

    @property
    def has_variable(self) -> bool:
        """Whether formulas can use it; an older build kept no numbers beside a text of the variable's name."""
        return bool(self.variable) and (self.kind in NUMERIC or self.variable_field != self.name)

    def fields(self) -> list[Field]:
        """Boosts are no part of them: they count at search time, so that changing one needs no rebuild."""
        found = [self._main_field()]
        if self.variable_field and self.variable_field != self.name:
            found.append(Field(self.variable_field, FieldKind.NUMBER, stored=False))
        if self.currency_field:
            found.append(Field(self.currency_field, FieldKind.KEYWORD))
        if self.facet_field and self.facet_field != self.name:
            found.append(Field(self.facet_field, FieldKind.KEYWORD, stored=False))
        return found

    def _main_field(self) -> Field:
        if self.kind is ColumnKind.DATE:
            return Field(self.name, FieldKind.DATE)
        if self.kind in NUMERIC:
            return Field(self.name, FieldKind.NUMBER)
        return Field(self.name, analysis=self.analysis) if self.is_searched else Field(self.name, FieldKind.KEYWORD)


def plan_columns(indexer: Indexer) -> list[ColumnPlan]:
    """The columns of an indexer in their order."""
    columns = indexer.columns.prefetch_related("sources__inspector")
    return [_plan(indexer, column) for column in columns]


def title_column(plans: Sequence[ColumnPlan]) -> ColumnPlan | None:
    """The column that names a result: the first one with text that is searched."""
    return next((plan for plan in plans if plan.is_searched), None)


def _plan(indexer: Indexer, column: IndexColumn) -> ColumnPlan:
    inspectors = [source.inspector for source in column.sources.all()]
    kind = kind_of_types([inspector.type for inspector in inspectors])
    sources: dict[int, list[str]] = defaultdict(list)
    for inspector in inspectors:
        sources[inspector.template_id] += [inspector.name, *inspector.former_names]
    is_searched = kind is ColumnKind.TEXT and column.searchable
    has_prices = any(inspector.type == InspectorType.PRICE for inspector in inspectors)
    return ColumnPlan(
        name=column.name,
        kind=kind,
        is_searched=is_searched,
        boost=column.boost,
        analysis=analysis_of(indexer, language=column.language, reduction=column.reduction),
        variable=column.variable,
        variable_field=_variable_field(column, kind),
        currency_field=f"{column.name}_currency" if kind in NUMERIC and has_prices else "",
        facet_field=_facet_field(column, kind),
        is_key=any(inspector.key or inspector.required for inspector in inspectors),
        has_markup=any(inspector.type == InspectorType.HTML for inspector in inspectors),
        sources={template: tuple(names) for template, names in sources.items()},
    )


def _variable_field(column: IndexColumn, kind: ColumnKind) -> str:
    """Numbers beside a text, a link or an image of the same name need a field of their own."""
    if column.variable == column.name and kind not in NUMERIC:
        return f"{column.name}_number"
    return column.variable


def _facet_field(column: IndexColumn, kind: ColumnKind) -> str:
    """Text that is not analysed is a value itself; searched text has its values beside it where asked for."""
    if not column.facet or kind is not ColumnKind.TEXT:
        return ""
    return f"{column.name}_value" if column.searchable else column.name


def kind_of_types(types: Sequence[str]) -> ColumnKind:
    """One kind for sources of several types: numbers and prices are numbers, everything else that differs is text."""
    kinds = {KIND_OF_TYPE.get(InspectorType(each), ColumnKind.TEXT) for each in types}
    if len(kinds) == 1:
        return kinds.pop()
    return ColumnKind.PRICE if kinds == {ColumnKind.NUMBER, ColumnKind.PRICE} else ColumnKind.TEXT


def analysis_of(indexer: Indexer, *, language: str = "", reduction: str = Reduction.STEM) -> Analysis:
    """How text of an indexer becomes terms; a region (de-AT) makes no difference."""
    words = [word for word in indexer.stop_words if not is_pattern(word)]
    patterns = [word[1:-1] for word in indexer.stop_words if is_pattern(word)]
    return Analysis(
        language=(language or indexer.language).partition("-")[0],
        reduction=Reduction(reduction),
        stop_words=indexer.language_stop_words,
        extra_stop_words=frozenset(words),
        stop_pattern="|".join(f"(?:{pattern})" for pattern in patterns),
        min_length=indexer.small_words + 1,
    )


def is_pattern(stop_word: str) -> bool:
    """Whether a stop word is a regular expression between slashes."""
    return len(stop_word) > 2 and stop_word.startswith("/") and stop_word.endswith("/")
