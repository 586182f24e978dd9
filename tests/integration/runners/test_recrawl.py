"""A second run asks with the validators of the first; a page that has not changed costs no body and loses nothing."""

from collections.abc import Callable
from dataclasses import replace

import pytest
from django.utils import timezone

from backend.apps.documents.exports import DocumentSource, documents_of_runner
from backend.apps.documents.models import Document, DocumentGap, Page
from backend.apps.documents.selectors import found_by
from backend.apps.housekeeping.batches import delete_documents, delete_pages_of_runner
from backend.apps.housekeeping.deleting import delete_runner
from backend.apps.housekeeping.sweeping import sweep
from backend.apps.runners.crawl_store import SqlCrawlStore
from backend.apps.runners.crawl_store.pages import unpack_features
from backend.apps.runners.models import CrawlUrl, Runner, UrlState
from crawler_node.contracts import (
    HostFacts,
    Lease,
    Link,
    Outcome,
    PageFeatures,
    PageReading,
    PageRecord,
    PageState,
    Refusal,
    RobotsRecord,
    StopReason,
)
from crawler_node.engine.spec import CrawlSpec
from crawler_node.frontier import FrontierOptions
from crawler_node.sinks import PackedLink, pack_links
from tests.contracts.crawl_store import candidate, document, done
from tests.integration.runners.kept_pages import crawl, shop_crawler
from tests.integration.runners.test_sql_crawl_store import make_runner
from tests.unit.crawler_node.engine.test_sieve import make_sieve

pytestmark = pytest.mark.django_db
SPECIFICATION = {"crawler": {"seeds": ["https://site.example/"]}, "template": {"name": "Page"}}
OPTIONS = FrontierOptions(respect_robots=False)
HOME, NEXT, AWAY = (
    candidate("/"),
    candidate("/next", depth=1),
    candidate("https://o.example/", depth=1, refusal=Refusal.CROSS_SITE),
)


def fetched(lease: Lease) -> Outcome:
    """A page with validators and its links kept."""
    page = PageRecord(
        PageState.DONE,
        status=200,
        sha1=lease.key,
        etag='"v1"',
        last_modified="yesterday",
        features=PageFeatures(title="Home"),
        target="https://site.example/real",
    )
    links = pack_links([PackedLink(each.key, "") for each in (NEXT, AWAY, NEXT)])
    return replace(done(lease, [NEXT, AWAY], [document(lease.url)], page=page), links=links)


def unchanged(lease: Lease) -> Outcome:
    return Outcome(lease, PageRecord(PageState.DONE, status=304, is_unchanged=True, etag=lease.etag))


def first_run() -> Runner:
    runner = make_runner()
    Runner.objects.filter(pk=runner.pk).update(specification=SPECIFICATION)
    store = SqlCrawlStore(Runner.objects.get(pk=runner.pk), OPTIONS)
    store.plant([HOME])
    for _ in range(2):
        (lease,) = store.lease(worker="w", limit=5).leases
        store.commit(worker="w", outcomes=[fetched(lease)])
    return runner


def second_run(first: Runner, specification: dict[str, object], options: FrontierOptions = OPTIONS) -> SqlCrawlStore:
    runner = Runner.objects.create(crawler=first.crawler, number=2, specification=specification)
    store = SqlCrawlStore(runner, options)
    store.plant([HOME])
    return store


def test_an_unchanged_page_keeps_its_documents_and_leads_where_it_led() -> None:
    first = first_run()
    store = second_run(first, SPECIFICATION)
    (lease,) = store.lease(worker="w", limit=5).leases
    assert (lease.etag, lease.last_modified) == ('"v1"', "yesterday")
    progress = store.commit(worker="w", outcomes=[unchanged(lease)])
    (lease,) = store.lease(worker="w", limit=5).leases
    assert (lease.url, lease.depth, lease.etag) == (NEXT.url, 1, '"v1"')
    progress = store.commit(worker="w", outcomes=[unchanged(lease)])
    found = progress.statistics
    assert (found.pages, found.unchanged_pages, found.documents, found.new_documents) == (2, 2, 2, 0)
    assert (found.links_collected, found.links_visited, found.links_refused) == (6, 3, {"cross-site": 2})
    assert Document.objects.filter(gone_at=None, last_runner=store.runner).count() == 2
    page = Page.objects.get(runner=store.runner, key=HOME.key)
    assert (page.etag, page.target) == ('"v1"', "https://site.example/real")
    assert unpack_features(bytes(page.content.features))["title"] == "Home"


