"""Crawlee for Python: its ParselCrawler with its own link following, robots.txt on, storage on disk."""

import asyncio
import os
import sys
import tempfile
from datetime import timedelta
from typing import Any

from tests.benchmarks._contest import CONCURRENCY, FIELDS, Result, Stopwatch, tell


async def crawl(url: str, pages: int) -> Result:
    from crawlee import ConcurrencySettings
    from crawlee.crawlers import ParselCrawler

    crawler = ParselCrawler(
        max_requests_per_crawl=pages,
        respect_robots_txt_file=True,
        concurrency_settings=ConcurrencySettings(
            min_concurrency=CONCURRENCY, desired_concurrency=CONCURRENCY, max_concurrency=CONCURRENCY
        ),
        request_handler_timeout=timedelta(seconds=60),
        configure_logging=False,
    )

    @crawler.router.default_handler
    async def handle(context: Any) -> None:
        texts = {name: context.selector.xpath(f"{path}//text()").get() for name, path in FIELDS.items()}
        await context.push_data({name: (text or "").strip() for name, text in texts.items()})
        await context.enqueue_links()

    watch = Stopwatch()
    statistics = await crawler.run([url])
    data = await crawler.get_data(limit=1)
    return watch.result(pages=statistics.requests_finished, documents=data.total)


def main(url: str, pages: int) -> None:
    with tempfile.TemporaryDirectory(prefix="crawlee-bench-") as folder:
        os.environ["CRAWLEE_STORAGE_DIR"] = folder
        os.environ["CRAWLEE_LOG_LEVEL"] = "ERROR"
        tell(asyncio.run(crawl(url, pages)))


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
