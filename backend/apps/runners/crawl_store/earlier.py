"""What the run before knew: validators to ask with, and the links of pages that have not changed since."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace

from django.db.backends.utils import CursorWrapper

from backend.apps.runners.crawl_store.sql import rows_in
from backend.apps.runners.crawl_store.urls import UrlRow
from backend.apps.runners.models import Runner, UrlState
from crawler_node.contracts import Candidate, Lease, Outcome, Refusal, TargetKind
from crawler_node.sinks import unpack_links

# A page whose links were not kept must be fetched whole: unchanged, it would lead nowhere.
VALIDATORS = (
    "SELECT p.key, p.etag, p.last_modified FROM documents_page p JOIN documents_pagecontent c ON c.page_id = p.id"
    " WHERE c.links IS NOT NULL AND p.state = 'done' AND (p.etag <> '' OR p.last_modified <> '')"
    " AND p.runner_id = %s AND p.key IN {}"
)
CONTENTS = (
    "SELECT p.key, c.links, c.features, p.target"
    " FROM documents_page p JOIN documents_pagecontent c ON c.page_id = p.id"
    " WHERE c.links IS NOT NULL AND p.runner_id = %s AND p.key IN {}"
)
TARGETS = (
    "SELECT u.key, u.url, h.host, u.refusal FROM runners_crawlurl u JOIN runners_crawlhost h ON h.id = u.host_id"
    " WHERE u.runner_id = %s AND u.key IN {}"
)
# Reasons of that run, not of the address: to be judged anew.
PASSING = {str(Refusal.BAD_HOST), str(Refusal.OVER_BUDGET), str(Refusal.CONTENT_TYPE), str(Refusal.TOO_BIG), ""}


def earlier_run(runner: Runner) -> int | None:
    """The last run before this one that did the very same, None when there is none."""
    if not runner.specification:
        return None
    before = Runner.objects.filter(crawler_id=runner.crawler_id, number__lt=runner.number).order_by("-number")
    last = before.only("specification").first()
    return last.pk if last is not None and _same(last, runner) else None


def _same(one: Runner, other: Runner) -> bool:
    parts = ("crawler", "template")
    return all(one.specification.get(part) == other.specification.get(part) for part in parts)


class EarlierRun:
    """The run before, inside one transaction; without one it knows nothing."""

    def __init__(self, cursor: CursorWrapper, runner_id: int | None) -> None:
        self._cursor = cursor
        self._runner_id = runner_id
        self.features: dict[bytes, bytes] = {}

    def fill_in(self, rows: Iterable[UrlRow]) -> None:
        """Give new URLs the validators their pages came with."""
        new = {row.key: row for row in rows if row.state == UrlState.QUEUED and row.kind == TargetKind.PAGE}
        if self._runner_id is None or not new:
            return
        for key, etag, last_modified in rows_in(self._cursor, VALIDATORS, [self._runner_id], list(new)):
            row = new[bytes(key)]
            row.etag, row.last_modified = etag, last_modified

    def complete(self, outcomes: Sequence[Outcome]) -> list[Outcome]:
        """Give pages that have not changed the links and the name they had; `features` has their text, packed."""
        keys = [outcome.lease.key for outcome in outcomes if outcome.page.is_unchanged]
        if self._runner_id is None or not keys:
            return list(outcomes)
        found = {bytes(row[0]): row[1:] for row in rows_in(self._cursor, CONTENTS, [self._runner_id], keys)}
        self.features = {key: bytes(row[1]) for key, row in found.items() if row[1] is not None}
        return [
            self._as_it_was(outcome, found[outcome.lease.key]) if outcome.lease.key in found else outcome
            for outcome in outcomes
        ]

    def _as_it_was(self, outcome: Outcome, row: tuple) -> Outcome:
        packed, _, target = row
        return self._with_links(replace(outcome, page=replace(outcome.page, target=target)), bytes(packed))

    def _with_links(self, outcome: Outcome, packed: bytes) -> Outcome:
        links = unpack_links(packed)
        keys = list(dict.fromkeys(link.key for link in links))
        found = rows_in(self._cursor, TARGETS, [self._runner_id], keys)
        targets = {bytes(key): _candidate(outcome.lease, bytes(key), *rest) for key, *rest in found}
        known = [targets[link.key] for link in links if link.key in targets]
        refused = Counter(target.refusal for target in known if target.refusal is not None)
        return replace(
            outcome,
            candidates=list(targets.values()),
            links=packed,
            links_found=len(known),
            links_refused=dict(refused),
        )


def _candidate(lease: Lease, key: bytes, url: str, host: str, refusal: str) -> Candidate:
    return Candidate(url, key, host, lease.depth + 1, 0.5, refusal=None if refusal in PASSING else Refusal(refusal))