@pytest.mark.parametrize("respect_robots", [True, False])
def test_links_of_an_unchanged_page_come_in_the_order_they_had(*, respect_robots: bool) -> None:
    """First what is preferred, then short addresses with words; and a link counts by the words that led there."""
    links = [
        Link("/far/down/here"),
        Link("/plain"),
        Link("/words", "Words"),
        Link("/twice", nofollow=True),
        Link("/twice", "Once more"),
        Link("/list?page=2&by=price", "2"),
        Link("/product/7", "Lamp"),
        Link("https://other.example/", "Away"),
    ]
    prefer = ("/product/",)
    options = replace(OPTIONS, prefer=prefer, respect_robots=respect_robots)
    sieve = make_sieve(preferred=CrawlSpec(seeds=(HOME.url,), prefer=prefer).preferred(), respect_robots=respect_robots)
    page = PageRecord(PageState.DONE, status=200, etag='"v1"')

    def ranks(runner: Runner, outcome: Callable[[Lease], Outcome]) -> list[tuple[str, float, str]]:
        store = SqlCrawlStore(runner, options)
        store.plant([HOME])
        (lease,) = store.lease(worker="w", limit=1).leases
        store.commit(worker="w", outcomes=[outcome(lease)])
        return list(CrawlUrl.objects.filter(runner=runner).order_by("rank", "pk").values_list("url", "rank", "anchor"))

    def read(lease: Lease) -> Outcome:
        sifted = sieve.sift(PageReading(HOME.url, links=links), lease)
        return Outcome(lease, page, candidates=sifted.candidates, links=sifted.packed)

    crawler = make_runner().crawler
    runs = [Runner.objects.create(crawler=crawler, number=number, specification=SPECIFICATION) for number in (2, 3)]
    before = ranks(runs[0], read)
    assert [url.removeprefix("https://site.example") for url, *_ in before][:3] == ["/", "/product/7", "/words"]
    anchors = {url: anchor for url, _, anchor in before}
    assert anchors["https://site.example/twice"] == ("Once more" if respect_robots else "")
    assert ranks(runs[1], unchanged) == before


RULES = "User-agent: *\nDisallow: /private"
PRIVATE = candidate("/private", depth=1, refusal=Refusal.ROBOTS)


def run_with_rules(runner: Runner, rules: str, *, outcome: Callable[[Lease], Outcome]) -> SqlCrawlStore:
    """The first page says with its robots.txt what the host allows; the second leads to a page that was forbidden."""
    store = SqlCrawlStore(runner, FrontierOptions())
    store.plant([HOME])
    for number in range(2):
        (lease,) = store.lease(worker="w", limit=5).leases
        told = HostFacts(lease.host, robots=RobotsRecord(rules)) if number == 0 else None
        store.commit(worker="w", outcomes=[replace(outcome(lease), host=told)])
    return store


def forbidding(lease: Lease) -> Outcome:
    target = NEXT if lease.url == HOME.url else PRIVATE
    page = PageRecord(PageState.DONE, status=200, sha1=lease.key, etag='"v1"')
    return replace(done(lease, [target], page=page), links=pack_links([PackedLink(target.key, "")]))


@pytest.mark.parametrize(
    ("then", "now", "state"),
    [
        (RULES, RULES, UrlState.SKIPPED),
        (RULES, "User-agent: *\nDisallow: /else", UrlState.QUEUED),
        (RULES, "", UrlState.QUEUED),
    ],
)
def test_what_a_robots_file_forbade_is_judged_anew_when_it_has_changed(then: str, now: str, state: UrlState) -> None:
    crawler = make_runner().crawler
    runs = [Runner.objects.create(crawler=crawler, number=number, specification=SPECIFICATION) for number in (2, 3)]
    run_with_rules(runs[0], then, outcome=forbidding)
    store = run_with_rules(runs[1], now, outcome=unchanged)
    assert CrawlUrl.objects.get(runner=runs[1], key=PRIVATE.key).state == state
    assert store.statistics().links_refused == ({"robots": 1} if state == UrlState.SKIPPED else {})


