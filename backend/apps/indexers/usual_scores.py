"""What to take for a page that came after the last analysis of links: what is usual, until the next build knows."""

from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import urlsplit

import numpy as np
from numpy.typing import NDArray

from backend.apps.indexers import standard_fields as standard
from backend.search_engine.index import FieldKind, Snapshot

MEDIANS = (standard.PAGERANK, standard.HUB, standard.AUTHORITY)


@dataclass(frozen=True, slots=True)
class UsualScores:
    """The `MEDIANS` of an index, and the rank of each host; None, or no median, where no page has any."""

    medians: Mapping[str, float]
    host_rank: float | None
    host_ranks: Mapping[str, float]

    @classmethod
    def of(cls, snapshot: Snapshot) -> "UsualScores":
        ranks = snapshot.numbers(standard.HOST_RANK)
        hosts = snapshot.keywords(standard.HOST)
        slots = np.flatnonzero((snapshot.alive > 0) & ~np.isnan(ranks) & (np.diff(hosts.offsets) > 0))
        codes, first = np.unique(hosts.codes[hosts.offsets[slots]], return_index=True)
        by_host = {hosts.values[code]: float(ranks[slots[at]]) for code, at in zip(codes, first, strict=True)}
        found = {name: _median(snapshot.numbers(name)[snapshot.alive > 0]) for name in _numbers_of(snapshot)}
        medians = {name: median for name, median in found.items() if median is not None}
        return cls(medians, _median(np.array(list(by_host.values()))), by_host)

    def host_rank_of(self, url: str) -> float | None:
        """That of the page's host, and of a host that nobody has seen what is usual."""
        return self.host_ranks.get(urlsplit(url).hostname or "", self.host_rank)


def _numbers_of(snapshot: Snapshot) -> list[str]:
    numbers = {field.name for field in snapshot.schema.of_kind(FieldKind.NUMBER)}
    return [name for name in MEDIANS if name in numbers]


def _median(values: NDArray[np.float64]) -> float | None:
    known = values[~np.isnan(values)]
    return float(np.median(known)) if len(known) else None
