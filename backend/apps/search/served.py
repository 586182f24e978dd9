"""An indexer as searches need it: read from the database once, then kept until it changes."""

import itertools
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final

from backend.apps.errors import FieldErrors, Invalid
from backend.apps.indexers import standard_fields as standard
from backend.apps.indexers.build_plans import BuildPlan, searches_page_text
from backend.apps.indexers.column_plans import ColumnKind, ColumnPlan, plan_columns, title_column
from backend.apps.indexers.models import BuildState, Indexer
from backend.apps.indexers.serving import joining_of, ranking_of, served_folder, usable_formula
from backend.apps.indexers.validation import check_indexer, formula_sentence
from backend.apps.search.errors import NoIndexYet
from backend.apps.search.open_index import OpenIndex, Synonyms
from backend.apps.search.open_indexes import OPEN_INDEXES
from backend.apps.search.wishes import NUMBER_LISTS, TryOut
from backend.apps.sentences import with_place
from backend.search_engine.errors import RankingError
from backend.search_engine.query import Joining
from backend.search_engine.ranking import Ranking
from backend.search_engine.ranking.formula import FormulaError

KEPT_SECONDS: Final = 60.0
"""So long at most: templates may change a column's kind, and freshness counts the hours."""
MAX_KEPT: Final = 500
MAX_TRIED: Final = 32

NOT_BUILT: Final = "This indexer has no index yet. Start it and wait until it is completed, then search."


@dataclass(frozen=True, slots=True)
class ShownColumn:
    """A column of the results. `facet_field` and `currency_field` are empty where it has none."""

    name: str
    kind: ColumnKind
    is_searched: bool
    facet_field: str
    currency_field: str

    @classmethod
    def of(cls, plan: ColumnPlan) -> "ShownColumn":
        return cls(plan.name, plan.kind, plan.is_searched, plan.facet_field, plan.currency_field)


@dataclass(frozen=True)
class Served:
    """One indexer's settings at one moment, and the folder that answers."""

    indexer: Indexer
    folder: Path
    ranking: Ranking
    joining: Joining
    synonyms: Synonyms
    columns: tuple[ShownColumn, ...]
    plans: tuple[ColumnPlan, ...]
    formula: str
    """The stored one, where what is served can use it."""
    title: str
    searches_page_text: bool
    has_hits: bool
    """Whether it was built with hubs and authorities."""
    number: int = field(default_factory=itertools.count(1).__next__)
    """Another for every reading: what answers are kept under."""
    _tried: OrderedDict[TryOut, Ranking] = field(default_factory=OrderedDict)

    @property
    def index(self) -> OpenIndex:
        """The open index; NoIndexYet when its folder has gone."""
        return OPEN_INDEXES.get(self.indexer.pk, self.folder, synonyms=self.synonyms)

    def ranking_for(self, tried: TryOut) -> Ranking:
        """The stored ranking, or the one to try; Invalid says what of it cannot be used."""
        if not tried.is_on:
            return self.ranking
        known = self._tried.get(tried)
        if known is None:
            known = self._tried[tried] = tried_ranking(self, tried)
            while len(self._tried) > MAX_TRIED:
                self._tried.popitem(last=False)
        return known


class ServedIndexers:
    """What is served, by indexer; a changed indexer is read anew."""

    def __init__(self, prepare: Callable[[Indexer], Served]) -> None:
        self._prepare = prepare
        self._kept: OrderedDict[int, tuple[tuple[Any, ...], float, Served]] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, indexer: Indexer) -> Served:
        """NoIndexYet when nothing was built."""
        version = (indexer.updated_at, indexer.served_build)
        with self._lock:
            known = self._kept.get(indexer.pk)
        if known is not None and known[0] == version and time.monotonic() < known[1]:
            return known[2]
        served = self._prepare(indexer)
        with self._lock:
            self._kept[indexer.pk] = version, time.monotonic() + KEPT_SECONDS, served
            while len(self._kept) > MAX_KEPT:
                self._kept.popitem(last=False)
        return served

    def clear(self) -> None:
        """Read everything anew."""
        with self._lock:
            self._kept.clear()


def prepare(indexer: Indexer) -> Served:
    """Read an indexer for searching; NoIndexYet when nothing was built."""
    folder = served_folder(indexer)
    if folder is None:
        raise NoIndexYet(NOT_BUILT)
    built = _built_plan(indexer)
    plans = _served_columns(plan_columns(indexer), built)
    title = title_column(plans)
    formula, has_hits = usable_formula(indexer), built is not None and built.hits
    return Served(
        indexer=indexer,
        folder=folder,
        ranking=ranking_of(indexer, formula=formula, plans=plans, has_hits=has_hits),
        joining=joining_of(indexer),
        synonyms=tuple(tuple(group) for group in indexer.synonyms),
        columns=tuple(ShownColumn.of(plan) for plan in plans),
        plans=tuple(plans),
        formula=formula,
        title=title.name if title is not None else standard.TITLE,
        searches_page_text=built.page_text if built is not None else searches_page_text(indexer, plans),
        has_hits=has_hits,
    )


def _built_plan(indexer: Indexer) -> BuildPlan | None:
    """What the served index was built with."""
    build = indexer.builds.filter(state=BuildState.SERVED).only("plan").first()
    return BuildPlan.from_json(build.plan) if build is not None else None


def _served_columns(wanted: Sequence[ColumnPlan], built: BuildPlan | None) -> list[ColumnPlan]:
    """The columns as the index has them: what was chosen since counts only where it needs no rebuild.

    Order and boosts are today's, and so is which columns are left out; one that was added comes with its build.
    """
    if built is None:
        return list(wanted)
    by_name = {plan.name: plan for plan in built.columns}
    return [replace(by_name[plan.name], boost=plan.boost) for plan in wanted if plan.name in by_name]


def tried_ranking(served: Served, tried: TryOut) -> Ranking:
    """The ranking with what is tried in it, without asking the database; Invalid says what cannot be used."""
    given = {name: dict(value) for name in NUMBER_LISTS if (value := getattr(tried, name)) is not None}
    hits = served.has_hits or served.indexer.hits
    errors = check_indexer({"hits": hits, **{name: value for name, value in given.items() if name != "boosts"}})
    errors |= _check_boosts(served, given.get("boosts", {}))
    variables = [{"variable": plan.variable} for plan in served.plans if plan.has_variable]
    if sentence := formula_sentence(tried.formula or "", variables, hits=served.has_hits):
        errors["formula"] = [sentence]
    if errors:
        raise Invalid(errors)
    try:
        formula = served.formula if tried.formula is None else tried.formula
        known = {"formula": formula, "plans": served.plans, "has_hits": served.has_hits}
        return ranking_of(served.indexer, k=tried.k, b=tried.b, **known, **given)
    except FormulaError as error:
        raise Invalid({"formula": [with_place(error.message, error.position, error.hint)]}) from error
    except RankingError as error:
        raise Invalid({"boosts": [str(error)]}) from error


def _check_boosts(served: Served, boosts: Mapping[str, float]) -> FieldErrors:
    known = [plan.name for plan in served.plans if plan.is_searched]
    sentence = f"There is no searched column of that name. Known: {', '.join(known)}."
    errors = {f"boosts.{name}": [sentence] for name in boosts if name not in known}
    errors |= {f"boosts.{name}": ["Give a number from 0 on."] for name, boost in boosts.items() if boost < 0}
    return errors


SERVED: Final = ServedIndexers(prepare)
"""Those of this process."""
