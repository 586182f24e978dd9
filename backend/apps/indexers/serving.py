"""An indexer as the search engine understands it: schema, ranking, and the folder that answers searches now."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from pathlib import Path

from django.utils import timezone

from backend.apps.documents.models import Document
from backend.apps.indexers import standard_fields as standard
from backend.apps.indexers.build_plans import BuildPlan, plan_of, searches_page_text
from backend.apps.indexers.column_plans import ColumnPlan, plan_columns, title_column
from backend.apps.indexers.folders import indexer_folder, indexes_folder, typing_folder
from backend.apps.indexers.models import BuildState, Indexer
from backend.search_engine.index import Schema
from backend.search_engine.index.manifest import MANIFEST
from backend.search_engine.query import Joining
from backend.search_engine.ranking import Bm25, Bonuses, Idf, Ranking
from backend.search_engine.ranking.formula import TEXT_VARIABLE, Formula, parse_formula
from backend.search_engine.ranking.formula.nodes import Call, Node, Number, Variable

__all__ = [
    "document_id",
    "document_key",
    "indexer_folder",
    "indexes_folder",
    "joining_of",
    "plan_of",
    "ranking_of",
    "schema_of",
    "searches_page_text",
    "served_folder",
    "serves_hits",
    "typing_folder",
    "usable_formula",
]
SMALLEST = 1e-6
"""What stands for 0 where the engine wants more than 0: such a field or part counts for nothing."""
FRESHNESS_DAYS = 30.0
"""A document of that age is half as fresh as one of this moment."""


def schema_of(indexer: Indexer) -> Schema:
    """The fields of the next build. Only what needs a rebuild is part of it; raises SchemaError for clashing names."""
    return plan_of(indexer).schema()


def ranking_of(
    indexer: Indexer,
    *,
    k: float | None = None,
    b: float | None = None,
    formula: str | None = None,
    weights: Mapping[str, float] | None = None,
    boosts: Mapping[str, float] | None = None,
    word_weights: Mapping[str, float] | None = None,
    now: datetime | None = None,
    plans: Sequence[ColumnPlan] | None = None,
    has_hits: bool | None = None,
) -> Ranking:
    """The indexer's ranking; what is given is tried out in the place of what is stored.

    `boosts` are by column name. With `formula`, `plans` and `has_hits` the database is not asked. Raises FormulaError
    and RankingError for values that cannot be used.
    """
    plans = plan_columns(indexer) if plans is None else plans
    weights = indexer.weights if weights is None else weights
    text_weight = max(weights.get("text", 1.0), SMALLEST)
    if has_hits is None:
        has_hits = any(weights.get(name) for name in standard.HITS) and serves_hits(indexer)
    return Ranking(
        bm25=Bm25(max(indexer.k if k is None else k, SMALLEST), indexer.b if b is None else b, Idf(indexer.idf)),
        boosts=_boosts(plans, boosts or {}),
        word_weights=indexer.word_weights if word_weights is None else word_weights,
        columns=_column_weights(weights, text_weight, has_hits=has_hits),
        bonuses=_bonuses(indexer, plans, weights, text_weight),
        formula=_formula(
            usable_formula(indexer) if formula is None else formula,
            weights,
            text_weight,
            plans=plans,
            now=now or timezone.now(),
        ),
    )


def usable_formula(indexer: Indexer) -> str:
    """The stored formula; none while what is served was built before the formula's variables were there."""
    build = indexer.builds.filter(state=BuildState.SERVED).only("plan").first() if indexer.formula.strip() else None
    if build is None:
        return indexer.formula
    plan = BuildPlan.from_json(build.plan)
    built = {column.variable for column in plan.columns if column.has_variable}
    known = built | set(standard.static_variables(hits=plan.hits))
    return "" if parse_formula(indexer.formula).check_variables(known) else indexer.formula


def serves_hits(indexer: Indexer) -> bool:
    """Whether what is served was built with hubs and authorities; their weights wait for such a build."""
    build = indexer.builds.filter(state=BuildState.SERVED).only("plan").first()
    return build is not None and bool(build.plan.get("hits", False))


def joining_of(indexer: Indexer) -> Joining:
    """Whether a query of several words asks for all of them or any."""
    return Joining.OR if indexer.joining == "or" else Joining.AND


