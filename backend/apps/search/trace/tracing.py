"""Trace an address through a crawler: from who found it to its rank."""

from typing import Any, Final

from backend.apps.crawlers.describing import describe_crawler
from backend.apps.crawlers.models import Crawler
from backend.apps.documents.models import Document
from backend.apps.errors import Invalid
from backend.apps.runners.models import CrawlUrl, Runner
from backend.apps.search.trace.discovery import tell_discovery, tell_filter, tell_never_seen
from backend.apps.search.trace.extracting import tell_duplicates, tell_extraction
from backend.apps.search.trace.fetching import tell_fetch
from backend.apps.search.trace.indexing import tell_index
from backend.apps.search.trace.page_documents import documents_of
from backend.apps.search.trace.steps import StepName, Trace
from backend.apps.templates.describing import describe_template
from crawler_node.engine import CrawlSpec
from crawler_node.extract.spec import TemplateSpec, parse_template
from crawler_node.urls import Canonicalizer, CanonicalUrl

MAX_RUNS: Final = 100
"""The last runs are asked whether they know the address, the newest first."""
NOT_AN_ADDRESS: Final = "This is no web address. Give one that begins with http:// or https://."


def trace(crawler: Crawler, url: str, *, query: str = "") -> dict[str, Any]:
    """What became of an address; Invalid when it is none."""
    runner = crawler.runners.filter(pruned_at=None).order_by("-number").first()
    spec = _spec_of(crawler, runner)
    found = Canonicalizer(spec.addresses).canonicalize(url.strip())
    if found is None:
        raise Invalid({"url": [NOT_AN_ADDRESS]})
    told = Trace(found.url)
    row = _known(crawler, found.key)
    if row is None:
        _tell_without_row(told, crawler, found, spec, runner, query)
    else:
        runner = Runner.objects.get(pk=row.runner_id)
        _tell_all(told, crawler, row, runner, _spec_of(crawler, runner), query)
    told.run = {"id": runner.pk, "number": runner.number, "status": runner.status} if runner is not None else None
    return told.finish(with_query=bool(query))


def _tell_all(told: Trace, crawler: Crawler, row: CrawlUrl, runner: Runner, spec: CrawlSpec, query: str) -> None:
    tell_discovery(told, row, runner)
    tell_filter(told, row, spec)
    page = tell_fetch(told, row, runner, spec) if not told.is_stopped else None
    if page is not None:
        documents = tell_extraction(told, page, _template_of(crawler, runner), crawler.pk)
        _tell_documents(told, crawler, documents, query)


def _tell_documents(told: Trace, crawler: Crawler, documents: list[Document], query: str) -> None:
    own = tell_duplicates(told, documents) if documents else []
    if own:
        tell_index(told, crawler, own, query)


def _tell_without_row(
    told: Trace, crawler: Crawler, found: CanonicalUrl, spec: CrawlSpec, runner: Runner | None, query: str
) -> None:
    """No run that is still kept knows it; its documents may have outlived the run that found them."""
    known = documents_of(crawler.pk, found.key)
    documents = known.can_be_found
    if not documents:
        tell_never_seen(told, found, spec, runner)
        return
    gone = "An earlier run did this; what it noted of it was cleaned up."
    for name in (StepName.DISCOVERED, StepName.FILTERED, StepName.FETCHED, StepName.EXTRACTED):
        told.passed(name, gone + known.more_sentence if name is StepName.EXTRACTED else gone)
    _tell_documents(told, crawler, documents, query)


def _known(crawler: Crawler, key: bytes) -> CrawlUrl | None:
    """The address in the newest run that knows it."""
    runs = list(crawler.runners.order_by("-number").values_list("pk", flat=True)[:MAX_RUNS])
    rows = CrawlUrl.objects.filter(runner__in=runs, key=key)
    return max(rows, key=lambda row: row.runner_id, default=None)


def _spec_of(crawler: Crawler, runner: Runner | None) -> CrawlSpec:
    frozen = runner.specification.get("crawler") if runner is not None else None
    return CrawlSpec.from_json(frozen or describe_crawler(crawler))


def _template_of(crawler: Crawler, runner: Runner) -> TemplateSpec:
    frozen = runner.specification.get("template")
    return parse_template(frozen or describe_template(crawler.template))
