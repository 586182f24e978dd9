"""What a runner's frontier must know of its crawler, frozen when the runner starts."""

from dataclasses import dataclass, field
from enum import StrEnum

from crawler_node.politeness.pace import PaceRules


class Strategy(StrEnum):
    """Which level goes first: the nearest to the seeds, or the farthest."""

    BFS = "bfs"
    DFS = "dfs"


@dataclass(frozen=True, slots=True)
class Inefficiency:
    """When a runner is not worth going on with; None switches a rule off.

    `pages_without_new_document` and `pages_only_duplicate` count pages in a row; `error_rate` is the share of failed
    pages once `error_rate_after` pages were tried.
    """

    pages_without_new_document: int | None = None
    pages_only_duplicate: int | None = None
    error_rate: float | None = None
    error_rate_after: int = 100


@dataclass(frozen=True, slots=True)
class FrontierOptions:
    """Limits are None where there is none. `retries` counts tries after the first.

    `page_deadline_seconds` is how long after its slot a lease lives; `max_broken_leases` how often a URL may be leased
    and never come back before it is given up (see `suspects.py`); `keep_bytes` how much the kept pages may take,
    compressed; `prefer` which addresses come first within their level. `max_depth` and `follow_canonical` (whether the
    address that a page calls its own is visited) are kept by the engine; stores keep them for pages that were not read
    again.
    """

    strategy: Strategy = Strategy.BFS
    max_pages: int | None = None
    max_documents: int | None = None
    max_depth: int | None = None
    wall_seconds: float | None = None
    retries: int = 2
    respect_robots: bool = True
    page_deadline_seconds: float = 60.0
    max_broken_leases: int = 5
    keep_bytes: int | None = None
    prefer: tuple[str, ...] = ()
    follow_canonical: bool = False
    pace: PaceRules = field(default_factory=PaceRules)
    inefficiency: Inefficiency = field(default_factory=Inefficiency)
