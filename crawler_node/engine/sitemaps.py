"""From a sitemap to candidates, a bit at a time, so that a huge one does not hold up other pages."""

import asyncio
import time

from crawler_node.contracts import Candidate, Lease, TargetKind
from crawler_node.engine.sieve import LinkSieve
from crawler_node.sitemaps import MAX_ENTRIES, SitemapEntry, SitemapError, read_sitemap
from crawler_node.urls.parse import normalize

_MAX_INDEX_DEPTH = 5
_PAUSE_EVERY_SECONDS = 0.02
# No sitemap may be larger than that (sitemaps.org), but a packed one can be.
_MAX_CHARACTERS = 50_000_000


async def read_candidates(body: bytes, lease: Lease, sieve: LinkSieve) -> tuple[list[Candidate], str]:
    """The addresses of a sitemap and, when it stops being one half-way or is too long, a sentence about it.

    Pages count as seeds (depth 0). `lease.depth` is how many sitemap indexes led here.
    """
    candidates: list[Candidate] = []
    count = characters = 0
    started = time.perf_counter()
    try:
        for entry in read_sitemap(body):
            count += 1
            if time.perf_counter() - started > _PAUSE_EVERY_SECONDS:
                await asyncio.sleep(0)
                started = time.perf_counter()
            candidate = _propose(entry, lease, sieve)
            if candidate is None:
                continue
            characters += len(candidate.url)
            if characters > _MAX_CHARACTERS:
                break
            candidates.append(candidate)
    except SitemapError as error:
        return candidates, str(error)
    is_cut = count >= MAX_ENTRIES or characters > _MAX_CHARACTERS
    return candidates, f"Only the first {len(candidates):,} addresses of the sitemap were taken." if is_cut else ""


def _propose(entry: SitemapEntry, lease: Lease, sieve: LinkSieve) -> Candidate | None:
    if entry.is_sitemap and lease.depth >= _MAX_INDEX_DEPTH:
        return None
    kind = TargetKind.SITEMAP if entry.is_sitemap else TargetKind.PAGE
    depth = lease.depth + 1 if entry.is_sitemap else 0
    priority = 0.5 if entry.priority is None else 0.9 * entry.priority
    # Full addresses are asked for (sitemaps.org); feeds and some sites write where on the site the page is.
    url = (normalize(entry.url, lease.url) or "") if entry.url.startswith("/") else entry.url
    return sieve.propose(url, depth=depth, priority=priority, kind=kind)
