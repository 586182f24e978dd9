"""From the links of a page to candidates: resolve, judge, count, leave out what was proposed before."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace

from crawler_node.contracts import Candidate, Lease, Link, PageReading, Refusal, TargetKind
from crawler_node.engine.seen import SeenFilter
from crawler_node.frontier.ranking import link_priority
from crawler_node.page_text.links import MAX_LINKS
from crawler_node.robots.rules import RobotsRules
from crawler_node.sinks.packing import NO_LINKS, pack_columns
from crawler_node.traps import EchoBook, TrapRules, pattern_of
from crawler_node.traps.rules import TrapVerdict
from crawler_node.urls import CanonicalLinks, CanonicalUrl, LinkBase, LinkResolver, Scope
from crawler_node.urls.parse import MAX_URL_CHARACTERS

_MAX_VERDICTS = 200_000
# What the links of one page may come to when each is joined with its base.
_MAX_JOINED_CHARACTERS = 20_000_000
_PREFERRED_ENTRY = 0.95
LONG_LINKS = f"Links of more than {MAX_URL_CHARACTERS:,} characters were left out: no page has such an address."
RulesFor = Callable[[str], RobotsRules | None]


@dataclass(frozen=True, slots=True)
class Sifted:
    """What the links of one page come to. `found` and `refused` count links, not addresses.

    `canonical` is the address the page calls its own, where that is another one of the same site; `notices` say what
    was left out without being looked at.
    """

    candidates: list[Candidate]
    found: int = 0
    refused: dict[Refusal, int] = field(default_factory=dict)
    packed: bytes = b""
    canonical: CanonicalUrl | None = None
    notices: tuple[str, ...] = ()


class LinkSieve:
    """Judges links for one runner. Verdicts on an address alone are remembered, a bounded number of them."""

    def __init__(
        self,
        *,
        resolver: LinkResolver,
        scope: Scope,
        traps: TrapRules,
        seen: SeenFilter,
        rules_for: RulesFor,
        max_depth: int | None = None,
        respect_robots: bool = True,
        keep_links: bool = True,
        canonical_links: CanonicalLinks = CanonicalLinks.NOTE,
        preferred: Callable[[str], bool] | None = None,
        seed_keys: frozenset[bytes] = frozenset(),
    ) -> None:
        self._resolver = resolver
        self._scope = scope
        self._traps = traps
        self._seen = seen
        self._rules_for = rules_for
        self._max_depth = max_depth
        self._respect_robots = respect_robots
        self._keep_links = keep_links
        self._canonical_links = canonical_links
        self._preferred = preferred
        self._seed_keys = seed_keys
        self._from_sitemaps: set[bytes] = set()
        self._verdicts: dict[str, dict[bytes, TrapVerdict]] = {}
        self._verdict_count = 0
        self._echoes = EchoBook()

    def sift(self, reading: PageReading, lease: Lease, body: bytes = b"") -> Sifted:
        """The candidates of a page, one level deeper than it; `body` tells pages that only repeat themselves."""
        is_form = reading.base_url == lease.url
        base = self._resolver.base(reading.base_url, is_form=is_form, charset=reading.charset)
        if base is None:
            return Sifted([])
        most = min(MAX_LINKS, _MAX_JOINED_CHARACTERS // len(base.url))
        too_long_before = self._resolver.too_long
        links = self._resolver.resolve_all(base, reading.links[:most])
        too_long = self._resolver.too_long - too_long_before
        candidates, refused = self._judge_all(links, base, lease, nofollow=reading.nofollow)
        if too_long:
            refused[Refusal.TRAP] = refused.get(Refusal.TRAP, 0) + too_long
        self._refuse_growth(candidates, refused, lease, echoes=self._is_echo(reading, lease, body))
        canonical = self._canonical(reading.canonical, base, lease) if reading.canonical else None
        if canonical is not None and self._canonical_links is CanonicalLinks.FOLLOW:
            candidates += self._visit(canonical, base, lease)
        packed = self._pack(links, nofollow=reading.nofollow) if self._keep_links else b""
        has_more = len(reading.links) > most
        notices = _left_out(most=most, has_more=has_more, has_long=too_long > 0) if has_more or too_long else ()
        return Sifted(candidates, len(links) + too_long, refused, packed, canonical, notices)

    @staticmethod
    def _pack(links: Sequence[tuple[CanonicalUrl, Link]], *, nofollow: bool) -> bytes:
        flags = [nofollow or link.nofollow for _, link in links]
        return pack_columns([found.key for found, _ in links], flags, [link.anchor for _, link in links]) or NO_LINKS

    def propose(self, url: str, *, depth: int, priority: float, kind: TargetKind = TargetKind.PAGE) -> Candidate | None:
        """A candidate that no page links to: a sitemap's entry, or a sitemap. None when it is no web address, or longer
        than any."""
        found = self._resolver.locate(url) if len(url) <= MAX_URL_CHARACTERS else None
        if found is None or len(found.url) > MAX_URL_CHARACTERS:
            return None
        verdict = self._verdict(found, "") if kind is TargetKind.PAGE else TrapVerdict()
        score = _PREFERRED_ENTRY if kind is TargetKind.PAGE and self._is_preferred(found) else priority
        return self._candidate(found, verdict, verdict.refusal, depth=depth, priority=score, kind=kind)

    def redirected(self, target: str, lease: Lease) -> Candidate | None:
        """Where a redirect leads. A seed may lead to another site, and a sitemap anywhere; any other page may not."""
        base = self._resolver.base(lease.url)
        found = None if base is None else self._resolver.resolve(base, target)
        if base is None or found is None:
            return None
        verdict = TrapVerdict()
        if lease.kind is TargetKind.PAGE:
            is_seeds = self._comes_from_seed(lease)
            verdict = self._verdict(found, found.host if is_seeds else base.host)
            if lease.depth == 0 and not is_seeds:
                self._note_sitemaps_page(found.key)
        candidate = self._candidate(found, verdict, verdict.refusal, depth=lease.depth, priority=0.95, kind=lease.kind)
        return replace(candidate, hops=lease.hops + 1)

    def _comes_from_seed(self, lease: Lease) -> bool:
        """Whether a page is a seed, or where one was sent on to: pages of sitemaps are on the same level."""
        if lease.depth > 0 or lease.key in self._seed_keys:
            return lease.depth == 0
        return lease.hops > 0 and lease.key not in self._from_sitemaps

    def _note_sitemaps_page(self, key: bytes) -> None:
        """Remember where a page of a sitemap was sent on to. Forgetting lets it lead as far as a seed may."""
        if len(self._from_sitemaps) >= _MAX_VERDICTS:
            self._from_sitemaps.clear()
        self._from_sitemaps.add(key)

    def followed(self, target: str, lease: Lease) -> Candidate | None:
        """As `redirected`, with the word of the target's robots.txt where that is known."""
        candidate = self.redirected(target, lease)
        if candidate is None or candidate.refusal is not None:
            return candidate
        is_forbidden = self._is_forbidden(candidate.url, candidate.host)
        return replace(candidate, refusal=Refusal.ROBOTS) if is_forbidden else candidate

    def _judge_all(
        self, links: Sequence[tuple[CanonicalUrl, Link]], base: LinkBase, lease: Lease, *, nofollow: bool
    ) -> tuple[list[Candidate], dict[Refusal, int]]:
        """The busiest loop of a crawl: sixty links a page, nearly all of them known."""
        depth, host = lease.depth + 1, base.host
        refused: dict[Refusal, int] = {}
        proposed: dict[bytes, Candidate] = {}
        rules: dict[str, RobotsRules | None] = {}
        verdicts, knows = self._verdicts_of(host), self._seen.knows
        heeds_nofollow = self._respect_robots
        is_too_deep = self._max_depth is not None and depth > self._max_depth
        for found, link in links:
            key, authority = found.key, found.authority
            verdict = verdicts.get(key) or self._judge(found, host, verdicts)
            if authority not in rules:
                rules[authority] = self._rules(authority, urls=len(links))
            refusal = verdict.refusal or (Refusal.TOO_DEEP if is_too_deep else None)
            if refusal is None and (rule := rules[authority]) is not None and not rule.allows(found.url):
                refusal = Refusal.ROBOTS
            if refusal is None and (nofollow or link.nofollow) and heeds_nofollow:
                refusal = Refusal.NOFOLLOW
            if refusal is not None:
                refused[refusal] = refused.get(refusal, 0) + 1
            if knows(key, depth) or (key in proposed and not _is_better(refusal, proposed[key])):
                continue
            is_preferred = self._is_preferred(found)
            priority = link_priority(found.path, found.query, anchor=link.anchor, is_preferred=is_preferred)
            proposed[key] = self._candidate(found, verdict, refusal, depth=depth, priority=priority, anchor=link.anchor)
        return list(proposed.values()), refused

    def _is_preferred(self, found: CanonicalUrl) -> bool:
        return self._preferred is not None and self._preferred(found.url)

    def _is_echo(self, reading: PageReading, lease: Lease, body: bytes) -> str:
        """The pattern of a page that only repeats itself once too often, else ''."""
        page = self._resolver.locate(lease.url)
        if page is None or not body or not any(sign.isdigit() for sign in page.path + page.query):
            return ""
        pattern = pattern_of(page.authority, page.path, page.query)
        is_echo = self._echoes.note(pattern, body, [document.sha1 for document in reading.documents])
        return pattern if is_echo else ""

    def _refuse_growth(
        self, candidates: list[Candidate], refused: dict[Refusal, int], lease: Lease, *, echoes: str
    ) -> None:
        """Refuse, of what is new, links that only add to their page's parameters or go on with its echoes."""
        page = self._resolver.locate(lease.url)
        for place, candidate in enumerate(candidates):
            if candidate.refusal is not None or page is None or not (echoes or candidate.url.count("&") >= 5):
                continue
            found = self._resolver.locate(candidate.url)
            if found is None:
                continue
            is_echo = bool(echoes) and pattern_of(found.authority, found.path, found.query) == echoes
            if is_echo or self._traps.grows_from(found, page):
                candidates[place] = replace(candidate, refusal=Refusal.TRAP)
                refused[Refusal.TRAP] = refused.get(Refusal.TRAP, 0) + 1

    def _verdicts_of(self, page_host: str) -> dict[bytes, TrapVerdict]:
        """What is known of addresses linked from a host. Forgetting costs only time."""
        if self._verdict_count >= _MAX_VERDICTS:
            self._verdicts.clear()
            self._verdict_count = 0
        return self._verdicts.setdefault(page_host, {})

    def _judge(self, found: CanonicalUrl, page_host: str, verdicts: dict[bytes, TrapVerdict]) -> TrapVerdict:
        refusal = self._scope.check(found, page_host=page_host or None)
        verdict = self._traps.judge(found) if refusal is None else TrapVerdict(refusal)
        verdicts[found.key] = verdict
        self._verdict_count += 1
        return verdict

    def _verdict(self, found: CanonicalUrl, page_host: str) -> TrapVerdict:
        verdicts = self._verdicts_of(page_host)
        return verdicts.get(found.key) or self._judge(found, page_host, verdicts)

    def _rules(self, authority: str, *, urls: int = 1) -> RobotsRules | None:
        """What a host is known to forbid, where that many addresses can be judged by it at once. Those that are not
        judged here are when their turn comes."""
        rules = self._rules_for(authority) if self._respect_robots else None
        return None if rules is None or rules.is_unreachable or not rules.can_judge(urls) else rules

    def _is_forbidden(self, url: str, authority: str) -> bool:
        """Whether the robots.txt of its host, where it is known, forbids an address."""
        rules = self._rules(authority)
        return rules is not None and not rules.allows(url)

    def _canonical(self, canonical: str, base: LinkBase, lease: Lease) -> CanonicalUrl | None:
        """The page's own word for its address, where it is another one of its site: of others it has no say."""
        if self._canonical_links is CanonicalLinks.IGNORE:
            return None
        found = self._resolver.resolve(base, canonical)
        if found is None or found.key == lease.key:
            return None
        return None if self._verdict(found, base.host).refusal is Refusal.CROSS_SITE else found

    def _visit(self, found: CanonicalUrl, base: LinkBase, lease: Lease) -> Iterable[Candidate]:
        """The address that a page calls its own as a page of its own, on the same level."""
        if self._seen.knows(found.key, lease.depth):
            return ()
        verdict = self._verdict(found, base.host)
        if verdict.refusal is not None or self._is_forbidden(found.url, found.authority):
            return ()
        return (self._candidate(found, verdict, None, depth=lease.depth, priority=0.9),)

    @staticmethod
    def _candidate(
        found: CanonicalUrl,
        verdict: TrapVerdict,
        refusal: Refusal | None,
        *,
        depth: int,
        priority: float,
        anchor: str = "",
        kind: TargetKind = TargetKind.PAGE,
    ) -> Candidate:
        return Candidate(
            found.url,
            found.key,
            found.authority,
            depth,
            priority,
            anchor[:300],
            refusal,
            kind,
            pattern=verdict.pattern,
            pattern_budget=verdict.budget,
        )


def _left_out(*, most: int, has_more: bool, has_long: bool) -> tuple[str, ...]:
    cut = (
        f"Only the first {most:,} links of the page were taken. Name the part of the page that matters in the links "
        "scope of the crawler, or add pages that list fewer links to its seeds."
    )
    return (*([cut] if has_more else ()), *([LONG_LINKS] if has_long else ()))


def _is_better(refusal: Refusal | None, known: Candidate) -> bool:
    """Whether a second link to a page may be followed although the first may not (nofollow)."""
    return refusal is None and known.refusal is not None