@pytest.mark.parametrize(("now", "state"), [(RULES, UrlState.SKIPPED), ("", UrlState.QUEUED)])
def test_rules_that_come_with_the_very_page_that_leads_there_count(now: str, state: UrlState) -> None:
    crawler = make_runner().crawler
    runs = [Runner.objects.create(crawler=crawler, number=number, specification=SPECIFICATION) for number in (2, 3)]
    for runner, rules in zip(runs, (RULES, now), strict=True):
        store = SqlCrawlStore(runner, FrontierOptions())
        store.plant([NEXT])
        (lease,) = store.lease(worker="w", limit=5).leases
        outcome = forbidding(lease) if runner == runs[0] else unchanged(lease)
        store.commit(worker="w", outcomes=[replace(outcome, host=HostFacts(lease.host, robots=RobotsRecord(rules)))])
    assert CrawlUrl.objects.get(runner=runs[1], key=PRIVATE.key).state == state


@pytest.mark.parametrize(
    ("then", "now", "state", "refusal"),
    [(2, 1, UrlState.QUEUED, ""), (1, 2, UrlState.SKIPPED, "too deep"), (2, 2, UrlState.SKIPPED, "too deep")],
)
def test_a_page_that_is_nearer_or_farther_than_before_leads_as_far_as_it_may(
    then: int, now: int, state: UrlState, refusal: str
) -> None:
    crawler, options = make_runner().crawler, replace(OPTIONS, max_depth=2)
    runs = [Runner.objects.create(crawler=crawler, number=number, specification=SPECIFICATION) for number in (2, 3)]
    for runner, depth in zip(runs, (then, now), strict=True):
        store = SqlCrawlStore(runner, options)
        store.plant([candidate("/page", depth=depth)])
        (lease,) = store.lease(worker="w", limit=5).leases
        link = candidate("/on", depth=depth + 1, refusal=Refusal.TOO_DEEP if depth == 2 else None)
        page = PageRecord(PageState.DONE, status=200, sha1=lease.key, etag='"v1"')
        read = replace(done(lease, [link], page=page), links=pack_links([PackedLink(link.key, "")]))
        store.commit(worker="w", outcomes=[read if runner == runs[0] else unchanged(lease)])
    row = CrawlUrl.objects.get(runner=runs[1], key=candidate("/on").key)
    assert (row.state, row.depth, row.refusal) == (state, now + 1, refusal)


def test_a_page_without_links_is_asked_for_with_its_validators_too() -> None:
    """A product page, where a crawler follows only the links of lists."""
    crawler = make_runner().crawler
    page = PageRecord(PageState.DONE, status=200, sha1=b"s" * 20, etag='"v1"')
    asked = []
    for number in (2, 3):
        runner = Runner.objects.create(crawler=crawler, number=number, specification=SPECIFICATION)
        store = SqlCrawlStore(runner, OPTIONS)
        store.plant([HOME])
        (lease,) = store.lease(worker="w", limit=1).leases
        asked.append(lease.etag)
        links = make_sieve().sift(PageReading(HOME.url), lease).packed
        outcome = replace(done(lease, documents=[document("one")], page=page), links=links)
        progress = store.commit(worker="w", outcomes=[outcome if number == 2 else unchanged(lease)])
    assert asked == ["", '"v1"']
    found = progress.statistics
    assert (found.pages, found.unchanged_pages, found.documents, found.links_collected) == (1, 1, 1, 0)


def test_a_page_that_leads_to_its_canonical_address_is_fetched_whole() -> None:
    store = second_run(first_run(), SPECIFICATION, replace(OPTIONS, follow_canonical=True))
    (lease,) = store.lease(worker="w", limit=5).leases
    assert (lease.etag, lease.last_modified) == ("", "")


