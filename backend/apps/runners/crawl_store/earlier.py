"""What the run before knew: validators to ask with, and the links of pages that have not changed since."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any

from django.db.backends.utils import CursorWrapper

from backend.apps.runners.crawl_store.sql import rows_in, storable
from backend.apps.runners.crawl_store.urls import UrlRow
from backend.apps.runners.models import Runner, UrlState
from crawler_node.contracts import Candidate, Lease, Outcome, PageRecord, PageState, Refusal, TargetKind
from crawler_node.frontier import FrontierOptions
from crawler_node.frontier.ranking import link_priority
from crawler_node.sinks import PackedLink, unpack_links
from crawler_node.urls.parse import split
from crawler_node.urls.scope import any_pattern

# A page whose links were not kept must be fetched whole: unchanged, it would lead nowhere. So must one that calls
# another address its own, where that is followed: it is a link that is not kept.
VALIDATORS = (
    "SELECT p.key, p.etag, p.last_modified FROM documents_page p JOIN documents_pagecontent c ON c.page_id = p.id"
    " WHERE c.links IS NOT NULL AND p.state = 'done' AND (p.etag <> '' OR p.last_modified <> '')"
    " AND (p.target = '' OR NOT %s) AND p.runner_id = %s AND p.key IN {}"
)
CONTENTS = (
    "SELECT p.key, c.links, c.features, p.target, p.etag, p.last_modified"
    " FROM documents_page p JOIN documents_pagecontent c ON c.page_id = p.id"
    " WHERE c.links IS NOT NULL AND p.runner_id = %s AND p.key IN {}"
)
TARGETS = (
    "SELECT u.key, u.url, h.host, u.refusal FROM runners_crawlurl u JOIN runners_crawlhost h ON h.id = u.host_id"
    " WHERE u.runner_id = %s AND u.key IN {}"
)
RULES = "SELECT host, runner_id, robots_text FROM runners_crawlhost WHERE runner_id IN (%s, %s) AND host IN {}"
# Reasons of that run, not of the address: to be judged anew.
PASSING = {
    *map(str, (Refusal.BAD_HOST, Refusal.OVER_BUDGET, Refusal.CONTENT_TYPE, Refusal.TOO_BIG, Refusal.TOO_DEEP)),
    "",
}
# What the engine judges after the depth: an address that is too deep may be found nearer, and is judged then.
AFTER_DEPTH = {None, Refusal.ROBOTS, Refusal.NOFOLLOW}


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


class LinkJudge:
    """What a link of an unchanged page is worth: the same as if the page had been read again."""

    def __init__(self, options: FrontierOptions) -> None:
        self._options = options
        self.follows_canonical = options.follow_canonical

    @cached_property
    def _preferred(self) -> Callable[[str], bool] | None:
        return any_pattern(self._options.prefer)

    def telling(self, links: Iterable[PackedLink]) -> dict[bytes, PackedLink]:
        """By address the link that counts: the first on the page, or the first that may be followed."""
        found: dict[bytes, PackedLink] = {}
        for link in links:
            known = found.setdefault(link.key, link)
            if self._options.respect_robots and known.nofollow and not link.nofollow:
                found[link.key] = link
        return found

    def candidate(self, link: PackedLink, url: str, host: str, refusal: str, *, depth: int) -> Candidate:
        parsed = split(url)
        path, query = (parsed.path, parsed.query) if parsed is not None else ("", "")
        is_preferred = self._preferred is not None and self._preferred(url)
        priority = link_priority(path, query, anchor=link.anchor, is_preferred=is_preferred)
        reason = self._refusal(link, refusal, depth)
        return Candidate(url, link.key, host, depth, priority, link.anchor, reason)

    def _refusal(self, link: PackedLink, before: str, depth: int) -> Refusal | None:
        """Why a link is not followed, with the reason that its address had before."""
        known = None if before in PASSING else Refusal(before)
        most = self._options.max_depth
        if most is not None and depth > most and known in AFTER_DEPTH:
            return Refusal.TOO_DEEP
        is_unwanted = link.nofollow and self._options.respect_robots
        return known or (Refusal.NOFOLLOW if is_unwanted else None)


class EarlierRun:
    """The run before, inside one transaction; without one it knows nothing."""

    def __init__(self, cursor: CursorWrapper, runner_id: int | None, links: LinkJudge, *, this_run: int) -> None:
        self._cursor = cursor
        self._runner_id = runner_id
        self._links = links
        self._this_run = this_run
        self._news: dict[str, str] = {}
        self._has_same_rules: dict[str, bool] = {}
        self.features: dict[bytes, bytes] = {}
        self.lost: set[bytes] = set()

    def fill_in(self, rows: Iterable[UrlRow]) -> None:
        """Give new URLs the validators their pages came with."""
        new = {row.key: row for row in rows if row.state == UrlState.QUEUED and row.kind == TargetKind.PAGE}
        if self._runner_id is None or not new:
            return
        asked = [self._links.follows_canonical, self._runner_id]
        for key, etag, last_modified in rows_in(self._cursor, VALIDATORS, asked, list(new)):
            row = new[bytes(key)]
            row.etag, row.last_modified = etag, last_modified

    def complete(self, outcomes: Sequence[Outcome]) -> list[Outcome]:
        """Give pages that have not changed the links and the name they had; `features` has their text, packed.

        Where that run was deleted or pruned meanwhile, nobody knows them: such a page is given back, to be fetched
        whole, and its key is among the `lost`.
        """
        leases = {outcome.lease.key: outcome.lease for outcome in outcomes if outcome.page.is_unchanged}
        if not leases:
            return list(outcomes)
        found = {key: row for key, *row in self._contents(leases)}
        self._news = dict(_new_rules(outcomes))
        self.features = {key: bytes(row[1]) for key, row in found.items() if row[1] is not None}
        asked = {key for key, lease in leases.items() if lease.etag or lease.last_modified}
        self.lost = asked - found.keys()
        return [self._as_it_was(outcome, found.get(outcome.lease.key)) for outcome in outcomes]

    def _contents(self, leases: Mapping[bytes, Lease]) -> Iterator[tuple]:
        """Of pages as they were when they had the validators that they were asked for with."""
        if self._runner_id is None:
            return
        for key, *row, etag, last_modified in rows_in(self._cursor, CONTENTS, [self._runner_id], list(leases)):
            lease = leases[bytes(key)]
            if (etag, last_modified) == (lease.etag, lease.last_modified):
                yield bytes(key), *row

    def _as_it_was(self, outcome: Outcome, row: Sequence[Any] | None) -> Outcome:
        if not outcome.page.is_unchanged:
            return outcome
        if outcome.lease.key in self.lost:
            return Outcome(outcome.lease, PageRecord(PageState.QUEUED), host=outcome.host)
        if row is None:
            return outcome
        packed, _, target = row
        return self._with_links(replace(outcome, page=replace(outcome.page, target=target)), bytes(packed))

    def _with_links(self, outcome: Outcome, packed: bytes) -> Outcome:
        links = unpack_links(packed)
        telling = self._links.telling(links)
        rows = rows_in(self._cursor, TARGETS, [self._runner_id], list(telling))
        found = self._judged_anew({bytes(key): rest for key, *rest in rows})
        depth = outcome.lease.depth + 1
        targets = {
            key: self._links.candidate(link, *found[key], depth=depth) for key, link in telling.items() if key in found
        }
        known = [targets[link.key] for link in links if link.key in targets]
        refused = Counter(target.refusal for target in known if target.refusal is not None)
        return replace(
            outcome,
            candidates=list(targets.values()),
            links=packed,
            links_found=len(known),
            links_refused=dict(refused),
        )

    def _judged_anew(self, found: dict[bytes, list[str]]) -> dict[bytes, list[str]]:
        """Addresses with host and refusal, but without a robots.txt that says something else by now."""
        self._compare_rules({host for _, host, refusal in found.values() if refusal == Refusal.ROBOTS})
        return {
            key: [url, host, "" if refusal == Refusal.ROBOTS and not self._has_same_rules[host] else refusal]
            for key, (url, host, refusal) in found.items()
        }

    def _compare_rules(self, hosts: set[str]) -> None:
        """Whether hosts say in their robots.txt what they said then; of one that has not said yet nobody knows."""
        unknown = sorted(hosts - self._has_same_rules.keys())
        said: dict[int, dict[str, str | None]] = {self._this_run: {}, self._runner_id or 0: {}}
        for host, run, rules in rows_in(self._cursor, RULES, [self._this_run, self._runner_id], unknown):
            said[run][host] = rules
        now, then = said[self._this_run] | self._news, said[self._runner_id or 0]
        self._has_same_rules |= {host: now.get(host) is not None and now[host] == then.get(host) for host in unknown}


def _new_rules(outcomes: Iterable[Outcome]) -> Iterator[tuple[str, str]]:
    """What hosts said in their robots.txt just now: it is not in the database yet."""
    for outcome in outcomes:
        facts = outcome.host
        if facts is not None and facts.robots is not None and facts.robots.text is not None:
            yield facts.host, storable(facts.robots.text)
