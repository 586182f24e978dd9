"""What a runner begins with."""

from crawler_node.contracts import Candidate
from crawler_node.engine.spec import CrawlSpec
from crawler_node.errors import SeedError
from crawler_node.urls import Canonicalizer, check_seed


def seed_candidates(spec: CrawlSpec) -> list[Candidate]:
    """The seeds as candidates; raises SeedError with a sentence for one that is no web address."""
    canonicalizer = Canonicalizer(spec.addresses)
    found = []
    for seed in spec.seeds:
        url = canonicalizer.canonicalize(seed.strip())
        if url is None:
            raise SeedError(check_seed(seed) or f"“{seed}” is not a web address.")
        found.append(Candidate(url.url, url.key, url.authority, 0, 0.9))
    return found
