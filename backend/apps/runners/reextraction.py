"""Running the present template again on the pages that a run kept, without asking the site."""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from django.db.models import Q, QuerySet
from django.utils import timezone
from zstandard import ZstdError

from backend.apps.documents.models import Document, Page
from backend.apps.errors import Conflict
from backend.apps.jobs.models import Job, JobState
from backend.apps.runners.crawl_store.documents import DocumentDesk
from backend.apps.runners.crawl_store.sql import database_clock, one_transaction
from backend.apps.runners.crawl_store.state import lock_state
from backend.apps.runners.crawl_store.urls import UrlRow
from backend.apps.runners.models import LogLine, Runner, UrlState
from backend.apps.templates.describing import describe_template
from crawler_node.contracts import Lease, Outcome, PageReading, PageRecord, PageState
from crawler_node.engine import CrawlSpec
from crawler_node.engine.outcomes import NOINDEX_SENTENCE
from crawler_node.extract.bounded import BoundedPool
from crawler_node.extract.compiler import compile_template
from crawler_node.extract.errors import ExtractError
from crawler_node.extract.reader import TemplateReader
from crawler_node.extract.spec import parse_template
from crawler_node.fetch.statuses import GONE, MOVED
from crawler_node.sinks.packing import unpack_page
from crawler_node.urls import Canonicalizer
from wording import say_count

BATCH_PAGES = 20
BATCH_ROWS = 500
PAGE_SECONDS = 10.0
NOT_MODIFIED = 304
NOTHING_KEPT = (
    "This run kept no pages, so there is nothing to extract from again. Switch on “keep pages” in the crawler; the next"
    " run keeps them."
)
NOTHING_LEFT = (
    "The pages of this run were deleted to free space (./gleaner prune), so there is nothing to extract from again. Run"
    " its crawler again, with “keep pages” switched on."
)


@dataclass(slots=True)
class Reextraction:
    """What came of it so far. `newer` pages were left alone: a later run has fetched them since."""

    total: int
    pages: int = 0
    newer: int = 0
    unreadable: int = 0
    new_documents: int = 0
    changed_documents: int = 0
    unchanged_documents: int = 0
    duplicate_documents: int = 0

    @property
    def sentence(self) -> str:
        told = (
            f"The present template was run on {say_count(self.pages, 'kept page')}: "
            f"{say_count(self.new_documents, 'new document')}, {self.changed_documents:,} changed, "
            f"{self.unchanged_documents:,} as before"
        )
        told += (
            f", {say_count(self.duplicate_documents, 'copy', 'copies')} of others" if self.duplicate_documents else ""
        )
        told += f"; {say_count(self.unreadable, 'page')} could not be read" if self.unreadable else ""
        told += f"; {say_count(self.newer, 'page')} left alone: fetched again by a later run" if self.newer else ""
        return f"{told}."


def reextract_runner(*, runner: Runner, on_progress: Callable[[Reextraction], None] | None = None) -> Reextraction:
    """Documents as the present template reads the kept pages; a changed one gets a new version.

    Each batch is a transaction of its own and doing it again changes nothing more, so it may be broken off at any time.
    Raises Conflict while the run works, and when it kept no pages; TemplateError for a template that cannot work.
    """
    if Job.objects.filter(runner=runner).exclude(state=JobState.FINISHED).exists():
        raise Conflict("The run is not over yet. Wait for its end or stop it, then extract again.")
    described = describe_template(runner.crawler.template)
    template = compile_template(parse_template(described))
    done = Reextraction(total=_kept_pages(runner).count())
    if not done.total:
        raise Conflict(NOTHING_KEPT if runner.pruned_at is None else NOTHING_LEFT)
    with BoundedPool(size=1, budget_seconds=PAGE_SECONDS) as pool:
        reader = _KeptPageReader(TemplateReader(template, addresses=_addresses(runner)), described, pool)
        for pages in _batches(runner):
            _take_batch(runner, reader, pages, done)
            if on_progress is not None:
                on_progress(done)
    if _is_new(runner, described):
        _ask_unkept_whole(runner)
    _remember(runner, described, done)
    return done


def _addresses(runner: Runner) -> Canonicalizer:
    crawler = runner.specification.get("crawler")
    return Canonicalizer(CrawlSpec.from_json(crawler).addresses if crawler else None)


def _kept_pages(runner: Runner) -> QuerySet[Page]:
    return Page.objects.filter(runner=runner, content__raw__isnull=False)


def _batches(runner: Runner) -> Iterator[list[Page]]:
    last = 0
    rows = _kept_pages(runner).order_by("pk")
    while ids := list(rows.filter(pk__gt=last).values_list("pk", flat=True)[:BATCH_PAGES]):
        yield list(Page.objects.filter(pk__in=ids).select_related("content").order_by("pk"))
        last = ids[-1]


def _take_batch(runner: Runner, reader: "_KeptPageReader", pages: Sequence[Page], done: Reextraction) -> None:
    newer = _fetched_later(runner, pages)
    current = [page for page in pages if bytes(page.key) not in newer]
    readings = [(page, reader.read(page)) for page in current]
    readable = [(page, reading) for page, reading in readings if not reading.failure]
    _put(runner, readable, done)
    if _is_new(runner, reader.template):
        _ask_whole({page.pk for page in pages} - {page.pk for page, _ in readable})
    done.newer += len(pages) - len(current)
    done.pages += len(current)
    done.unreadable += len(current) - len(readable)


def _is_new(runner: Runner, template: Mapping[str, object]) -> bool:
    """Whether the run's documents were told by another template so far."""
    return bool(runner.specification.get("template") != template)


