"""Link analysis of what was crawled: PageRank of pages and hosts, page quality, and what other pages call a page.

The index job calls `analyse_links` once and then asks `LinkScores.of(page_key)` for each document.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from zstandard import ZstdError

from backend.apps.documents.models import Page, PageContent
from backend.apps.indexers.linked_pages import LinkedPages, read_linked_pages
from backend.apps.runners.crawl_store.pages import unpack_features
from backend.search_engine.links import (
    AnchorBook,
    AnchorTexts,
    Edges,
    Hits,
    LinkGraph,
    PageRank,
    hits,
    host_graph,
    log_scaled,
    pagerank,
    root_scaled,
)
from backend.search_engine.links.pagerank import Scores
from backend.search_engine.ranking.quality import page_quality
from crawler_node.sinks import LinkColumns, unpack_columns
from wording import say_count

BATCH_CONTENTS: Final = 200
MAX_ANCHORS: Final = 20
Progress = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class PageScores:
    """What link analysis says of a page; None and () where nothing is known of it.

    `pagerank` and `host_rank` run from 0 (the least linked) to 1 (the most), on a logarithmic scale; `quality` from 0
    to 1. `hub` and `authority` run from 0 (none) to 1 (the best), where they were counted. `anchors` are the texts of
    links from other pages, the commonest first.
    """

    pagerank: float | None = None
    host_rank: float | None = None
    quality: float | None = None
    hub: float | None = None
    authority: float | None = None
    anchors: tuple[str, ...] = ()


UNKNOWN: Final = PageScores()


@dataclass(frozen=True, slots=True)
class LinkReport:
    """What the analysis saw, for the job's log: sizes, and how much the scores still changed after each iteration."""

    pages: int
    links: int
    sinks: int
    hosts: int
    residuals: tuple[float, ...]
    host_residuals: tuple[float, ...]
    is_converged: bool
    unreadable: int
    hits: Hits | None = None
    """Where hubs and authorities were counted."""

    @property
    def sentence(self) -> str:
        told = (
            f"Links: {say_count(self.pages, 'page')} of {say_count(self.hosts, 'host')}, "
            f"{say_count(self.links, 'link')}, {say_count(self.sinks, 'page')} without any. "
            f"PageRank {_ended(self.residuals, is_converged=self.is_converged)}."
        )
        if self.hits is not None:
            ended = _ended(self.hits.residuals, is_converged=self.hits.is_converged)
            told += f" Hubs and authorities {ended}."
        return told + (f" {say_count(self.unreadable, 'page')} could not be read." if self.unreadable else "")

    @property
    def convergence(self) -> str:
        """How much all scores together changed in each iteration, of pages and of hosts, and of hubs."""
        hubs = "" if self.hits is None else f"; hubs {_listed(self.hits.residuals)}"
        return f"Change per iteration: pages {_listed(self.residuals)}; hosts {_listed(self.host_residuals)}{hubs}."


def _ended(residuals: Sequence[float], *, is_converged: bool) -> str:
    last = f"{residuals[-1]:.1e}" if residuals else "0"
    ended = "settled" if is_converged else "had not settled"
    return f"{ended} after {say_count(len(residuals), 'iteration')} (last change {last})"


def _listed(residuals: Sequence[float]) -> str:
    return ", ".join(f"{residual:.1e}" for residual in residuals) or "none"


@dataclass(frozen=True, slots=True)
class LinkScores:
    """The scores of every page that was fetched, by page key. Redirects and canonical addresses lead to their page."""

    report: LinkReport
    _pages: LinkedPages
    _ranks: Scores
    _host_ranks: Scores
    _quality: "np.ndarray[tuple[int], np.dtype[np.float32]]"
    _anchors: AnchorTexts
    _hits: tuple[Scores, Scores] | None = None

    def of(self, page_key: bytes) -> PageScores:
        """The scores of a page; UNKNOWN for a key that no run fetched."""
        page = int(self._pages.find(bytes(page_key))[0]) if page_key else -1
        if page < 0:
            return UNKNOWN
        quality = float(self._quality[page])
        hub, authority = (float(scores[page]) for scores in self._hits) if self._hits else (None, None)
        return PageScores(
            pagerank=float(self._ranks[page]),
            host_rank=float(self._host_ranks[self._pages.host_of_page[page]]),
            quality=None if np.isnan(quality) else round(quality, 4),
            hub=hub,
            authority=authority,
            anchors=tuple(anchor.text for anchor in self._anchors.of(page, limit=MAX_ANCHORS)),
        )


