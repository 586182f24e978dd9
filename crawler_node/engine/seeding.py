"""What a runner begins with."""

from collections.abc import Iterator, Sequence

from crawler_node.contracts import Candidate, TargetKind
from crawler_node.engine.spec import CrawlSpec
from crawler_node.errors import SeedError
from crawler_node.robots.fetching import usual_sitemap
from crawler_node.urls import Canonicalizer, check_seed


def seed_candidates(spec: CrawlSpec) -> list[Candidate]:
    """The seeds as candidates; raises SeedError with a sentence for one that is no web address.

    Where sitemaps are wanted and nobody asks for robots.txt, which names them, those at the usual place are seeds too.
    """
    canonicalizer = Canonicalizer(spec.addresses)
    found = []
    for seed in spec.seeds:
        url = canonicalizer.canonicalize(seed.strip())
        if url is None:
            raise SeedError(check_seed(seed) or f"“{seed}” is not a web address.")
        found.append(Candidate(url.url, url.key, url.authority, 0, 0.9))
    wants_sitemaps = spec.sitemap and not spec.respect_robots
    return [*found, *_usual_sitemaps(found, canonicalizer)] if wants_sitemaps else found


def _usual_sitemaps(seeds: Sequence[Candidate], canonicalizer: Canonicalizer) -> Iterator[Candidate]:
    for address in dict.fromkeys(usual_sitemap(seed.url) for seed in seeds):
        url = canonicalizer.canonicalize(address)
        if url is not None:
            yield Candidate(url.url, url.key, url.authority, 0, 0.9, kind=TargetKind.SITEMAP)
