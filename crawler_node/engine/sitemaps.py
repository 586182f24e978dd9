"""From a sitemap to candidates, a bit at a time, so that a huge one does not hold up other pages."""

import asyncio

from crawler_node.contracts import Candidate, Lease, TargetKind
from crawler_node.engine.sieve import LinkSieve
from crawler_node.sitemaps import MAX_ENTRIES, SitemapError, read_sitemap

_MAX_INDEX_DEPTH = 5
_PAUSE_EVERY = 500


async def read_candidates(body: bytes, lease: Lease, sieve: LinkSieve) -> tuple[list[Candidate], str]:
    """The addresses of a sitemap and, when it stops being one half-way, a sentence about it.

    Pages count as seeds (depth 0). `lease.depth` is how many sitemap indexes led here.
    """
    candidates: list[Candidate] = []
    try:
        for number, entry in enumerate(read_sitemap(body)):
            if number % _PAUSE_EVERY == _PAUSE_EVERY - 1:
                await asyncio.sleep(0)
            kind = TargetKind.SITEMAP if entry.is_sitemap else TargetKind.PAGE
            if entry.is_sitemap and lease.depth >= _MAX_INDEX_DEPTH:
                continue
            depth = lease.depth + 1 if entry.is_sitemap else 0
            priority = 0.5 if entry.priority is None else 0.9 * entry.priority
            candidate = sieve.propose(entry.url, depth=depth, priority=priority, kind=kind)
            if candidate is not None:
                candidates.append(candidate)
    except SitemapError as error:
        return candidates, str(error)
    is_cut = len(candidates) >= MAX_ENTRIES
    return candidates, f"Only the first {MAX_ENTRIES:,} addresses of the sitemap were taken." if is_cut else ""
