"""Scrapy: as its documentation teaches it; `--tuned` by hand, without LinkExtractor and item classes; `--once` with a
set of addresses of its own too, so that sixty links a page are not sixty requests for its duplicates filter.

All keep a durable queue (JOBDIR), obey robots.txt, run on uvloop and store what they find as JSON lines.
"""

import sys
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import scrapy
from lxml import etree
from scrapy.crawler import CrawlerProcess
from scrapy.linkextractors import LinkExtractor

from tests.benchmarks._contest import CONCURRENCY, FIELDS, Stopwatch, tell


class Item(scrapy.Item):
    name = scrapy.Field()
    brand = scrapy.Field()
    price = scrapy.Field()
    sku = scrapy.Field()
    rating = scrapy.Field()
    stock = scrapy.Field()


class TaughtSpider(scrapy.Spider):
    """The spider of the tutorial: selectors, an item, a LinkExtractor, `response.follow`."""

    name = "taught"
    links = LinkExtractor()

    def parse(self, response: Any) -> Iterator[Any]:
        texts = {name: response.xpath(f"{path}//text()").get() for name, path in FIELDS.items()}
        yield Item(**{name: (text or "").strip() for name, text in texts.items()})
        for link in self.links.extract_links(response):
            yield response.follow(link, self.parse)


class TunedSpider(scrapy.Spider):
    """What a careful person gets: compiled XPaths on one lxml tree, own links, plain dicts."""

    name = "tuned"
    _fields = {name: etree.XPath(f"{path}//text()", smart_strings=False) for name, path in FIELDS.items()}
    _links = etree.XPath("//a/@href", smart_strings=False)

    def parse(self, response: Any) -> Iterator[Any]:
        tree = etree.HTML(response.body)
        yield {name: "".join(path(tree)).strip() for name, path in self._fields.items()}
        for url in self._new(map(response.urljoin, self._links(tree))):
            yield scrapy.Request(url, self.parse)

    def _new(self, urls: Iterable[str]) -> Iterable[str]:
        return urls


class OnceSpider(TunedSpider):
    """The same, and it makes no request for an address that it has met: Scrapy's own filter has nothing left to do."""

    name = "once"

    def __init__(self, **more: Any) -> None:
        super().__init__(**more)
        self._met: set[str] = set()

    def _new(self, urls: Iterable[str]) -> Iterable[str]:
        for url in urls:
            if url not in self._met:
                self._met.add(url)
                yield url


def settings(folder: Path, pages: int) -> dict[str, Any]:
    return {
        "TWISTED_REACTOR": "twisted.internet.asyncioreactor.AsyncioSelectorReactor",
        "ASYNCIO_EVENT_LOOP": "uvloop.Loop",
        "JOBDIR": str(folder / "job"),
        "FEEDS": {str(folder / "items.jsonl"): {"format": "jsonlines"}},
        "ROBOTSTXT_OBEY": True,
        "CONCURRENT_REQUESTS": CONCURRENCY,
        "CONCURRENT_REQUESTS_PER_DOMAIN": CONCURRENCY,
        "DOWNLOAD_DELAY": 0,
        "CLOSESPIDER_PAGECOUNT": pages + 1,  # robots.txt counts as one
        "TELNETCONSOLE_ENABLED": False,
        "LOG_LEVEL": "ERROR",
        "USER_AGENT": "Gleaner-benchmark",
    }


SPIDERS = {"--tuned": TunedSpider, "--once": OnceSpider}


def main(url: str, pages: int, spider: type[scrapy.Spider]) -> None:
    with tempfile.TemporaryDirectory(prefix="scrapy-bench-") as folder:
        process = CrawlerProcess(settings(Path(folder), pages))
        crawler = process.create_crawler(spider)
        watch = Stopwatch()
        process.crawl(crawler, start_urls=[url])
        process.start()
        stats = crawler.stats.get_stats() if crawler.stats else {}
        found = stats.get("downloader/response_status_count/200", 0) - stats.get(
            "robotstxt/response_status_count/200", 0
        )
        tell(watch.result(pages=found, documents=stats.get("item_scraped_count", 0)))


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), SPIDERS.get(sys.argv[-1], TaughtSpider))
