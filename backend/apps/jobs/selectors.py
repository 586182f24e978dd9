"""Reads of jobs: how well the workers of a runner worked together.

The measures are those of Cho and Garcia-Molina, “Parallel crawlers” (2002), as the thesis asks for them.
"""

from collections import Counter
from datetime import datetime
from typing import Any

from backend.apps.jobs.models import HeadLease, Placement
from backend.apps.runners.models import Runner


def head_leads(*, now: datetime) -> bool:
    """Whether a head node is there that starts what waits."""
    return HeadLease.objects.filter(expires_at__gt=now).exists()


def cooperation_of(runner: Runner, counts: dict[str, Any]) -> dict[str, Any]:
    """`workers`: those that began; one that was given a place and never asked for an address took no part.
    `overlap`: pages fetched in vain because another worker had them, for each page kept (0 is wanted).
    `coverage`: the share of the known pages that were fetched. `quality`: the share of the fetched pages that gave
    documents, as focused crawlers are judged (Chakrabarti et al. 1999, “harvest rate”). `balance`: an average worker's
    pages for each of the busiest one's (1 is even). `speedup`: what all fetched for each page of the busiest one, which
    is the number of workers where the run scales. `round_trips_per_page`: what coordination and storage cost in
    questions to the database; `frontier_queries_per_page` is the share of coordination alone.
    """
    placements = Placement.objects.filter(job__runner=runner).values_list("worker", "live")
    told = [(worker, live) for worker, live in placements if live.get("round_trips")]
    pages = Counter()
    for worker, live in told:
        pages[worker] += live.get("pages", 0)
    kept, most = pages.total(), max(pages.values(), default=0)
    in_vain = sum(live.get("fetched", 0) for _, live in told) - kept
    known = counts["pages"] + counts["queued"] + counts["leased"] + counts["failed"]
    return {
        "workers": len(pages),
        "overlap": _share(in_vain, kept),
        "coverage": _share(counts["pages"], known),
        "quality": _share(counts["fruitful_pages"], counts["pages"]),
        "balance": _share(kept, len(pages) * most),
        "speedup": _share(kept, most),
        "round_trips_per_page": _share(sum(live.get("round_trips", 0) for _, live in told), kept),
        "frontier_queries_per_page": _share(sum(live.get("frontier_queries", 0) for _, live in told), kept),
    }


def _share(part: float, whole: float) -> float:
    return round(part / whole, 4) if whole else 0.0
