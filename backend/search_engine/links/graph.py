"""The link graph as a sparse matrix in two arrays, built from a stream of edges by counting, without sorting keys."""

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from backend.search_engine.compilation import kernel
from backend.search_engine.signatures import I8, R_I4, W_I4, W_I8

Numbers = NDArray[np.int32]


@dataclass(frozen=True, slots=True)
class LinkGraph:
    """Pages by number and the links between them, each link once, none from a page to itself.

    `sources[starts[page]:starts[page + 1]]` are the pages that link to a page, ascending. A page whose `out_degrees` is
    0 is a sink.
    """

    starts: NDArray[np.int64]
    sources: Numbers
    out_degrees: Numbers

    @property
    def pages(self) -> int:
        """How many pages there are."""
        return len(self.out_degrees)

    @property
    def links(self) -> int:
        """How many links there are."""
        return len(self.sources)

    def sources_of(self, page: int) -> Numbers:
        """The pages that link to a page."""
        return self.sources[self.starts[page] : self.starts[page + 1]]

    def targets(self) -> Numbers:
        """The target of each entry of `sources`."""
        return np.repeat(np.arange(self.pages, dtype=np.int32), np.diff(self.starts))


@dataclass(slots=True)
class Edges:
    """Links as they come, in parts: eight bytes a link until the graph is built."""

    _sources: list[Numbers] = field(default_factory=list)
    _targets: list[Numbers] = field(default_factory=list)

    def add(self, sources: Numbers, targets: Numbers) -> None:
        """Links between numbered pages; a negative number is an unknown page, its link is left out."""
        known = (sources >= 0) & (targets >= 0) & (sources != targets)
        self._sources.append(sources[known].astype(np.int32, copy=False))
        self._targets.append(targets[known].astype(np.int32, copy=False))

    def graph(self, pages: int) -> LinkGraph:
        """The graph of all links added, which are forgotten here."""
        sources, targets = _joined(self._sources), _joined(self._targets)
        self._sources, self._targets = [], []
        return build_graph(sources, targets, pages)


def build_graph(sources: Numbers, targets: Numbers, pages: int) -> LinkGraph:
    """The graph of the links `sources[i]` → `targets[i]`; those to oneself and repeated ones are left out.

    Raises ValueError for a number that is not below `pages`. Two stable counting sorts (by source, then by target)
    bring repeated links together in time proportional to their number.
    """
    _check(sources, targets, pages)
    starts, ordered = _counting_order(sources, targets, pages)
    source_of = np.repeat(np.arange(pages, dtype=np.int32), np.diff(starts))
    starts, ordered = _counting_order(ordered, source_of, pages)
    del source_of
    out_degrees = np.zeros(pages, dtype=np.int32)
    kept = _drop_repeated(starts, ordered, out_degrees)
    return LinkGraph(starts, ordered[:kept].copy() if kept < len(ordered) else ordered, out_degrees)


def _check(sources: Numbers, targets: Numbers, pages: int) -> None:
    if len(sources) != len(targets):
        raise ValueError("Every link needs a source and a target.")
    for ends in (sources, targets):
        if len(ends) and not (ends.min() >= 0 and ends.max() < pages):
            raise ValueError(f"A link names a page that is not among the {pages:,} pages.")


def _counting_order(keys: Numbers, values: Numbers, pages: int) -> tuple[NDArray[np.int64], Numbers]:
    """Where each key's values begin, and the values ordered by key, of one key in their old order."""
    starts = np.zeros(pages + 1, dtype=np.int64)
    np.cumsum(np.bincount(keys, minlength=pages), out=starts[1:])
    ordered = np.empty(len(values), dtype=np.int32)
    _scatter(np.ascontiguousarray(keys), np.ascontiguousarray(values), starts[:-1].copy(), ordered)
    return starts, ordered


@kernel((R_I4, R_I4, W_I8, W_I4))
def _scatter(keys, values, next_place, ordered):  # type: ignore[no-untyped-def]
    for i in range(keys.size):
        key = keys[i]
        ordered[next_place[key]] = values[i]
        next_place[key] += 1


@kernel(I8(W_I8, W_I4, W_I4))
def _drop_repeated(starts, sources, out_degrees):  # type: ignore[no-untyped-def]
    """Close the gaps that self-links and repeated links leave; returns how many links remain."""
    kept, begin = 0, 0
    for page in range(starts.size - 1):
        end = starts[page + 1]
        last = -1
        starts[page] = kept
        for i in range(begin, end):
            source = sources[i]
            if source != page and source != last:
                sources[kept] = source
                out_degrees[source] += 1
                kept += 1
            last = source
        begin = end
    starts[starts.size - 1] = kept
    return kept


def _joined(parts: list[Numbers]) -> Numbers:
    return np.concatenate(parts) if parts else np.zeros(0, dtype=np.int32)