def _ask_unkept_whole(runner: Runner) -> None:
    """The next run fetches whole what this one did not keep."""
    last, rows = 0, Page.objects.filter(runner=runner, content__raw__isnull=True).order_by("pk")
    while ids := list(rows.filter(pk__gt=last).values_list("pk", flat=True)[:BATCH_ROWS]):
        _ask_whole(ids)
        last = ids[-1]


def _ask_whole(ids: Collection[int]) -> None:
    """The present template has not read these pages: to hear that they have not changed would leave them so."""
    Page.objects.filter(pk__in=ids).update(etag="", last_modified="")


def _fetched_later(runner: Runner, pages: Sequence[Page]) -> set[bytes]:
    """Keys of pages that a later run fetched anew, or found gone: what they said then is truer than what we have."""
    keys = [bytes(page.key) for page in pages]
    told = Q(state="done") | Q(http_status__in=GONE) | Q(state="redirected", http_status__in=MOVED)
    found = Page.objects.filter(told, runner__in=_later_runs(runner), key__in=keys).exclude(http_status=NOT_MODIFIED)
    return {bytes(key) for key in found.values_list("key", flat=True)}


def _seen_later(runner: Runner, outcomes: Sequence[Outcome]) -> dict[bytes, bytes]:
    """Documents that a later run found: by identity the page it found them on, perhaps another one."""
    documents = [document for outcome in outcomes for document in outcome.documents]
    identities = {name for document in documents for name in (document.identity, document.former) if name}
    found = Document.objects.filter(
        crawler=runner.crawler_id, identity__in=identities, last_runner__in=_later_runs(runner)
    )
    return {bytes(identity): bytes(page) for identity, page in found.values_list("identity", "page_key")}


def _later_runs(runner: Runner) -> list[int]:
    later = Runner.objects.filter(crawler=runner.crawler_id, number__gt=runner.number)
    return list(later.values_list("pk", flat=True))


@dataclass(frozen=True, slots=True)
class _KeptPageReader:
    """Reads kept pages in a child process that is ended when a page takes too long: that page fails, the rest go on."""

    reader: TemplateReader
    template: dict[str, object]
    pool: BoundedPool

    def read(self, page: Page) -> PageReading:
        """As the crawl would have read it at that moment; “yesterday” is the day before it was fetched."""
        try:
            body = unpack_page(bytes(page.content.raw))
            found = self.pool.try_page(
                self.template, body, url=page.url, content_type=page.content_type, now=page.fetched_at
            )
        except (ValueError, ZstdError, ExtractError) as error:
            return PageReading(page.url, failure=str(error))
        documents = self.reader.documents(page.url, found.extraction)
        return PageReading(page.url, documents, noindex=found.noindex)


def _put(runner: Runner, readings: Sequence[tuple[Page, PageReading]], done: Reextraction) -> None:
    respects_robots = runner.specification.get("crawler", {}).get("respect_robots", True)
    outcomes = [_outcome(page, reading, respects_robots=respects_robots) for page, reading in readings]
    with one_transaction() as cursor:
        lock_state(cursor, runner.pk)
        desk = DocumentDesk(
            cursor,
            crawler_id=runner.crawler_id,
            project_id=runner.crawler.project_id,
            runner_id=runner.pk,
            is_first_run=False,
        )
        desk.take_turn()
        seen_later = _seen_later(runner, outcomes)
        pages = [page for page, _ in readings]
        desk.load(outcomes, now=database_clock(cursor))
        counts = [
            desk.put(_row(page), outcome, room=None, without=_moved_from(page, seen_later))
            for page, outcome in zip(pages, outcomes, strict=True)
        ]
        desk.save()
        for page, outcome in zip(pages, outcomes, strict=True):
            Page.objects.filter(pk=page.pk).update(
                document_count=len(outcome.documents), state="done", failure=outcome.page.sentence
            )
    for new, changed, unchanged, duplicate, _ in counts:
        done.new_documents += new
        done.changed_documents += changed
        done.unchanged_documents += unchanged
        done.duplicate_documents += duplicate


def _outcome(page: Page, reading: PageReading, *, respects_robots: bool) -> Outcome:
    """A page that asked (in a header, of which we kept only the sentence) not to be indexed still does."""
    is_hidden = respects_robots and (reading.noindex or page.failure == NOINDEX_SENTENCE)
    documents = () if is_hidden else reading.documents
    lease = Lease(page.url, bytes(page.key), "", page.depth, attempt=1, wait_seconds=0.0, fence=0)
    return Outcome(lease, PageRecord(PageState.DONE, sentence=NOINDEX_SENTENCE if is_hidden else ""), documents)


def _moved_from(page: Page, seen_later: Mapping[bytes, bytes]) -> set[bytes]:
    """What a later run found on another page than this: what that says is truer than what we have."""
    return {identity for identity, found_on in seen_later.items() if found_on != bytes(page.key)}


def _row(page: Page) -> UrlRow:
    return UrlRow(
        *(page.pk, bytes(page.key), 0, page.url, "page", 0, "", ""),
        state=UrlState.DONE,
        rank=0.0,
        depth=page.depth,
    )


def _remember(runner: Runner, template: dict[str, object], done: Reextraction) -> None:
    """From now on the run's documents are told by the columns of the template that made them."""
    runner.specification = {**runner.specification, "template": template}
    runner.save(update_fields=["specification", "updated_at"])
    LogLine.objects.create(runner=runner, at=timezone.now(), message=done.sentence)