def test_a_third_run_learns_from_the_second_although_nothing_was_fetched() -> None:
    first = first_run()
    store = second_run(first, SPECIFICATION)
    for _ in range(2):
        (lease,) = store.lease(worker="w", limit=5).leases
        store.commit(worker="w", outcomes=[unchanged(lease)])
    third = SqlCrawlStore(Runner.objects.create(crawler=first.crawler, number=3, specification=SPECIFICATION), OPTIONS)
    third.plant([HOME])
    (lease,) = third.lease(worker="w", limit=5).leases
    assert lease.etag == '"v1"'
    third.commit(worker="w", outcomes=[unchanged(lease)])
    assert [lease.url for lease in third.lease(worker="w", limit=5).leases] == [NEXT.url]


def prune(run: Runner) -> None:
    delete_pages_of_runner(run.pk)


def delete(run: Runner) -> None:
    delete_runner(runner=run)
    assert not sweep(seconds=60)


@pytest.mark.parametrize("is_same_worker", [True, False])
@pytest.mark.parametrize("free", [prune, delete])
def test_an_unchanged_page_of_a_run_that_is_gone_by_now_is_fetched_whole(
    free: Callable[[Runner], None], *, is_same_worker: bool
) -> None:
    """Nobody knows any more where it led."""
    first = first_run()
    store = second_run(first, SPECIFICATION)
    (lease,) = store.lease(worker="w", limit=5).leases
    assert lease.etag == '"v1"'
    free(first)
    store = store if is_same_worker else SqlCrawlStore(Runner.objects.get(pk=store.runner.pk), OPTIONS)
    counts = store.commit(worker="w", outcomes=[unchanged(lease)]).statistics
    assert (counts.pages, counts.queued, counts.leased) == (0, 1, 0)
    (again,) = store.lease(worker="w", limit=5).leases
    assert (again.url, again.attempt, again.etag, again.last_modified) == (HOME.url, 1, "", "")
    store.commit(worker="w", outcomes=[fetched(again)])
    assert [lease.url for lease in store.lease(worker="w", limit=5).leases] == [NEXT.url]


def test_links_of_another_version_of_an_unchanged_page_do_not_count() -> None:
    """Those that an older run had kept of it, where the one that was asked with is deleted."""
    first = first_run()
    second = second_run(first, SPECIFICATION)
    (lease,) = second.lease(worker="w", limit=1).leases
    second.commit(worker="w", outcomes=[replace(fetched(lease), page=replace(fetched(lease).page, etag='"v2"'))])
    runner = Runner.objects.create(crawler=first.crawler, number=3, specification=SPECIFICATION)
    store = SqlCrawlStore(runner, OPTIONS)
    store.plant([HOME])
    (lease,) = store.lease(worker="w", limit=1).leases
    assert lease.etag == '"v2"'
    delete(second.runner)
    store = SqlCrawlStore(Runner.objects.get(pk=runner.pk), OPTIONS)
    assert store.commit(worker="w", outcomes=[unchanged(lease)]).statistics.pages == 0
    assert [again.etag for again in store.lease(worker="w", limit=1).leases] == [""]


def test_documents_of_unchanged_pages_count_towards_the_limit_and_never_past_it() -> None:
    first = first_run()
    runner = Runner.objects.create(crawler=first.crawler, number=2, specification=SPECIFICATION)
    store = SqlCrawlStore(runner, replace(OPTIONS, max_documents=1))
    store.plant([HOME, NEXT])
    leases = store.lease(worker="w", limit=5).leases
    progress = store.commit(worker="w", outcomes=[unchanged(lease) for lease in leases])
    assert len(leases) == 2
    assert (progress.statistics.documents, progress.stop) == (1, StopReason.MAX_DOCUMENTS)
    assert Document.objects.filter(last_runner=runner).count() == 1


