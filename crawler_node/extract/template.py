"""Templates that run: compiled once, the same object for the crawl, the preview and the test bench."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime

from lxml import etree

from crawler_node.extract.cleanup import Cleanup
from crawler_node.extract.conversion import CONVERT, Surroundings, raw_text, text_as_html
from crawler_node.extract.errors import BudgetError, SelectorError
from crawler_node.extract.extraction import NOTHING_FIRED, ExtractedDocument, Extraction, Miss, NoticeBook
from crawler_node.extract.parsing import ParsedPage
from crawler_node.extract.selectors import Match, Selector
from crawler_node.extract.spec import FieldType, InspectorSpec, TemplateSpec
from crawler_node.extract.text import normalize_space
from crawler_node.urls.queries import legacy_charset
from wording import say_count

MAX_ITEMS = 10_000
MAX_VALUES = 10_000


@dataclass(frozen=True, slots=True)
class CompiledInspector:
    """One inspector, ready to run."""

    spec: InspectorSpec
    selectors: Sequence[Selector]
    cleanups: Sequence[Cleanup]

    def find(self, node: etree._Element, around: Surroundings) -> tuple[object | None, int]:
        """The value below `node` and the selector that gave it; (None, -1) when none did."""
        if self.spec.type is FieldType.CONSTANT:
            return self.spec.value, 0
        for index, selector in enumerate(self.selectors):
            value = self._value_of(_select(selector, node, around), around)
            if value is not None:
                return value, index
        return None, NOTHING_FIRED

    def _value_of(self, matches: Sequence[Match], around: Surroundings) -> object | None:
        if not self.spec.multiple:
            return next((value for match in matches if (value := self._convert(match, around)) is not None), None)
        if len(matches) > MAX_VALUES:
            around.notices.add(around.field, f"Only the first {MAX_VALUES:,} of the values were taken.")
        values = [self._convert(match, around) for match in matches[:MAX_VALUES]]
        return [value for value in values if value is not None] or None

    def _convert(self, match: Match, around: Surroundings) -> object | None:
        kind = self.spec.type
        text = raw_text(match, kind, self.spec.attribute)
        if kind is FieldType.HTML and (self.spec.attribute or isinstance(match, str)):
            text = text_as_html(text)
        if self.cleanups:
            text = self._clean(text if kind is FieldType.HTML else normalize_space(text), around)
        if not text or text.isspace():
            return None
        return CONVERT[kind](text, around)

    def _clean(self, text: str, around: Surroundings) -> str:
        try:
            for cleanup in self.cleanups:
                text = cleanup.apply(text)
        except BudgetError as error:
            around.notices.add(around.field, str(error))
            return ""
        return text


@dataclass(frozen=True, slots=True)
class CompiledTemplate:
    """A template, ready to run on any page. `advice` tells the author what is allowed but probably not meant."""

    spec: TemplateSpec
    item_scope: Selector | None
    inspectors: Sequence[CompiledInspector]
    advice: Sequence[str] = field(default_factory=tuple)
    key_names: tuple[str, ...] = field(init=False)
    """The inspectors whose values identify a document across runs."""
    reads_dates: bool = field(init=False)
    """Whether a value may depend on what time it is."""
    _required: tuple[str, ...] = field(init=False)
    _telling: tuple[str, ...] = field(init=False)

    def __post_init__(self) -> None:
        specs = [inspector.spec for inspector in self.inspectors]
        object.__setattr__(self, "key_names", tuple(spec.name for spec in specs if spec.key))
        object.__setattr__(self, "reads_dates", any(spec.type is FieldType.DATE for spec in specs))
        object.__setattr__(self, "_required", tuple(spec.name for spec in specs if spec.required))
        object.__setattr__(self, "_telling", tuple(spec.name for spec in specs if spec.type is not FieldType.CONSTANT))

    def extract(self, page: ParsedPage, *, now: datetime | None = None) -> Extraction:
        """What the template finds on the page. `now` is what “yesterday” is relative to."""
        book = NoticeBook()
        for sentence in page.notices:
            book.add("", sentence)
        items = self._items(page, book)
        around = [self._surroundings(inspector, page, now, book) for inspector in self.inspectors]
        found = [(index, self._document(item, around)) for index, item in enumerate(items)]
        kept = [(index, document) for index, document in found if self._is_document(document)]
        if self.item_scope is not None and self.key_names and len(kept) < len(found):
            book.add("", self._keyless([document for _, document in found]))
        misses = [Miss(index, name) for index, document in kept for name in document.missing]
        return Extraction([document for _, document in kept], misses, book.notices(), len(items))

    def _surroundings(
        self, inspector: CompiledInspector, page: ParsedPage, now: datetime | None, book: NoticeBook
    ) -> Surroundings:
        locale = inspector.spec.locale or page.language
        charset = legacy_charset(page.charset)
        return Surroundings(page.base_url, locale, now, inspector.spec.name, book, {}, [], charset)

    def _items(self, page: ParsedPage, book: NoticeBook) -> Sequence[etree._Element]:
        if self.item_scope is None:
            return [page.root]
        try:
            matches = self.item_scope.select(page.root)
        except SelectorError as error:
            book.add("", str(error))
            return []
        items = [match for match in matches if not isinstance(match, str)]
        if len(items) < len(matches):
            book.add("", "The item scope selects text instead of elements; end it with the element around each item.")
        if len(items) > MAX_ITEMS:
            book.add("", f"Only the first {MAX_ITEMS:,} of {len(items):,} items were taken.")
        return items[:MAX_ITEMS]

    def _document(self, item: etree._Element, around: Sequence[Surroundings]) -> ExtractedDocument:
        values: dict[str, object] = {}
        fired: dict[str, int] = {}
        unread: dict[str, str] = {}
        for inspector, beside in zip(self.inspectors, around, strict=True):
            name = beside.field
            values[name], fired[name] = inspector.find(item, beside)
            if texts := beside.unread:
                if values[name] is None:
                    unread[name] = texts[0]
                texts.clear()
        missing = tuple([name for name in self._required if values[name] is None])
        return ExtractedDocument(values, missing, fired, unread)

    def _is_document(self, document: ExtractedDocument) -> bool:
        """Whether the item is one of the wanted things: it has a key where the template names one, and something of
        what is required, or else something at all. What an item scope selects is wanted once it has a value of its own.
        """
        if self.key_names and _has_none(document, self.key_names):
            return False
        if not self._required:
            return not _has_none(document, self._telling)
        if len(document.missing) < len(self._required):
            return True
        return self.item_scope is not None and self._has_own_value(document)

    def _has_own_value(self, document: ExtractedDocument) -> bool:
        """Whether a value comes from the item itself: constants and what is found from the page are every item's."""
        return any(
            inspector.spec.type is not FieldType.CONSTANT
            and document.values[inspector.spec.name] is not None
            and not inspector.selectors[document.fired[inspector.spec.name]].is_absolute
            for inspector in self.inspectors
        )

    def _keyless(self, documents: Sequence[ExtractedDocument]) -> str:
        """What to tell of items that have values, but none to know them by; '' where there are none."""
        without = [each for each in documents if _has_none(each, self.key_names) and self._has_own_value(each)]
        if not without:
            return ""
        names = ", ".join(f"“{name}”" for name in self.key_names)
        what = f"{say_count(len(without), 'item has', 'items have')} no value for the key field {names}"
        return f"{what}, and no document was made of what has no key: mend the field's selector, or choose another key."


def _has_none(document: ExtractedDocument, names: Sequence[str]) -> bool:
    """Whether the document has no value of these."""
    return all(document.values[name] is None for name in names)


def _select(selector: Selector, node: etree._Element, around: Surroundings) -> Sequence[Match]:
    known = around.absolute.get(selector.source) if selector.is_absolute else None
    if known is not None:
        return known
    try:
        matches: Sequence[Match] = selector.select(node)
    except SelectorError as error:
        around.notices.add(around.field, str(error))
        matches = ()
    if selector.is_absolute:
        around.absolute[selector.source] = matches
    return matches
