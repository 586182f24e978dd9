"""Extracted and deduplicated: the documents of a page, which selectors fired, what was missing, what repeats what."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from zstandard import ZstdError

from backend.apps.documents.models import Document, DocumentVersion, Page
from backend.apps.search.trace.page_documents import PageDocuments, by_identity, documents_elsewhere, documents_of
from backend.apps.search.trace.steps import StepName, Trace
from crawler_node.extract.compiler import compile_template
from crawler_node.extract.errors import ExtractError
from crawler_node.extract.extraction import ExtractedDocument
from crawler_node.extract.parsing import parse_page
from crawler_node.extract.spec import InspectorSpec, TemplateSpec
from crawler_node.sinks import unpack_page
from wording import say_count

ELSEWHERE = "Search for one of them, or trace the page that has it now."
KEEP_PAGES = "Switch on “keep pages” in the crawler to see which selectors find something."


def tell_extraction(trace: Trace, page: Page, template: TemplateSpec, crawler_id: int) -> list[Document]:
    """Documents of the page, a few at most; the reason is told where there are none."""
    documents = documents_of(crawler_id, bytes(page.key))
    reading, where = _reading(page, template), ""
    if not documents.total and page.document_count:
        documents = documents_elsewhere(crawler_id, page, template, reading)
        where = f" Later they were found on other pages, such as {documents.shown[0].url}." if documents.shown else ""
    trace.documents += [_described(document) for document in documents.shown]
    _tell_selectors(trace, page, documents, template, reading)
    if present := documents.can_be_found:
        count = f"{documents.present:,} documents were" if documents.present > 1 else "One document was"
        told = f"{count} found on it.{where}{documents.more_sentence}{_missing(present, template)}"
        trace.passed(StepName.EXTRACTED, told, at=page.fetched_at)
        return present
    trace.stopped(StepName.EXTRACTED, _nothing(page, documents.shown, template, reading), at=page.fetched_at)
    return []


def _tell_selectors(
    trace: Trace,
    page: Page,
    documents: PageDocuments,
    template: TemplateSpec,
    reading: Sequence[ExtractedDocument] | None,
) -> None:
    """Which selectors gave the values of each document, where the kept page still has it."""
    if reading is None:
        return
    known = by_identity(page, template, reading)
    is_whole = len(reading) == documents.total == len(documents.shown)
    for place, (told, document) in enumerate(zip(trace.documents, documents.shown, strict=True)):
        found = known.get(bytes(document.identity)) or (reading[place] if is_whole else None)
        if found is not None:
            told["selectors"] = fired(template, found)


def _nothing(
    page: Page, documents: Sequence[Document], template: TemplateSpec, reading: Sequence[ExtractedDocument] | None
) -> str:
    if page.failure:
        return page.failure
    if documents:
        gone = max(document.gone_at for document in documents if document.gone_at)
        return f"Its documents are no longer on the page since {gone:%Y-%m-%d %H:%M}."
    if page.document_count:
        count = say_count(page.document_count, "document")
        return f"The run found {count} on it; since then other pages had them, or somebody deleted them. {ELSEWHERE}"
    if reading is None:
        return f"The template “{template.name}” found nothing on it. {KEEP_PAGES}"
    if not reading:
        scope = f" The item scope {template.item_scope} fits nothing." if template.item_scope else ""
        return f"The template “{template.name}” found nothing on it: no selector gives a value.{scope}"
    empty = [each for each in template.inspectors if each.required or each.key]
    misses = [each for each in empty if all(found.values.get(each.name) is None for found in reading)]
    if not misses:
        return f"The template “{template.name}” found no whole document on it."
    named = ", ".join(f"“{each.name}” ({each.selector})" for each in misses)
    return f"The template “{template.name}” found no document on it: nothing for {named}."


def _missing(documents: Sequence[Document], template: TemplateSpec) -> str:
    """Fields without a value, where one document of the page has none."""
    names = [each.name for each in template.inspectors if each.required]
    versions = DocumentVersion.objects.filter(document__in=[document.pk for document in documents], is_current=True)
    empty = {name for values in versions.values_list("fields", flat=True) for name in names if values.get(name) is None}
    return f" Missing: {', '.join(sorted(empty))}." if empty else ""


def tell_duplicates(trace: Trace, documents: Sequence[Document]) -> list[Document]:
    """The documents that stand for themselves; the reason is told where none does."""
    own = [document for document in documents if document.duplicate_of_id is None]
    repeats = [document for document in documents if document.duplicate_of_id is not None]
    if own:
        more = f" {len(repeats):,} others repeat documents of other pages." if repeats else ""
        trace.passed(StepName.DEDUPLICATED, f"It repeats no other document.{more}")
        return own
    original = Document.objects.filter(pk=repeats[0].duplicate_of_id).first()
    where = f" of {original.url}" if original is not None else ""
    trace.stopped(StepName.DEDUPLICATED, f"It has exactly the values of the document{where}, which stands for both.")
    return []


def _described(document: Document) -> dict[str, Any]:
    version = DocumentVersion.objects.filter(document=document, is_current=True).first()
    original = Document.objects.filter(pk=document.duplicate_of_id).first() if document.duplicate_of_id else None
    return {
        "id": document.pk,
        "url": document.url,
        "values": version.fields if version is not None else {},
        "version": document.version_number,
        "duplicate_of": original.url if original is not None else None,
        "gone_at": document.gone_at,
        "last_seen_at": document.last_seen_at,
        "selectors": [],
    }


def _reading(page: Page, template: TemplateSpec) -> Sequence[ExtractedDocument] | None:
    """What a template that demands nothing finds on the kept page; None when it was not kept or cannot be read."""
    content = getattr(page, "content", None)
    if content is None or content.raw is None:
        return None
    lenient = replace(template, inspectors=tuple(_lenient(each) for each in template.inspectors))
    try:
        body = unpack_page(bytes(content.raw))
        parsed = parse_page(body, url=page.url, content_type=page.content_type)
        return compile_template(lenient).extract(parsed, now=page.fetched_at).documents
    except (ValueError, ZstdError, ExtractError):
        return None


def _lenient(inspector: InspectorSpec) -> InspectorSpec:
    return replace(inspector, required=False, key=False)


def fired(template: TemplateSpec, found: ExtractedDocument) -> list[dict[str, Any]]:
    """By field: the selector that gave the value, and whether it was a fallback; none where nothing was found."""
    told = []
    for inspector in template.inspectors:
        number = found.fired.get(inspector.name, -1)
        selectors = (inspector.selector, *inspector.fallbacks)
        told.append(
            {
                "field": inspector.name,
                "selector": selectors[number] if 0 <= number < len(selectors) else None,
                "is_fallback": number > 0,
                "is_required": inspector.required,
            }
        )
    return told
