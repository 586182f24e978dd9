"""What the contract is told with: a clock, addresses, pages that came back, documents."""

from collections.abc import Sequence
from dataclasses import replace
from hashlib import sha1

from crawler_node.contracts import (
    Candidate,
    Document,
    Failure,
    HostFacts,
    Lease,
    Outcome,
    PageRecord,
    PageState,
    Refusal,
    RobotsRecord,
)
from crawler_node.frontier import FrontierOptions
from crawler_node.urls import Canonicalizer

CANONICALIZER = Canonicalizer()
NO_ROBOTS = FrontierOptions(respect_robots=False)


class FakeClock:
    """The store's clock, turned by hand."""

    def __init__(self) -> None:
        self.now = 1_000_000.0

    def __call__(self) -> float:
        return self.now


def candidate(url: str, *, depth: int = 0, **what: object) -> Candidate:
    found = CANONICALIZER.canonicalize(url if "://" in url else f"https://site.example{url}")
    assert found is not None
    return Candidate(found.url, found.key, found.authority, depth, **what)  # type: ignore[arg-type]


def done(lease: Lease, links: Sequence[Candidate] = (), documents: Sequence[Document] = (), **what: object) -> Outcome:
    """A page that was fetched and read."""
    page = PageRecord(
        PageState.DONE, status=200, body_bytes=100, load_seconds=0.5, process_seconds=0.25, sha1=lease.key
    )
    refused: dict[Refusal, int] = {}
    for link in links:
        if link.refusal is not None:
            refused[link.refusal] = refused.get(link.refusal, 0) + 1
    facts = HostFacts(lease.host, robots=RobotsRecord("") if lease.asks_robots else None)
    outcome = Outcome(lease, page, documents, links, facts, links_found=len(links), links_refused=refused)
    return replace(outcome, **what)  # type: ignore[arg-type]


def failed(lease: Lease, *, can_retry: bool, status: int = 500, **facts: object) -> Outcome:
    state = PageState.QUEUED if can_retry else PageState.FAILED
    page = PageRecord(state, status=status, failure=Failure.HTTP, sentence="It failed.", can_retry=can_retry)
    return Outcome(lease, page, host=HostFacts(lease.host, is_failure=True, **facts))  # type: ignore[arg-type]


def given_back(lease: Lease) -> Outcome:
    return Outcome(lease, PageRecord(PageState.QUEUED))


def document(name: str, *, value: str = "", missing: tuple[str, ...] = ()) -> Document:
    digest = sha1((value or name).encode()).digest()
    return Document({"name": name, "value": value}, digest, sha1(name.encode()).digest()[:16], missing)
