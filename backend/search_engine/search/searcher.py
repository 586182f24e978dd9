"""Runs queries on a snapshot."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

import numpy as np
from numpy.typing import NDArray

from backend.search_engine.errors import SchemaError
from backend.search_engine.index.decode import RANGE_BITS
from backend.search_engine.index.schema import FieldKind
from backend.search_engine.index.snapshot import Snapshot
from backend.search_engine.query import Node, Query
from backend.search_engine.ranking.formula import TEXT_VARIABLE, Formula, Interval
from backend.search_engine.ranking.ranking import Ranking
from backend.search_engine.search.bonuses import BonusScorer
from backend.search_engine.search.columns import Filter, filter_mask
from backend.search_engine.search.contenders import best_first, contenders
from backend.search_engine.search.deadline import Deadline
from backend.search_engine.search.exact import bound_text, exact_text, exact_top, impact_error, is_exact
from backend.search_engine.search.explain import Explainer, Explanation
from backend.search_engine.search.facets import Facet, FacetCount, count_facet
from backend.search_engine.search.hits import Hit, Hits
from backend.search_engine.search.lists import NO_MASK, Mask
from backend.search_engine.search.matcher import Matcher, Plan
from backend.search_engine.search.notices import notices_of
from backend.search_engine.search.plans import collect_plan, top_plan
from backend.search_engine.text import Analyzer

_MAX_HEAP: Final = 2_000
"""Deeper pages score all matches: a heap that large gains nothing."""
_BONUS_WINDOW: Final = 64
_READ_FIRST: Final = 256
"""Where documents must be read to be scored exactly, so many are at first."""
_WINDOW_MARGIN: Final = 4
"""So many documents more than wanted are scored exactly: often that shows at once that no other can be better."""
_NO_SCORE: Final = 1e-15
"""Less than this is 0: the document matches, and no word says how well."""
_MAX_MATCHERS: Final = 16
DEFAULT_DEADLINE_SECONDS: Final = 5.0


@dataclass(frozen=True, slots=True)
class Sort:
    """Order by a column instead of the score: numbers, dates, or keywords as in the alphabet.

    Documents without a value come last; of several keywords the first in the alphabet counts.
    """

    field: str
    descending: bool = True


@dataclass(frozen=True, slots=True)
class SearchRequest:
    """Everything about a search besides the query and the ranking."""

    limit: int = 10
    offset: int = 0
    count: bool = False
    """Whether the exact number of matches is wanted; it costs the skipping of what cannot reach the page."""
    filters: Sequence[Filter] = ()
    facets: Mapping[str, Facet] = field(default_factory=dict)
    """Name → facet. A facet is counted as if filters on its own field were off (so that another can be chosen)."""
    sort: Sort | None = None
    deadline_seconds: float | None = DEFAULT_DEADLINE_SECONDS


_DEFAULT_RANKING: Final = Ranking()
_DEFAULT_REQUEST: Final = SearchRequest()


class Searcher:
    """Searches one snapshot. Safe to use from many threads."""

    def __init__(self, snapshot: Snapshot, analyzers: Sequence[Analyzer] | None = None) -> None:
        """`analyzers` (one per group of the schema) bring synonyms and keep what they learnt between snapshots."""
        self.snapshot = snapshot
        self.analyzers = list(analyzers or (Analyzer(group.analysis) for group in snapshot.schema.groups))
        self._numbers = {each.name for each in snapshot.schema.of_kind(FieldKind.NUMBER, FieldKind.DATE)}
        self._keywords = {each.name for each in snapshot.schema.of_kind(FieldKind.KEYWORD)}
        self._matchers: dict[int, tuple[Ranking, Matcher]] = {}

    def search(self, query: Query, ranking: Ranking | None = None, request: SearchRequest | None = None) -> Hits:
        """The wanted page of results.

        Raises DeadlineExceededError when time runs out, FormulaError and SchemaError for what the index does not have.
        """
        ranking, request = ranking or _DEFAULT_RANKING, request or _DEFAULT_REQUEST
        if request.sort is not None:
            self._need_order(request.sort.field)
        matcher = self.matcher(ranking)
        slots, scores, total, facets = _Run(self.snapshot, matcher, query.root, ranking, request).page()
        hits = [Hit(self.snapshot, *pair) for pair in zip(slots.tolist(), scores.tolist(), strict=True)]
        return Hits(hits, total, self.snapshot.generation, facets, notices_of(query, matcher))

    def explain(self, query: Query, key: str, ranking: Ranking | None = None) -> Explanation | None:
        """Every part of a document's score; None when there is no such document or it does not match."""
        ranking = ranking or _DEFAULT_RANKING
        explainer = Explainer(self.snapshot, self.matcher(ranking), ranking, Deadline(DEFAULT_DEADLINE_SECONDS))
        return explainer.explain(query.root, key)

    def matcher(self, ranking: Ranking) -> Matcher:
        """What resolves queries under a ranking; kept for the rankings used last, which are checked once."""
        known = self._matchers.get(id(ranking))
        if known is not None:  # its ranking is kept alive with it, so the id is still this ranking's
            return known[1]
        self._check_columns(ranking)
        matcher = Matcher(self.snapshot, self.analyzers, ranking)
        if len(self._matchers) >= _MAX_MATCHERS:
            self._matchers.clear()
        self._matchers[id(ranking)] = ranking, matcher
        return matcher

    def _check_columns(self, ranking: Ranking) -> None:
        if ranking.formula is not None:
            error = ranking.formula.check_variables(self._numbers)
            if error is not None:
                raise error
        for name in ranking.columns:
            self._need_number(name)

    def _need_order(self, name: str) -> None:
        if name not in self._numbers and name not in self._keywords:
            known = ", ".join(sorted(self._numbers | self._keywords)) or "none"
            raise SchemaError(f"“{name}” is no column that can be sorted by. Those are: {known}.")

    def _need_number(self, name: str) -> None:
        if name not in self._numbers:
            known = ", ".join(sorted(self._numbers)) or "none"
            raise SchemaError(f"“{name}” is no column of numbers. Those are: {known}.")


