"""Which documents an export holds, read by id in small bites: as much memory for ten million as for ten."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from django.db.models import Exists, OuterRef, QuerySet, Subquery
from django.db.models.functions import Coalesce

from backend.apps.crawlers.models import Crawler
from backend.apps.documents.exports.columns import Column, columns_of, free_name, merge_columns
from backend.apps.documents.models import Document, DocumentVersion
from backend.apps.documents.selectors import found_by
from backend.apps.projects.models import Project
from backend.apps.runners.models import Runner
from backend.apps.templates.models import Template
from crawler_node.extract.spec import FieldType, InspectorSpec, parse_template

BITE_ROWS = 500
BITE_CHARACTERS = 2_000_000

Values = dict[str, Any]


class RowSource(Protocol):
    """What the formats write: named columns, and rows that hold a value for some of them."""

    columns: Sequence[Column]

    def rows(self) -> Iterator[Values]: ...


@dataclass
class DocumentSource:
    """Documents in the order they were first found. Duplicates and gone ones only where asked for.

    `runner` limits them to what that run extracted or found unchanged; the values are those of that time.
    """

    documents: QuerySet[Document]
    inspectors: Sequence[Column]
    runner: Runner | None = None
    with_crawler: bool = False
    with_duplicates: bool = False
    with_gone: bool = False
    columns: Sequence[Column] = field(init=False)
    _names: dict[str, str] = field(init=False)

    def __post_init__(self) -> None:
        own = {"url": True, "crawler": self.with_crawler, "duplicate_of": self.with_duplicates}
        taken = [column.name for column in self.inspectors]
        self._names = {}
        for name, is_wanted in {**own, "gone_at": self.with_gone}.items():
            if is_wanted:
                self._names[name] = free_name(f"page_{name}" if name in taken else name, taken)
        self.columns = [*self.inspectors, *(Column(name) for name in self._names.values())]

    def rows(self) -> Iterator[Values]:
        crawlers: dict[int, str] = {}
        for document, values in self._documents():
            own = {"url": document.url, "duplicate_of": document.original_url, "gone_at": _moment(document.gone_at)}
            if self.with_crawler:
                own["crawler"] = _name_of(document.crawler_id, crawlers)
            yield values | {column: own[name] for name, column in self._names.items()}

    def _documents(self) -> Iterator[tuple[Any, Values]]:
        queryset, last = self._chosen(), 0
        while bite := list(queryset.filter(pk__gt=last)[:BITE_ROWS]):
            values = _values_of([document.version_id for document in bite if document.version_id])
            for document in bite:
                # A document without values was deleted meanwhile.
                if document.version_id and (found := next(values)) is not None:
                    yield document, found
            last = bite[-1].pk

    def _chosen(self) -> QuerySet[Document]:
        versions = DocumentVersion.objects.filter(document=OuterRef("pk"))
        version = Subquery(versions.filter(is_current=True).order_by().values("pk")[:1])
        chosen = self.documents.only("id", "url", "crawler_id", "gone_at").order_by("pk")
        if not self.with_duplicates:
            chosen = chosen.filter(duplicate_of__isnull=True)
        if not self.with_gone:
            chosen = chosen.filter(gone_at__isnull=True)
        if self.runner is not None:
            chosen = found_by(chosen, self.runner)
            version = Coalesce(*_versions_of(self.runner), version)
        original = Document.objects.filter(pk=OuterRef("duplicate_of_id")).values("url")
        return chosen.annotate(version_id=version, original_url=Subquery(original))


def _versions_of(runner: Runner) -> tuple[Subquery, Subquery]:
    """The version that the run extracted, and the last one before those of later runs."""
    versions = DocumentVersion.objects.filter(document=OuterRef("pk")).order_by("-number")
    later = DocumentVersion.objects.filter(document=OuterRef("document"), runner__gt=runner.pk)
    before = versions.exclude(Exists(later.filter(number__lte=OuterRef("number"))))
    return Subquery(versions.filter(runner=runner).values("pk")[:1]), Subquery(before.values("pk")[:1])


def _values_of(version_ids: list[int]) -> Iterator[Values | None]:
    """The values of the versions in this order, None for a vanished one; fewer at once where they are long."""
    start, step = 0, 50
    while start < len(version_ids):
        wanted = version_ids[start : start + step]
        found = dict(DocumentVersion.objects.filter(pk__in=wanted).values_list("pk", "fields"))
        start += len(wanted)
        characters = sum(map(_length, found.values()))
        step = max(1, min(BITE_ROWS, 2 * step, BITE_CHARACTERS * len(wanted) // (characters + 1)))
        yield from (found.pop(pk, None) for pk in wanted)


def _length(value: Any) -> int:
    """About how many characters a value holds."""
    if isinstance(value, str):
        return len(value)
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return sum(map(_length, inner))


def documents_of_runner(runner: Runner, *, with_duplicates: bool = False, with_gone: bool = False) -> DocumentSource:
    """Columns are those of the template as the run used it."""
    frozen = runner.specification.get("template")
    inspectors = columns_of(parse_template(frozen).inspectors) if frozen else _columns(runner.crawler.template)
    return DocumentSource(
        Document.objects.filter(crawler=runner.crawler_id),
        inspectors,
        runner=runner,
        with_duplicates=with_duplicates,
        with_gone=with_gone,
    )


def documents_of_crawler(crawler: Crawler, *, with_duplicates: bool = False, with_gone: bool = False) -> DocumentSource:
    return DocumentSource(
        Document.objects.filter(crawler=crawler),
        _columns(crawler.template),
        with_duplicates=with_duplicates,
        with_gone=with_gone,
    )


def documents_of_project(project: Project, *, with_duplicates: bool = False, with_gone: bool = False) -> DocumentSource:
    """All crawlers of a project in one table, each document with its crawler's name."""
    crawlers = list(project.crawlers.select_related("template").order_by("pk"))
    return DocumentSource(
        Document.objects.filter(crawler__in=[crawler.pk for crawler in crawlers]),
        merge_columns(_columns(crawler.template) for crawler in crawlers),
        with_crawler=True,
        with_duplicates=with_duplicates,
        with_gone=with_gone,
    )


def _columns(template: Template) -> list[Column]:
    specs = [
        InspectorSpec(name=inspector.name, type=FieldType(inspector.type), multiple=inspector.multiple)
        for inspector in template.inspectors.all()
    ]
    return columns_of(specs)


def _moment(at: Any) -> str | None:
    return at.isoformat() if at is not None else None


def _name_of(crawler_id: int, known: dict[int, str]) -> str:
    if crawler_id not in known:
        known[crawler_id] = Crawler.objects.values_list("name", flat=True).get(pk=crawler_id)
    return known[crawler_id]
