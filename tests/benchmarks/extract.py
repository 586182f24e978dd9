"""`python -m tests.benchmarks.extract`: CPU per page of reading a product page, beside parsel and bare lxml.

The pages are the test site's (45 KB, 60 links). Everyone parses the bytes, takes the same six fields and all links.
"lxml" is the floor: parse, six compiled XPaths, one for links, nothing else. parsel is used as Scrapy uses it.
Ours makes typed values (a price, a number), anchor texts and directives of them. The last line is JSON.
"""

import argparse
import json
import statistics
import time
from collections.abc import Callable
from pathlib import Path

from lxml import etree

from backend.demo_site.throughput.pages import item_fields, item_page
from backend.demo_site.truth.throughput import THROUGHPUT_RULES
from crawler_node.contracts import FetchedPage
from crawler_node.extract.compiler import compile_template
from crawler_node.extract.reader import TemplateReader
from crawler_node.extract.spec import parse_template
from tests.benchmarks._report import replace_section, table

ROOT = Path(__file__).parents[2]
TOTAL = 100_000
Reader = Callable[[bytes], tuple[str, int]]


def main() -> None:
    options = _options()
    pages = [item_page(number, TOTAL) for number in range(options.pages)]
    readers = _readers()
    for read in readers.values():
        _check(read, pages)
    times: dict[str, list[float]] = {name: [] for name in readers}
    for _ in range(options.rounds):
        for name, read in readers.items():
            times[name].append(_milliseconds_per_page(read, pages))
    medians = {name: statistics.median(values) for name, values in times.items()}
    lines = _lines(medians, pages)
    print("\n".join(lines))
    if options.write_docs:
        replace_section(ROOT / "docs" / "benchmarks.md", "Extraction", lines)
    print(json.dumps(_summary(medians)))


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.extract", description=__doc__)
    parser.add_argument("--pages", type=int, default=300, help="how many pages")
    parser.add_argument("--rounds", type=int, default=7, help="how often each reader reads them, in turn")
    parser.add_argument(
        "--write-docs", action="store_true", help="replace the section Extraction of docs/benchmarks.md"
    )
    return parser.parse_args()


def _readers() -> dict[str, Reader]:
    readers = {
        "lxml": _bare_reader(),
        "Gleaner": _our_reader(),
        "Gleaner with page text": _our_reader(with_features=True),
    }
    try:
        from parsel import Selector
    except ImportError:
        print("parsel is not installed: see tests/benchmarks/requirements.txt")
        return readers

    def read(body: bytes) -> tuple[str, int]:
        selector = Selector(body=body, encoding="utf-8")
        values = {name: selector.xpath(f"string({rule.selector})").get() for name, rule in THROUGHPUT_RULES.items()}
        return values["name"], len(selector.xpath("//a/@href").getall())

    return readers | {"parsel": read}


def _bare_reader() -> Reader:
    parser = etree.HTMLParser(encoding="utf-8", huge_tree=True)
    fields = {name: etree.XPath(rule.selector, smart_strings=False) for name, rule in THROUGHPUT_RULES.items()}
    links = etree.XPath("//a/@href", smart_strings=False)

    def read(body: bytes) -> tuple[str, int]:
        root = etree.fromstring(body, parser)
        values = {name: field(root)[0].text for name, field in fields.items()}
        return values["name"], len(links(root))

    return read


def _our_reader(*, with_features: bool = False) -> Reader:
    inspectors = [
        {"name": name, "selector": rule.selector, "type": str(rule.type)} for name, rule in THROUGHPUT_RULES.items()
    ]
    template = compile_template(parse_template({"name": "product", "inspectors": inspectors}))
    reader = TemplateReader(template, with_features=with_features)
    headers = {"content-type": "text/html; charset=utf-8"}

    def read(body: bytes) -> tuple[str, int]:
        reading = reader(FetchedPage("http://bulk.test/", 200, headers, body))
        return str(reading.documents[0].values["name"]), len(reading.links)

    return read


def _check(read: Reader, pages: list[bytes]) -> None:
    for number in (0, len(pages) - 1):
        if read(pages[number]) != (item_fields(number)["name"], 60):
            raise SystemExit(f"page {number} was read wrong: {read(pages[number])}")


def _milliseconds_per_page(read: Reader, pages: list[bytes]) -> float:
    start = time.process_time()
    for body in pages:
        read(body)
    return (time.process_time() - start) * 1_000 / len(pages)


def _lines(medians: dict[str, float], pages: list[bytes]) -> list[str]:
    floor = medians["lxml"]
    rows = [(name, f"{value:.2f}", f"{value / floor:.2f}") for name, value in medians.items()]
    size = sum(map(len, pages)) // len(pages)
    return [
        f"{len(pages)} product pages of {size:,} bytes, six fields, 60 links; CPU per page.",
        "",
        *table(["reader", "ms per page", "to bare lxml"], rows),
    ]


def _summary(medians: dict[str, float]) -> dict[str, float]:
    ours = medians["Gleaner"]
    summary = {"ms_per_page": round(ours, 3), "floor_ratio": round(medians["lxml"] / ours, 3)}
    summary["page_text_ms"] = round(medians["Gleaner with page text"] - ours, 3)
    if "parsel" in medians:
        summary["cpu_ratio_to_parsel"] = round(medians["parsel"] / ours, 3)
    return summary


if __name__ == "__main__":
    main()