class _Run:
    """One search on its way."""

    def __init__(
        self, snapshot: Snapshot, matcher: Matcher, root: Node, ranking: Ranking, request: SearchRequest
    ) -> None:
        self._snapshot = snapshot
        self._matcher = matcher
        self._root = root
        self._ranking = ranking
        self._request = request
        self._deadline = Deadline(request.deadline_seconds)
        self._bonus_scorer: BonusScorer | None = None

    def page(self) -> tuple[NDArray[np.int64], NDArray[np.float64], int | None, dict[str, Sequence[FacetCount]]]:
        """Slots and scores of the page, the total when asked for, the facets."""
        plan = self._matcher.plan(self._root, self._deadline)
        wanted = self._request.offset + self._request.limit
        if not plan.clauses or not self._snapshot.ranges:
            return _NO_SLOTS, _NO_SCORES, 0, {name: [] for name in self._request.facets}
        filters = [(each.field, filter_mask(self._snapshot, each)) for each in self._request.filters]
        if wanted <= 0:
            slots, _, facets = self._all(plan, filters)
            return _NO_SLOTS, _NO_SCORES, len(slots), facets
        if self._needs_all(wanted):
            return self._page_of_all(plan, filters)
        masked = plan
        for _, mask in filters:
            masked = masked._replace(mask=mask if masked.mask is NO_MASK else masked.mask & mask)
        found = self._top(masked, wanted)
        if found is None:
            return self._page_of_all(plan, filters)
        slots, scores, total = found
        self._deadline.check()
        return slots[self._request.offset :], scores[self._request.offset :], total, {}

    def _needs_all(self, wanted: int) -> bool:
        ranking, request = self._ranking, self._request
        has_columns = any(ranking.columns.values())
        keeps_order = ranking.formula is None or ranking.formula.is_monotone_in_text
        is_reordered = not keeps_order or request.sort is not None or has_columns
        return is_reordered or bool(request.facets) or wanted > _MAX_HEAP

    def _page_of_all(
        self, plan: Plan, filters: Sequence[tuple[str, Mask]]
    ) -> tuple[NDArray[np.int64], NDArray[np.float64], int, dict[str, Sequence[FacetCount]]]:
        slots, text, facets = self._all(plan, filters)
        return *self._exact_page(plan, slots, text), len(slots), facets

    def _all(
        self, plan: Plan, filters: Sequence[tuple[str, Mask]]
    ) -> tuple[NDArray[np.int64], NDArray[np.float64], dict[str, Sequence[FacetCount]]]:
        """Slots and text scores of all that match, and the facets."""
        found = collect_plan(self._snapshot, plan, self._deadline)
        self._deadline.check()
        slots, text = found.slots(RANGE_BITS), found.impacts.astype(np.float64)
        facets = {name: self._facet(facet, slots, filters) for name, facet in self._request.facets.items()}
        for _, mask in filters:
            is_kept = mask[slots] > 0
            slots, text = slots[is_kept], text[is_kept]
        self._deadline.check()
        return slots, text, facets

    def _exact_page(
        self, plan: Plan, slots: NDArray[np.int64], rough: NDArray[np.float64]
    ) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        """The page: every document that may be on it, given how wrong impacts can be, is scored exactly."""
        scores = self._bounds(slots, bound_text(plan, rough))
        keys = None if self._request.sort is None else self._sort_keys(slots, self._request.sort)
        first, past = self._request.offset, self._request.offset + self._request.limit
        found, above, exact = self._settled(plan, slots, scores, keys)
        slots, keys = slots[found], None if keys is None else keys[found]
        order = best_first(exact, past - above) if keys is None else best_first(keys, past - above, exact)
        page = order[first - above :]
        return slots[page], exact[page]

    def _settled(
        self, plan: Plan, slots: NDArray[np.int64], scores: Interval, keys: NDArray[np.float64] | None
    ) -> tuple[NDArray[np.int64], int, NDArray[np.float64]]:
        """Indices of all that may be on the page, how many surely come before those, and their exact scores.

        Where documents must be read for that, those that may score most are first: then most others cannot enter.
        """
        low, high = scores
        first, past = self._request.offset, self._request.offset + self._request.limit
        bonuses = self._bonuses()
        most = max(_READ_FIRST, past) if bonuses is not None and bonuses.must_read else len(slots)
        while True:
            found, above = contenders(Interval(low, high), keys, first, past)
            unsure = found[low[found] < high[found]]
            some = unsure if len(unsure) <= most else np.sort(unsure[best_first(high[unsure], most)])
            text = exact_text(self._snapshot, plan, slots[some], checkpoint=self._deadline.check)
            low[some] = high[some] = self.score(slots[some], text)
            if len(some) == len(unsure):
                return found, above, low[found]
            most *= 4

    def score(self, slots: NDArray[np.int64], text: NDArray[np.float64]) -> NDArray[np.float64]:
        """Final scores from text scores: bonuses and columns are added, then the formula is applied."""
        for added in self._added(slots):
            text = text + added
        formula = self._ranking.formula
        if formula is None:
            return text
        return formula.score(text, self._columns_of(formula, slots), checkpoint=self._deadline.check)

    def _bounds(self, slots: NDArray[np.int64], text: Interval) -> Interval:
        """Between what `score` lies."""
        for added in self._added_bounds(slots):
            is_point = text.is_point and added.is_point
            low = text.low + added.low
            text = Interval.point(low) if is_point else Interval(low, text.high + added.high)
        formula = self._ranking.formula
        if formula is None:
            return text
        return formula.bounds(text, self._columns_of(formula, slots), checkpoint=self._deadline.check)

    def _added(self, slots: NDArray[np.int64]) -> Iterator[NDArray[np.float64]]:
        bonuses = self._bonuses()
        if bonuses is not None:
            yield bonuses.parts(slots).total
        yield from self._of_columns(slots)

    def _added_bounds(self, slots: NDArray[np.int64]) -> Iterator[Interval]:
        bonuses = self._bonuses()
        if bonuses is not None:
            yield bonuses.bounds(slots)
        for added in self._of_columns(slots):
            yield Interval.point(added)

    def _of_columns(self, slots: NDArray[np.int64]) -> Iterator[NDArray[np.float64]]:
        for name, weight in self._ranking.columns.items():
            yield weight * np.nan_to_num(self._snapshot.numbers(name)[slots], posinf=0, neginf=0)

    def _columns_of(self, formula: Formula, slots: NDArray[np.int64]) -> dict[str, NDArray[np.float64]]:
        return {name: self._snapshot.numbers(name)[slots] for name in formula.variables - {TEXT_VARIABLE}}

    def _sort_keys(self, slots: NDArray[np.int64], sort: Sort) -> NDArray[np.float64]:
        is_keyword = self._snapshot.schema[sort.field].kind is FieldKind.KEYWORD
        values = (self._snapshot.places if is_keyword else self._snapshot.numbers)(sort.field)[slots]
        return np.where(np.isnan(values), -np.inf, values if sort.descending else -values)

    def _bonuses(self) -> BonusScorer | None:
        if not self._ranking.bonuses.is_on:
            return None
        if self._bonus_scorer is None:
            scored = self._snapshot, self._matcher, self._ranking, self._root
            self._bonus_scorer = BonusScorer(*scored, self._deadline)
        return self._bonus_scorer

    def _facet(
        self, facet: Facet, slots: NDArray[np.int64], filters: Sequence[tuple[str, Mask]]
    ) -> Sequence[FacetCount]:
        for name, mask in filters:
            if name != facet.field:
                slots = slots[mask[slots] > 0]
        return count_facet(self._snapshot, facet, slots)

    def _top(self, plan: Plan, wanted: int) -> tuple[NDArray[np.int64], NDArray[np.float64], int | None] | None:
        """The best, exactly: the window by impacts grows until nothing outside it can enter the page.

        None when a formula makes so many documents equal, or bonuses are so great, that scoring all is cheaper.
        """
        formula = self._ranking.formula
        bonuses = self._bonuses()
        window = max(_BONUS_WINDOW, 2 * wanted) if bonuses else wanted + _WINDOW_MARGIN
        total: int | None = None
        while True:
            count = self._request.count and total is None
            slots, rough, counted = top_plan(self._snapshot, plan, window, count=count, deadline=self._deadline)
            total = counted if count else total
            is_all = len(slots) < window
            if bonuses is None and formula is None and (not len(slots) or rough[0] < _NO_SCORE or is_exact(plan)):
                return slots[:wanted], rough[:wanted], total
            outside = float(rough[-1]) * (1 + impact_error(plan)) if len(slots) else 0.0
            slots, scores = exact_top(self._snapshot, plan, slots, rough)
            if bonuses is not None:
                outside += bonuses.most
                scores = scores + bonuses.parts(slots).total
            if formula is not None:
                scores, outside = formula.score(scores, {}), float(formula.score(np.array([outside]), {})[0])
            if bonuses is not None or formula is not None:
                order = best_first(scores, wanted, slots=slots)
                slots, scores = slots[order], scores[order]
            if is_all or scores[wanted - 1] > outside:
                return slots[:wanted], scores[:wanted], total
            self._deadline.check()
            window *= 8
            if (bonuses is not None or formula is not None) and window > _MAX_HEAP:
                return None


_NO_SLOTS: Final = np.empty(0, dtype=np.int64)
_NO_SCORES: Final = np.empty(0, dtype=np.float64)
