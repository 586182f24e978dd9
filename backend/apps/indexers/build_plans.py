"""All that a build depends on, frozen when it begins; and what has changed since, in sentences."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from backend.apps.indexers import standard_fields as standard
from backend.apps.indexers.column_plans import ColumnPlan, analysis_of, plan_columns, title_column
from backend.apps.indexers.models import Indexer
from backend.search_engine.index import Schema
from backend.search_engine.text import Analysis

ANALYSIS = {
    "language": "the language",
    "reduction": "how word forms are brought together",
    "stop_words": "whether function words are left out",
    "extra_stop_words": "the stop words",
    "stop_pattern": "the patterns of stop words",
    "min_length": "the length of words that are left out",
}
COLUMN = {
    "kind": "the kind of its values",
    "is_searched": "whether it is searched",
    "variable_field": "its variable",
    "facet_field": "whether its values are offered",
    "currency_field": "whether it holds prices",
    "sources": "the inspectors that fill it",
}


@dataclass(frozen=True, slots=True)
class BuildPlan:
    """The columns of a build and how page text is analysed; `page_text` says whether it is searched."""

    columns: tuple[ColumnPlan, ...]
    page_analysis: Analysis
    page_text: bool
    crawlers: frozenset[int] = frozenset()
    """Those that were chosen; empty for all whose template is one of `templates`."""
    hits: bool = False
    """Whether hubs and authorities are counted."""

    @property
    def templates(self) -> frozenset[int]:
        """The templates whose documents are in it; empty for those of all."""
        return frozenset(template for column in self.columns for template in column.sources)

    def schema(self) -> Schema:
        """The fields of the index."""
        columns = [field for column in self.columns for field in column.fields()]
        own = standard.standard_fields(self.page_analysis, with_page_text=self.page_text, with_hits=self.hits)
        return Schema([*columns, *own])

    def to_json(self) -> dict[str, Any]:
        """Plain values, `from_json` reads them back."""
        return {
            "columns": [column.to_json() for column in self.columns],
            "page_analysis": self.page_analysis.to_json(),
            "page_text": self.page_text,
            "crawlers": sorted(self.crawlers),
            "hits": self.hits,
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> "BuildPlan":
        """The plan that `to_json` wrote; one from before crawlers could be chosen has all, and counted no hubs."""
        columns = tuple(ColumnPlan.from_json(column) for column in data["columns"])
        analysis = Analysis.from_json(data["page_analysis"])
        crawlers = frozenset(data.get("crawlers", ()))
        return cls(columns, analysis, data["page_text"], crawlers, hits=data.get("hits", False))


def plan_of(indexer: Indexer) -> BuildPlan:
    """The plan of a build that begins now."""
    columns = plan_columns(indexer)
    crawlers = frozenset(indexer.crawlers.values_list("pk", flat=True))
    page_text = searches_page_text(indexer, columns)
    return BuildPlan(tuple(columns), analysis_of(indexer), page_text, crawlers, hits=indexer.hits)


def searches_page_text(indexer: Indexer, columns: Sequence[ColumnPlan]) -> bool:
    """As chosen; an indexer without a text column has nothing else to search."""
    return indexer.page_text or title_column(columns) is None


def why_stale(built: Mapping[str, Any], wanted: Mapping[str, Any]) -> list[str]:
    """What makes a rebuild needed, by two plans as JSON; [] when a build with the one is as good as with the other."""
    before = {column["name"]: column for column in built["columns"]}
    after = {column["name"]: column for column in wanted["columns"]}
    sentences = [f"The column “{name}” was added." for name in after if name not in before]
    sentences += [f"The column “{name}” was taken out." for name in before if name not in after]
    for name, column in after.items():
        if name in before:
            sentences += _changes(name, before[name], column)
    if built.get("crawlers", []) != wanted["crawlers"]:
        sentences.append("Other crawlers were chosen.")
    if built.get("hits", False) != wanted["hits"]:
        sentences.append(f"Hubs and authorities are {'now' if wanted['hits'] else 'no longer'} counted.")
    if built["page_text"] != wanted["page_text"]:
        sentences.append(f"The text of pages is {'now' if wanted['page_text'] else 'no longer'} searched.")
    elif wanted["page_text"]:
        told = _analysis_changes(built["page_analysis"], wanted["page_analysis"])
        sentences += [f"Of the text of pages, {what} changed." for what in told]
    return sentences


def _changes(name: str, before: Mapping[str, Any], after: Mapping[str, Any]) -> Iterator[str]:
    told = [what for key, what in COLUMN.items() if before[key] != after[key]]
    if after["is_searched"]:
        told += _analysis_changes(before["analysis"], after["analysis"])
    return (f"Of the column “{name}”, {what} changed." for what in told)


def _analysis_changes(before: Mapping[str, Any], after: Mapping[str, Any]) -> list[str]:
    return [what for key, what in ANALYSIS.items() if before[key] != after[key]]
