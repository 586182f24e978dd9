"""From changes of documents to what an index is told: many at a time, no row by row."""

import logging
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from types import MappingProxyType
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from django.db import connection
from zstandard import ZstdError

from backend.apps.crawlers.models import Crawler
from backend.apps.documents.following import DocumentChange, DocumentState
from backend.apps.documents.models import DocumentVersion
from backend.apps.indexers import standard_fields as standard
from backend.apps.indexers.build_plans import BuildPlan
from backend.apps.indexers.link_analysis import PageScores
from backend.apps.indexers.values import Unreadable, column_fields
from backend.apps.runners.crawl_store.pages import unpack_features
from backend.apps.runners.crawl_store.sql import rows_in
from backend.search_engine.duplicates import fingerprint
from backend.search_engine.safe_search import SafeSearch, default_words
from backend.search_engine.text import Analysis, Analyzer, Reduction

log = logging.getLogger(__name__)

FEATURES = (
    "SELECT p.key, c.features FROM documents_page p JOIN documents_pagecontent c ON c.page_id = p.id"
    " WHERE c.features IS NOT NULL AND p.runner_id = %s AND p.key IN {}"
)
FACTS = ("document_id", "document__first_seen_at", "document__last_runner_id", "runner_id", "extracted_at")
HALF = 32
WHOLE = ""
"""Stands for a whole document among the names of columns."""

Features = dict[str, Any]
ScorePage = Callable[[DocumentChange, Features], PageScores]


class IndexChange(NamedTuple):
    """What an index is told about a document: its fields, or None when it is to be found no longer.

    `unreadable` has by column the text that cannot be read; under `WHOLE` the address, where nothing of it can.
    """

    key: str
    fields: dict[str, Any] | None
    state: DocumentState
    unreadable: Mapping[str, str] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class _Facts:
    found: datetime
    runners: tuple[int | None, ...]
    fetched: datetime


class DocumentReader:
    """Reads documents as a plan wants them."""

    def __init__(self, plan: BuildPlan, *, project_id: int) -> None:
        self._plan = plan
        self._safe_search = SafeSearch()
        self._analyzer = Analyzer(Analysis(reduction=Reduction.NONE))
        self._suspect = frozenset(term for word in default_words() for term in self._analyzer.terms(word))
        self._project_id = project_id
        self._strangers: set[int] = set()
        self.crawlers = crawlers_of(plan, project_id)

    def look_again(self) -> None:
        """Crawlers may have got other names and templates, or become ours."""
        self.crawlers = crawlers_of(self._plan, self._project_id)
        self._strangers.clear()

    def read(self, changes: Sequence[DocumentChange], score: ScorePage) -> Iterator[IndexChange]:
        """Those of the changes that concern this index, in their order."""
        ours = [change for change in changes if self._concerns(change)]
        present = [change for change in ours if change.state is DocumentState.PRESENT]
        facts = _read_facts([change.document_id for change in present])
        pages = _read_features(present, facts)
        for change in ours:
            if change.state is DocumentState.PRESENT and (own := facts.get(change.document_id)):
                features = _features_of(change, own, pages)
                yield self._told(change, own, features, score(change, features))
            else:
                yield IndexChange(str(change.document_id), None, change.state)

    def _told(self, change: DocumentChange, facts: _Facts, features: Features, scores: PageScores) -> IndexChange:
        """One document that nobody thought of must not keep all others out of the index."""
        key, unreadable = str(change.document_id), Unreadable()
        try:
            return IndexChange(key, self._fields(change, facts, features, scores, unreadable), change.state, unreadable)
        except Exception:
            log.exception("The document %s of %s cannot be read.", key, change.url)
            return IndexChange(key, None, change.state, {WHOLE: change.url})

    def _concerns(self, change: DocumentChange) -> bool:
        """A deleted crawler is none of ours any more, its documents may be; a new one may be ours."""
        if change.state is DocumentState.DELETED:
            return True
        if change.crawler_id not in self.crawlers and change.crawler_id not in self._strangers:
            self.crawlers = crawlers_of(self._plan, self._project_id)
            self._strangers.add(change.crawler_id)
        return change.crawler_id in self.crawlers

    def _fields(
        self, change: DocumentChange, facts: _Facts, features: Features, scores: PageScores, unreadable: Unreadable
    ) -> dict[str, Any]:
        name, template = self.crawlers[change.crawler_id]
        fields: dict[str, Any] = {}
        for column in self._plan.columns:
            fields.update(column_fields(column, template, change.values, unreadable, features.get("unread")))
        texts = [fields[column.name] for column in self._plan.columns if column.is_searched and column.name in fields]
        if self._plan.page_text:
            fields.update(_page_text(features, scores))
            texts.append(fields[standard.TEXT])
        fields[standard.TITLE] = features.get("title", "")
        fields |= {
            standard.URL: change.url,
            standard.CRAWLER: name,
            standard.HOST: urlsplit(change.url).hostname or "",
            standard.LANGUAGE: features.get("language") or [],
            standard.FETCHED: facts.fetched,
            standard.FOUND: facts.found,
            standard.PAGERANK: scores.pagerank,
            standard.HOST_RANK: scores.host_rank,
            standard.QUALITY: scores.quality,
        }
        if self._plan.hits:
            fields |= {standard.HUB: scores.hub, standard.AUTHORITY: scores.authority}
        return fields | self._judged("\n".join(texts), title=fields[standard.TITLE])

    def _judged(self, text: str, *, title: str) -> dict[str, Any]:
        """Most texts have no word of the list: then there is nothing to judge."""
        terms = self._analyzer.terms(text)
        is_suspect = not self._suspect.isdisjoint(terms) or not self._suspect.isdisjoint(self._analyzer.terms(title))
        is_unsafe = is_suspect and self._safe_search.judge(text, title=title).is_unsafe
        mark = fingerprint(terms)
        high, low = standard.FINGERPRINT
        halves = {high: mark >> HALF, low: mark & (2**HALF - 1)}
        return {standard.UNSAFE: "true" if is_unsafe else "false", **halves}