def served_folder(indexer: Indexer) -> Path | None:
    """The folder that answers searches now, by the database; None before the first build, or where it is not here."""
    if not indexer.served_build:
        return None
    folder = indexer_folder(indexer.pk) / indexer.served_build
    return folder if (folder / MANIFEST).exists() else None


def document_key(document: Document) -> str:
    """The key of a document in every index."""
    return str(document.pk)


def document_id(key: str) -> int:
    """The document of a key."""
    return int(key)


def _boosts(plans: Sequence[ColumnPlan], tried: Mapping[str, float]) -> dict[str, float]:
    found = {plan.name: tried.get(plan.name, plan.boost) for plan in plans if plan.is_searched}
    return {name: max(boost, SMALLEST) for name, boost in found.items()}


def _column_weights(weights: Mapping[str, float], text_weight: float, *, has_hits: bool) -> dict[str, float]:
    names = (standard.PAGERANK, standard.HOST_RANK, standard.QUALITY, *(standard.HITS if has_hits else ()))
    return {name: weights[name] / text_weight for name in names if weights.get(name)}


def _bonuses(
    indexer: Indexer, plans: Sequence[ColumnPlan], weights: Mapping[str, float], text_weight: float
) -> Bonuses:
    """Words in titles count by the weight `title`, those in headings by `headings`, which only pages' texts have."""
    title, with_page_text = title_column(plans), searches_page_text(indexer, plans)
    in_title, in_headings = (weights.get(name, 0.0) / text_weight for name in ("title", "headings"))
    fields = {title.name: in_title} if title is not None else {}
    if with_page_text:
        fields |= {standard.TITLE: in_title} | ({standard.HEADINGS: in_headings} if in_headings else {})
    return Bonuses(
        fields,
        whole=weights.get("phrase", 0.0) / text_weight,
        subsequence=weights.get("subsequence", 0.0) / text_weight,
    )


def _formula(
    source: str, weights: Mapping[str, float], text_weight: float, *, plans: Sequence[ColumnPlan], now: datetime
) -> Formula | None:
    """The person's formula with its weight, and freshness, which depends on the hour of the search."""
    formula = parse_formula(source) if source.strip() else None
    freshness = weights.get(standard.FRESHNESS, 0.0) / text_weight
    if formula is None and not freshness:
        return None
    tree: Node = Variable(TEXT_VARIABLE)
    told = TEXT_VARIABLE
    if formula is not None and formula.uses_text:
        tree, told = formula.tree, source
    elif formula is not None:
        weight = weights.get("formula", 1.0) / text_weight
        tree = Call("+", (tree, _times(weight, formula.tree)))
        told = source if weight == 1.0 else f"text + {weight:g} * ({source})"
    if freshness:
        tree = Call("+", (tree, _times(freshness, Variable(standard.FRESHNESS))))
        told = f"{told} + {freshness:g} * freshness"
    fresh = _freshness(now)
    columns = {plan.variable: Variable(plan.variable_field) for plan in plans if plan.variable_field != plan.variable}
    return Formula(told, _with_columns(_with_freshness(tree, fresh), columns), {standard.FRESHNESS: fresh, **columns})


def _times(weight: float, node: Node) -> Node:
    return node if weight == 1.0 else Call("*", (Number(weight), node))


def _freshness(now: datetime) -> Node:
    """1 for what was read this hour, 1/2 after a month, 1/3 after two."""
    hour = Number(now.timestamp() // 3600 * 3600)
    age = Call("max", (Number(0.0), Call("-", (hour, Variable(standard.FETCHED)))))
    return Call("/", (Number(1.0), Call("+", (Number(1.0), Call("/", (age, Number(FRESHNESS_DAYS * 86_400)))))))


def _with_freshness(node: Node, fresh: Node) -> Node:
    """`freshness` written out; it is missing where `fetched` is."""
    if isinstance(node, Variable) and node.name == standard.FRESHNESS:
        return fresh
    if isinstance(node, Call):
        fresh = Variable(standard.FETCHED) if node.function == "missing" else fresh
        return Call(node.function, tuple(_with_freshness(each, fresh) for each in node.arguments), node.position)
    return node


def _with_columns(node: Node, columns: Mapping[str, Variable]) -> Node:
    """Variables under the names of the fields that hold them."""
    if isinstance(node, Variable):
        return replace(columns[node.name], position=node.position) if node.name in columns else node
    if isinstance(node, Call) and columns:
        return Call(node.function, tuple(_with_columns(each, columns) for each in node.arguments), node.position)
    return node
