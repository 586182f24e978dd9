"""Discovered and filtered: who led to the address, which rule refused it; for one never seen, what the rules say."""

import time
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any, Final

from backend.apps.documents.models import PageContent
from backend.apps.runners.models import CrawlHost, CrawlUrl, Runner, RunnerStatus, UrlState
from backend.apps.search.trace.steps import StepName, Trace
from crawler_node.contracts import Refusal, StopReason
from crawler_node.engine import CrawlSpec
from crawler_node.fetch.identity import PRODUCT, product_token
from crawler_node.robots.rules import RobotsRules
from crawler_node.sinks import unpack_columns
from crawler_node.urls import CanonicalUrl
from crawler_node.urls.scope import AddressPattern
from wording import say_count

MAX_LINKING_PAGES: Final = 10
SEARCH_SECONDS: Final = 3.0
BATCH_PAGES: Final = 200
KEY_BYTES: Final = 16
SITEMAP: Final = "sitemap"
ADD_SEED: Final = "add it as a seed, or the page that should lead to it."
ENDED: Final = (RunnerStatus.COMPLETED, RunnerStatus.EXIT)
BY_THE_ANSWER: Final = frozenset({Refusal.CONTENT_TYPE, Refusal.TOO_BIG})
"""Refusals that only the site's answer can cause."""


def tell_discovery(trace: Trace, row: CrawlUrl, runner: Runner) -> None:
    """From where, with which words, when."""
    at = datetime.fromtimestamp(row.found_at, UTC) if row.found_at else None
    parent = CrawlUrl.objects.filter(pk=row.found_on, runner=runner).first() if row.found_on else None
    if parent is not None:
        trace.found_on.append({"url": parent.url, "anchor": row.anchor})
    elif row.depth > 0:
        trace.found_on += linking_pages(runner, bytes(row.key))
    trace.passed(StepName.DISCOVERED, _discovery_sentence(row, parent, trace, runner), at=at)


def _discovery_sentence(row: CrawlUrl, parent: CrawlUrl | None, trace: Trace, runner: Runner) -> str:
    where = f"in run {runner.number}"
    clicks = f"{say_count(row.depth, 'click')} from the start"
    if parent is not None and parent.kind == SITEMAP:
        return f"The sitemap {parent.url} lists it ({where})."
    if parent is not None and parent.state == UrlState.REDIRECTED:
        return f"{parent.url} redirects to it ({where})."
    if trace.found_on:
        first = trace.found_on[0]
        words = f" with the words “{first['anchor']}”" if first["anchor"] else ""
        return f"{first['url']} links to it{words} ({where}, {clicks})."
    return f"It is one of the crawler's seeds ({where})." if row.depth == 0 else f"It was found {where}, {clicks}."


def tell_filter(trace: Trace, row: CrawlUrl, spec: CrawlSpec) -> None:
    """The rule that refused it, if one did before it was fetched."""
    if row.state == UrlState.SKIPPED and row.refusal and row.refusal not in BY_THE_ANSWER:
        trace.stopped(StepName.FILTERED, refusal_sentence(Refusal(row.refusal), row.url, spec, depth=row.depth))
    else:
        trace.passed(StepName.FILTERED, "The crawler's rules let it pass.")


def tell_never_seen(trace: Trace, found: CanonicalUrl, spec: CrawlSpec, runner: Runner | None) -> None:
    """No run knows the address: what the rules would say, else that nobody led to it."""
    if runner is None:
        refusal = _verdict(found, spec, None)
        told = f" And it would be refused: {refusal_sentence(refusal, found.url, spec)}" if refusal else ""
        trace.stopped(StepName.DISCOVERED, f"The crawler has not run yet. Start it.{told}")
        return
    trace.found_on += linking_pages(runner, found.key)
    refusal = _verdict(found, spec, runner)
    if refusal is not None:
        tell = trace.passed if trace.found_on else trace.passed_over
        tell(StepName.DISCOVERED, _never_sentence(trace, runner))
        trace.stopped(StepName.FILTERED, refusal_sentence(refusal, found.url, spec))
        return
    trace.stopped(StepName.DISCOVERED, f"{_never_sentence(trace, runner)} {_remedy(runner, spec)}")


