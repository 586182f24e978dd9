"""From what a fetch gave to what is remembered: records and facts, without doing any work."""

from crawler_node.contracts import (
    Failure,
    FetchedPage,
    FetchFailure,
    HostFacts,
    Lease,
    Outcome,
    PageRecord,
    PageState,
    Redirect,
    Refusal,
)
from crawler_node.fetch.statuses import GONE, OVERLOADED

NOINDEX_SENTENCE = "The page asks not to be indexed, so its documents are not kept."
MAX_HOPS = 10
# What is the host's fault, not the page's.
_HOST_FAILURES = frozenset(
    {Failure.DNS, Failure.CONNECT, Failure.TLS, Failure.TIMEOUT, Failure.BROKEN, Failure.RATE_LIMITED}
)


def give_back(lease: Lease) -> Outcome:
    """A lease that was not used."""
    return Outcome(lease, PageRecord(PageState.QUEUED))


def may_bring_work(outcome: Outcome) -> bool:
    """Whether there may be more to lease once it is committed: addresses, a page again, a host that told its rules."""
    return bool(outcome.candidates) or outcome.page.state is PageState.QUEUED or outcome.lease.asks_robots


def skipped(refusal: Refusal) -> PageRecord:
    """A page we do not want."""
    return PageRecord(PageState.SKIPPED, refusal=refusal, sentence=refusal.sentence)


def broken(lease: Lease, error: Exception) -> Outcome:
    """A page on which our own code failed: it is given up with the reason, and everything else goes on."""
    sentence = f"Gleaner itself failed on this page ({type(error).__name__}: {error}). Please report it."
    record = PageRecord(PageState.FAILED, failure=Failure.EXTRACTION, sentence=sentence)
    return Outcome(lease, record, host=HostFacts(lease.host))


def unstorable(lease: Lease, error: Exception) -> Outcome:
    """A page with something on it that the store cannot keep: it is given up with the reason, and the rest is kept."""
    sentence = f"The database cannot keep what is on this page ({str(error)[:200].strip()}). Please report it."
    record = PageRecord(PageState.FAILED, failure=Failure.EXTRACTION, sentence=sentence)
    return Outcome(lease, record, host=HostFacts(lease.host))


def record_failure(failure: FetchFailure) -> PageRecord:
    """A page that could not be fetched, or was refused by its head."""
    is_wall = failure.failure is Failure.WALL  # given back: a person opens it
    state = PageState.QUEUED if failure.can_retry or is_wall else PageState.FAILED
    if failure.refusal is not None:
        state = PageState.SKIPPED
    return PageRecord(
        state,
        status=failure.status,
        load_seconds=failure.load_seconds,
        failure=failure.failure,
        refusal=failure.refusal,
        sentence=failure.sentence,
        can_retry=failure.can_retry,
        is_gone=failure.status in GONE,
    )


def record_redirect(redirect: Redirect, lease: Lease) -> PageRecord:
    """A page that is elsewhere."""
    if lease.hops >= MAX_HOPS:
        sentence = f"The address only leads to more redirects ({lease.hops + 1} in a row)."
        return PageRecord(PageState.FAILED, status=redirect.status, failure=Failure.REDIRECT_LOOP, sentence=sentence)
    return PageRecord(PageState.REDIRECTED, status=redirect.status, target=redirect.target)


def redirect_loop_record(redirect: Redirect) -> PageRecord:
    """A page that only leads back to itself."""
    sentence = "The address only leads back to itself by redirects."
    return PageRecord(PageState.FAILED, redirect.status, failure=Failure.REDIRECT_LOOP, sentence=sentence)


def record_unchanged(page: FetchedPage, lease: Lease) -> PageRecord:
    """A page that a conditional request found as it was; it keeps the validators we asked with."""
    return PageRecord(
        PageState.DONE,
        status=page.status,
        load_seconds=page.load_seconds,
        etag=(page.headers.get("etag") or lease.etag)[:500],
        last_modified=(page.headers.get("last-modified") or lease.last_modified)[:100],
        is_unchanged=True,
    )


def facts_of(
    lease: Lease, answer: FetchedPage | Redirect | FetchFailure, *, requests: int, cookies: str | None
) -> HostFacts:
    """What the answer taught us about its host."""
    if isinstance(answer, FetchFailure):
        return HostFacts(
            lease.host,
            requests=requests,
            retry_after_seconds=answer.retry_after_seconds,
            cookies=cookies,
            is_overloaded=answer.status in OVERLOADED,
            is_failure=answer.failure in _HOST_FAILURES or (answer.status or 0) >= 500,
        )
    return HostFacts(lease.host, requests=requests, latency_seconds=answer.load_seconds, cookies=cookies)