@pytest.mark.parametrize("limit", [1, 2])
def test_a_page_whose_documents_found_no_room_is_fetched_whole_by_the_next_run(limit: int) -> None:
    """In the next run there may be room for them, although their page has not changed."""
    crawler, asked = make_runner().crawler, []
    for number in (2, 3):
        runner = Runner.objects.create(crawler=crawler, number=number, specification=SPECIFICATION)
        store = SqlCrawlStore(runner, replace(OPTIONS, max_documents=limit))
        store.plant([HOME])
        (lease,) = store.lease(worker="w", limit=1).leases
        asked.append((lease.etag, lease.last_modified))
        both = [document("one"), document("two")]
        progress = store.commit(worker="w", outcomes=[replace(fetched(lease), documents=both)])
        assert progress.statistics.documents == limit
    assert asked == [("", ""), ("", "") if limit == 1 else ('"v1"', "yesterday")]


def test_a_run_holds_what_it_found_whatever_later_runs_see() -> None:
    first = first_run()
    assert found_by(Document.objects.all(), first).count() == 2
    second = second_run(first, SPECIFICATION)
    read_all(second, unchanged)
    stopped = Runner.objects.create(crawler=first.crawler, number=3, specification=SPECIFICATION)
    fourth = run_after(stopped)
    read_all(fourth, lambda lease: unchanged(lease) if lease.url == HOME.url else changed(lease))
    held = [found_by(Document.objects.all(), run).count() for run in (first, second.runner, stopped, fourth.runner)]
    assert held == [2, 2, 0, 2]
    values = [values_of(run) for run in (first, second.runner, fourth.runner)]
    assert values == [["", ""], ["", ""], ["", "changed"]]
    Runner.objects.filter(pk=second.runner.pk).update(pruned_at=timezone.now())
    Page.objects.filter(runner=second.runner).delete()
    assert found_by(Document.objects.all(), Runner.objects.get(pk=second.runner.pk)).count() == 2


def test_runs_to_which_a_document_was_gone_do_not_hold_it_when_it_comes_back() -> None:
    """As an item whose price goes up and down again: the runs in between found the other one alone."""
    crawler = shop_crawler(item_scope="//section")
    prices = [10, 10, 12, 12, 10, 12, 10]
    runs = [crawl(crawler, {"/1": f"<section><h2>{price}</h2></section>"}) for price in prices]
    held = [[row["name"] for row in documents_of_runner(run, with_gone=True).rows()] for run in runs]
    assert held == [["10"], ["10"], ["12"], ["12"], ["10"], ["12"], ["10", "12"]]
    assert [row["name"] for row in documents_of_runner(runs[-1]).rows()] == ["10"]
    delete_documents(list(Document.objects.values_list("pk", flat=True)))
    assert DocumentGap.objects.count() == 0


def test_what_another_run_found_again_first_is_held_by_both_runs_at_once() -> None:
    first = first_run()
    second = second_run(first, SPECIFICATION)
    read_all(second, lambda lease: replace(fetched(lease), documents=[]))
    early = run_after(second.runner)
    late = run_after(early.runner)
    for run in (late, early):
        read_all(run, fetched)
    held = [found_by(Document.objects.all(), run).count() for run in (second.runner, early.runner, late.runner)]
    assert held == [0, 2, 2]


def read_all(store: SqlCrawlStore, outcome: Callable[[Lease], Outcome]) -> None:
    while leases := store.lease(worker="w", limit=5).leases:
        store.commit(worker="w", outcomes=[outcome(lease) for lease in leases])


def changed(lease: Lease) -> Outcome:
    return done(lease, documents=[document(lease.url, value="changed")])


def run_after(runner: Runner) -> SqlCrawlStore:
    """The next run; it learns nothing from one that was stopped."""
    store = SqlCrawlStore(Runner.objects.create(crawler=runner.crawler, number=runner.number + 1), OPTIONS)
    store.plant([HOME, NEXT])
    return store


def values_of(runner: Runner) -> list[object]:
    return sorted(str(row["value"]) for row in DocumentSource(Document.objects.all(), [], runner=runner).rows())


def test_after_an_edit_every_page_is_fetched_whole() -> None:
    store = second_run(first_run(), {**SPECIFICATION, "template": {"name": "Another"}})
    (lease,) = store.lease(worker="w", limit=5).leases
    assert (lease.etag, lease.last_modified) == ("", "")
