"""The floor: bare lxml on the same pages, already in memory: parse, six compiled XPaths, the links."""

import sys

from lxml import etree

from backend.demo_site.throughput.pages import item_page
from tests.benchmarks._contest import FIELDS, Stopwatch, tell


def main(total: int, pages: int) -> None:
    paths = [etree.XPath(f"{path}//text()", smart_strings=False) for path in FIELDS.values()]
    links = etree.XPath("//a/@href", smart_strings=False)
    bodies = [item_page(number % total, total) for number in range(min(pages, 500))]
    found = 0
    watch = Stopwatch()
    for number in range(pages):
        tree = etree.HTML(bodies[number % len(bodies)])
        found += all(path(tree) for path in paths) and bool(links(tree))
    tell(watch.result(pages=pages, documents=found))


if __name__ == "__main__":
    main(int(sys.argv[1].rpartition(":")[2]), int(sys.argv[2]))