def _never_sentence(trace: Trace, runner: Runner) -> str:
    if trace.found_on:
        return f"{trace.found_on[0]['url']} links to it, but run {runner.number} did not take it up."
    return f"No page that run {runner.number} read links to it."


def _remedy(runner: Runner, spec: CrawlSpec) -> str:
    scope = " Links are only taken from the chosen parts of pages (links scope)." if spec.links_scope else ""
    if runner.status not in ENDED:
        return f"That run has not ended ({runner.status}) and may still find it. If it does not, {ADD_SEED}{scope}"
    is_early = runner.reason and StopReason.EXHAUSTED.sentence not in runner.reason
    ended = f" That run ended early: {runner.reason}" if is_early else ""
    return f"{ADD_SEED.capitalize()}{scope}{ended}"


def _verdict(found: CanonicalUrl, spec: CrawlSpec, runner: Runner | None) -> Refusal | None:
    refusal = spec.scope().check(found)
    if refusal is None:
        refusal = spec.trap_rules(this_year=datetime.now(UTC).year).judge(found).refusal
    if refusal is None and runner is not None and spec.respect_robots:
        host = CrawlHost.objects.filter(runner=runner, host=found.authority).first()
        rules = None if host is None or host.robots_text is None else _rules(host.robots_text, spec)
        refusal = Refusal.ROBOTS if rules is not None and not rules.allows(found.url) else None
    return refusal


def _rules(text: str, spec: CrawlSpec) -> RobotsRules:
    return RobotsRules(text, product=product_token(spec.user_agent) if spec.user_agent else PRODUCT)


def refusal_sentence(refusal: Refusal, url: str, spec: CrawlSpec, *, depth: int | None = None) -> str:
    """The reason, with the very rule where there is one."""
    match refusal:
        case Refusal.EXCLUDED:
            line = next((line for line in spec.exclude if line.strip() and AddressPattern(line).matches(url)), "")
            return f"The crawler excludes it: “{line}” under excluded addresses fits it."
        case Refusal.OUT_OF_SCOPE:
            return f"None of the crawler's allowed addresses fits it: {', '.join(spec.allow)}."
        case Refusal.CROSS_SITE:
            return f"It leads to another website than the seeds (same site: {spec.same_site})."
        case Refusal.TOO_DEEP:
            away = "too far" if depth is None else f"{say_count(depth, 'click')} away"
            return f"It is {away} from the start; the crawler goes {spec.max_depth} deep at most."
    return refusal.sentence


def linking_pages(runner: Runner, key: bytes) -> list[dict[str, Any]]:
    """Pages of a run whose kept links lead to an address, a few of them, looked for a few seconds at most."""
    found: list[dict[str, Any]] = []
    end = time.monotonic() + SEARCH_SECONDS
    for url, packed in _kept_links(runner):
        anchor = _anchor_to(key, packed)
        if anchor is not None:
            found.append({"url": url, "anchor": anchor})
        if len(found) == MAX_LINKING_PAGES or time.monotonic() > end:
            break
    return found


def _kept_links(runner: Runner) -> Iterator[tuple[str, bytes]]:
    last = 0
    rows = PageContent.objects.filter(page__runner=runner, links__isnull=False).order_by("page_id")
    while batch := list(rows.filter(page_id__gt=last).values_list("page_id", "page__url", "links")[:BATCH_PAGES]):
        last = batch[-1][0]
        for _, url, links in batch:
            yield url, bytes(links)


def _anchor_to(key: bytes, packed: bytes) -> str | None:
    """The words of the first link to an address; None when there is no such link."""
    columns = unpack_columns(packed)
    at = columns.keys.find(key)
    while at >= 0 and at % KEY_BYTES:
        at = columns.keys.find(key, at + 1)
    return columns.anchors[at // KEY_BYTES] if at >= 0 else None
