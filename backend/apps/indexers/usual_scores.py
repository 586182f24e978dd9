"""What to take for a page that came after the last analysis of links: what is usual, until the next build knows."""

from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import urlsplit

import numpy as np
from numpy.typing import NDArray

from backend.apps.indexers import standard_fields as standard
from backend.search_engine.index import Snapshot


@dataclass(frozen=True, slots=True)
class UsualScores:
    """The median PageRank of an index, and the rank of each host; None where no page has any."""

    pagerank: float | None
    host_rank: float | None
    host_ranks: Mapping[str, float]

    @classmethod
    def of(cls, snapshot: Snapshot) -> "UsualScores":
        ranks = snapshot.numbers(standard.HOST_RANK)
        hosts = snapshot.keywords(standard.HOST)
        slots = np.flatnonzero((snapshot.alive > 0) & ~np.isnan(ranks) & (np.diff(hosts.offsets) > 0))
        codes, first = np.unique(hosts.codes[hosts.offsets[slots]], return_index=True)
        by_host = {hosts.values[code]: float(ranks[slots[at]]) for code, at in zip(codes, first, strict=True)}
        pages = snapshot.numbers(standard.PAGERANK)[snapshot.alive > 0]
        return cls(_median(pages), _median(np.array(list(by_host.values()))), by_host)

    def host_rank_of(self, url: str) -> float | None:
        """That of the page's host, and of a host that nobody has seen what is usual."""
        return self.host_ranks.get(urlsplit(url).hostname or "", self.host_rank)


def _median(values: NDArray[np.float64]) -> float | None:
    known = values[~np.isnan(values)]
    return float(np.median(known)) if len(known) else None