def crawlers_of(plan: BuildPlan, project_id: int) -> dict[int, tuple[str, int]]:
    """Name and template of each crawler whose documents are in the index; without columns and a choice, of all."""
    rows = Crawler.objects.filter(project=project_id)
    if plan.templates:
        rows = rows.filter(template__in=plan.templates)
    if plan.crawlers:
        rows = rows.filter(pk__in=plan.crawlers)
    return {pk: (name, template) for pk, name, template in rows.values_list("pk", "name", "template_id")}


def _page_text(features: Features, scores: PageScores) -> dict[str, Any]:
    return {
        standard.HEADINGS: "\n".join(features.get("headings", ())),
        standard.DESCRIPTION: features.get("description", ""),
        standard.TEXT: features.get("text", ""),
        standard.ANCHORS: "\n".join(scores.anchors),
    }


def _read_facts(ids: Sequence[int]) -> dict[int, _Facts]:
    rows = DocumentVersion.objects.filter(document__in=ids, is_current=True).order_by().values_list(*FACTS)
    return {pk: _Facts(found, (runner, last), fetched) for pk, found, last, runner, fetched in rows}


def _read_features(
    changes: Sequence[DocumentChange], facts: dict[int, _Facts]
) -> dict[tuple[int | None, bytes], Features]:
    """Of the pages as the runs fetched them that these documents were read and last seen in."""
    wanted: dict[int, set[bytes]] = defaultdict(set)
    for change in changes:
        for runner in facts[change.document_id].runners if change.document_id in facts else ():
            if runner is not None:
                wanted[runner].add(change.page_key)
    found: dict[tuple[int | None, bytes], Features] = {}
    with connection.cursor() as cursor:
        for runner, keys in wanted.items():
            for key, packed in rows_in(cursor, FEATURES, [runner], sorted(keys)):
                found[runner, bytes(key)] = _unpacked(bytes(packed))
    return found


def _unpacked(packed: bytes) -> Features:
    """Nothing for what another version of Gleaner wrote."""
    try:
        return unpack_features(packed)
    except (ValueError, ZstdError):
        return {}


def _features_of(change: DocumentChange, facts: _Facts, pages: dict[tuple[int | None, bytes], Features]) -> Features:
    """The page as it was when the values were read, else as it was last seen, else nothing."""
    return next((pages[runner, change.page_key] for runner in facts.runners if (runner, change.page_key) in pages), {})
