"""The contract of every crawl store. Inherit `CrawlStoreContract`, say how to make a store and how to look into it."""

from tests.contracts.crawl_store.leases import LeasesContract
from tests.contracts.crawl_store.making import CANONICALIZER, FakeClock, candidate, document, done, failed
from tests.contracts.crawl_store.order import OrderContract
from tests.contracts.crawl_store.politeness import PolitenessContract
from tests.contracts.crawl_store.refusals import RefusalsContract
from tests.contracts.crawl_store.stops import StopsContract
from tests.contracts.crawl_store.storing import StoringContract
from tests.contracts.crawl_store.together import TogetherContract

__all__ = ["CANONICALIZER", "CrawlStoreContract", "FakeClock", "candidate", "document", "done", "failed"]


class CrawlStoreContract(
    OrderContract,
    RefusalsContract,
    LeasesContract,
    PolitenessContract,
    StopsContract,
    StoringContract,
    TogetherContract,
):
    """Everything a crawl store promises."""
