"""`python -m tests.benchmarks.browser`: pages per CPU second in a browser, beside the naive way and Playwright.

Everyone shows the same scripted pages of the test site (a list of 60 things, and pages of one thing each), one after
another in one browser that has started, finds every document, every link and the status. The naive way is that of the
thesis, in Debian's Chromium; Playwright and we use the headless shell, as Playwright itself does. CPU is that of the
whole process tree. Then a static site is crawled in lane http and in lane auto. The last line is JSON.
"""

import argparse
import json
import statistics
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from backend.demo_site.options import SiteOptions
from backend.demo_site.process import SiteProcess
from backend.demo_site.throughput.pages import PREFIX
from tests.benchmarks._browser_contest import Result
from tests.benchmarks._report import replace_section, table

ROOT = Path(__file__).parents[2]
CONTESTANTS = {
    "Gleaner": "tests.benchmarks._browser_ours",
    "Playwright": "tests.benchmarks._browser_playwright",
    "the naive way": "tests.benchmarks._browser_naive",
}
Results = dict[str, dict[str, list[Result]]]


def main(arguments: Sequence[str] | None = None) -> None:
    options = _options(arguments)
    results: Results = {name: {} for name in CONTESTANTS}
    with SiteProcess(SiteOptions()) as site:
        for _ in range(options.rounds):
            for name, module in CONTESTANTS.items():
                for kind, found in _run(module, site.url, str(options.items), str(options.lists)).items():
                    results[name].setdefault(kind, []).append(Result(**found))
    static = _static(options.static_pages) if options.static_pages else {}
    lines = _lines(results, static, options.rounds)
    print("\n".join(lines))
    if options.write_docs:
        replace_section(ROOT / "docs" / "benchmarks.md", "Browser", lines)
    print(json.dumps(_summary(results, static)))


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="./gleaner bench browser", description=__doc__)
    parser.add_argument("--items", type=int, default=60, help="pages of one thing (60)")
    parser.add_argument("--lists", type=int, default=6, help="pages with a list of 60 things (6)")
    parser.add_argument("--rounds", type=int, default=3, help="how often everyone shows them, in turn (3)")
    parser.add_argument("--static-pages", type=int, default=10_000, help="pages of the static site, 0 for none (10000)")
    parser.add_argument("--write-docs", action="store_true", help="replace the section Browser of docs/benchmarks.md")
    return parser.parse_args(arguments)


def _run(module: str, *words: str) -> dict[str, Any]:
    command = [sys.executable, "-m", module, *words]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"{module} failed:\n{done.stderr[-2000:]}")
    found: dict[str, Any] = json.loads(done.stdout.strip().splitlines()[-1])
    return found


def _static(pages: int) -> dict[str, dict[str, Any]]:
    with SiteProcess(SiteOptions(pages=pages)) as site:
        return {
            lane: _run("tests.benchmarks._browser_static", f"{site.url}{PREFIX}0", str(pages), lane)
            for lane in ("http", "auto")
        }


def _cpu_ms(results: Results, name: str, kind: str | None = None) -> float:
    """Median over the rounds of the CPU a page, over all kinds or one."""
    rounds = zip(*(found for title, found in results[name].items() if kind in (None, title)), strict=True)
    return statistics.median(
        1000 * sum(result.cpu_seconds for result in one) / sum(result.pages for result in one) for one in rounds
    )


def _lines(results: Results, static: dict[str, dict[str, Any]], rounds: int) -> list[str]:
    kinds = list(results["Gleaner"])
    rows = [
        (
            name,
            *(f"{_cpu_ms(results, name, kind):.0f}" for kind in kinds),
            f"{_cpu_ms(results, name):.0f}",
            f"{1000 / _cpu_ms(results, name):.1f}",
            f"{max(one.memory_mb for found in results[name].values() for one in found):.0f}",
        )
        for name in results
    ]
    head = [f"CPU ms a page, median of {rounds} rounds, everyone in turn; memory of one session in MB.", ""]
    lines = head + table(["", *kinds, "all", "pages a CPU second", "memory"], rows)
    if static:
        told = [f"lane {lane} {found['cpu_seconds']:.1f} s" for lane, found in static.items()]
        sampled = static["auto"]["sampled"]
        lines += [
            "",
            f"{static['http']['pages']:,} static pages: {', '.join(told)} CPU; auto rendered {sampled} samples.",
        ]
    return lines


def _summary(results: Results, static: dict[str, dict[str, Any]]) -> dict[str, float]:
    ours = _cpu_ms(results, "Gleaner")
    summary = {
        "cpu_ratio_to_naive": round(_cpu_ms(results, "the naive way") / ours, 2),
        "cpu_ratio_to_playwright": round(_cpu_ms(results, "Playwright") / ours, 2),
        "memory_mb": round(max(one.memory_mb for found in results["Gleaner"].values() for one in found)),
    }
    if static:
        summary["auto_overhead"] = round(static["auto"]["cpu_seconds"] / static["http"]["cpu_seconds"], 3)
        summary["auto_samples"] = static["auto"]["sampled"]
    return summary


if __name__ == "__main__":
    main()