def analyse_links(
    crawler_ids: Sequence[int], progress: Progress | None = None, *, with_hits: bool = False
) -> LinkScores:
    """The link scores over everything that these crawlers fetched, each address as it was last seen; `with_hits`,
    hubs and authorities too.

    Needs about 60 bytes a page and, at its peak, 50 a link, and each different anchor text once; rows are read in
    small batches.
    `progress` is called with steps done and steps there are; what it raises ends the analysis.
    """
    crawler_ids = list(crawler_ids)
    total = 2 * Page.objects.filter(runner__crawler__in=crawler_ids, runner__pruned_at=None).count()
    done = 0

    def on_batch(rows: int) -> None:
        nonlocal done
        done += rows
        if progress is not None:
            progress(min(done, total), total)

    pages = read_linked_pages(crawler_ids, on_batch)
    contents = _Contents(pages)
    for runner in pages.runners:
        contents.take_runner(runner, on_batch)
    on_batch(total)
    return contents.scores(with_hits=with_hits)


class _Contents:
    """Collects links, anchor texts and qualities from the stored contents, the newest runs first."""

    def __init__(self, pages: LinkedPages) -> None:
        self._pages = pages
        self._edges = Edges()
        self._anchors = AnchorBook()
        self._quality = np.full(pages.count, np.nan, dtype=np.float32)
        self._unreadable = 0

    def take_runner(self, runner: int, on_batch: Callable[[int], None]) -> None:
        for rows in _content_batches(runner):
            keys = b"".join(bytes(row[1]) for row in rows)
            numbers, pages = self._pages.table.find(keys), self._pages.find(keys)
            self._take_links(rows, numbers, pages)
            self._take_quality(rows, numbers, pages)
            on_batch(len(rows))

    def _take_links(self, rows: Sequence[tuple], numbers: np.ndarray, pages: np.ndarray) -> None:
        """The links of those rows that are their page's newest; of an alias too, for its links are the page's."""
        sources, columns = [], []
        for row, number, page in zip(rows, numbers.tolist(), pages.tolist(), strict=True):
            if row[3] and page >= 0 and self._pages.newest[number] == row[0]:
                sources.append(page)
                columns.append(self._columns(bytes(row[3])))
        counts = [len(each.nofollow) for each in columns]
        follow = np.frombuffer(b"".join(each.nofollow for each in columns), dtype=np.uint8) == 0
        targets = self._pages.find(b"".join(each.keys for each in columns))
        origins = np.repeat(np.array(sources, dtype=np.int32), counts)
        targets = np.where(follow & (targets != origins), targets, -1).astype(np.int32)
        self._edges.add(origins, targets)
        self._anchors.add(targets, [text for each in columns for text in each.anchors])

    def _columns(self, packed: bytes) -> LinkColumns:
        try:
            return unpack_columns(packed)
        except (ValueError, ZstdError):
            self._unreadable += 1
            return LinkColumns(b"", b"", [])

    def _take_quality(self, rows: Sequence[tuple], numbers: np.ndarray, pages: np.ndarray) -> None:
        """The newest features of a page; a page that has not changed since keeps those of the run before."""
        for row, number, page in zip(rows, numbers.tolist(), pages.tolist(), strict=True):
            is_own = page >= 0 and self._pages.key_of_page[page] == number
            if not is_own or not row[4] or not np.isnan(self._quality[page]):
                continue
            try:
                features = unpack_features(bytes(row[4]))
            except (ValueError, ZstdError):
                self._unreadable += 1
                continue
            self._quality[page] = page_quality(features.get("quality") or {}, row[2]).score

    def scores(self, *, with_hits: bool) -> LinkScores:
        pages = self._pages
        graph = self._edges.graph(pages.count)
        ranks = pagerank(graph)
        host_ranks = pagerank(host_graph(graph, pages.host_of_page, len(pages.hosts)))
        found = hits(graph) if with_hits else None
        return LinkScores(
            self._report(graph, ranks, host_ranks, found),
            pages,
            log_scaled(ranks.scores),
            log_scaled(host_ranks.scores),
            self._quality,
            self._anchors.by_page(pages.count),
            (root_scaled(found.hubs), root_scaled(found.authorities)) if found is not None else None,
        )

    def _report(self, graph: LinkGraph, ranks: PageRank, host_ranks: PageRank, found: Hits | None) -> LinkReport:
        return LinkReport(
            pages=graph.pages,
            links=graph.links,
            sinks=int((graph.out_degrees == 0).sum()),
            hosts=len(self._pages.hosts),
            residuals=ranks.residuals,
            host_residuals=host_ranks.residuals,
            is_converged=ranks.is_converged and host_ranks.is_converged,
            unreadable=self._unreadable,
            hits=found,
        )


def _content_batches(runner: int) -> Iterator[list[tuple]]:
    """(page id, key, address, links, features) of a run's pages that have any.

    In two steps: with both tables in one query the database would sort all that is left, contents too, for each batch.
    """
    last, pages = 0, Page.objects.filter(runner=runner).order_by("pk")
    while rows := list(pages.filter(pk__gt=last).values_list("pk", "key", "url")[:BATCH_CONTENTS]):
        found = PageContent.objects.filter(page__in=[row[0] for row in rows]).values_list("pk", "links", "features")
        contents = {page: parts for page, *parts in found}
        if contents:
            yield [(*row, *contents[row[0]]) for row in rows if row[0] in contents]
        last = rows[-1][0]
