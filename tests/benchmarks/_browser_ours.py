"""Our browser lane: guard, settle rule, snapshot, log and extractor, as in a crawl."""

import sys

import uvloop

from backend.demo_site.truth import DocumentKind
from crawler_node.browser import BrowserLane, BrowserOptions, find_programs
from crawler_node.contracts import FetchedPage, Lease
from crawler_node.extract.compiler import compile_template
from crawler_node.extract.reader import TemplateReader
from crawler_node.extract.spec import parse_template
from crawler_node.fetch import HttpLane, LaneOptions, parse_allow_networks
from tests.benchmarks._browser_contest import ITEMS, LIST, Measurement, Result, tell


def reader_for(kind: DocumentKind) -> TemplateReader:
    inspectors = [
        {"name": name, "selector": rule.selector, "type": str(rule.type), "attribute": rule.attribute, "required": True}
        for name, rule in kind.rules.items()
    ]
    template = {"name": kind.name, "item_scope": kind.item_scope, "inspectors": inspectors}
    return TemplateReader(compile_template(parse_template(template)))


async def main(site: str, items: int, lists: int) -> None:
    http = HttpLane(LaneOptions(policy=parse_allow_networks(site.removeprefix("http://"))))
    async with http, BrowserLane(http, find_programs(), BrowserOptions()) as lane:
        await lane.fetch(_lease(f"{site}/dynamic/"))
        counts = {LIST.name: (LIST, lists), ITEMS.name: (ITEMS, items)}
        tell({name: await _measure(lane, site, kind, count) for name, (kind, count) in counts.items()})


async def _measure(lane: BrowserLane, site: str, kind: DocumentKind, count: int) -> Result:
    reader = reader_for(kind)
    measurement = Measurement(kind, count)
    for path in measurement.paths:
        page = await lane.fetch(_lease(site + path))
        assert isinstance(page, FetchedPage), page
        measurement.check(path, len(reader(page).documents))
    return measurement.result()


def _lease(url: str) -> Lease:
    return Lease(url, b"key", "host", 0, 1, 0.0, 1)


if __name__ == "__main__":
    uvloop.run(main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3])))
