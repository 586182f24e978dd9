"""What can be found behind the hostile pages: real pages beside traps, texts behind wrong labels and damage."""

from decimal import Decimal

from backend.demo_site.hostile import broken, charsets
from backend.demo_site.hostile.traps import (
    EVENT_COUNT,
    SESSION_PAGE_COUNT,
    event_path,
    event_title,
    session_path,
)
from backend.demo_site.money import Money
from backend.demo_site.truth.expected import DocumentKind, ExpectedDocument, FieldRule, FieldType, price, text

_NAME = FieldRule("//h1[@class='name']")
_PRICE = FieldRule("//p[@class='price']", FieldType.PRICE)
TOO_DEEP = "deep-6000"
_TEXT = FieldRule("(//p[@class='text'])[1]")


def calendar_events() -> list[ExpectedDocument]:
    """The fifty real pages beside the endless calendar."""
    return [
        ExpectedDocument(
            event_path(number), {"name": text(event_title(number)), "text": text(f"Number {number} is worth the way.")}
        )
        for number in range(1, EVENT_COUNT + 1)
    ]


def session_pages() -> set[str]:
    """The twenty pages behind session ids, under their addresses without them."""
    return {session_path(number) for number in range(1, SESSION_PAGE_COUNT + 1)}


def charset_documents() -> list[ExpectedDocument]:
    """What the mislabelled pages say to whoever finds out how they are encoded."""
    return [ExpectedDocument(case.path, {"name": text(case.name), "text": text(case.text)}) for case in charsets.CASES]


def broken_documents() -> list[ExpectedDocument]:
    """What stands behind the damage."""
    amount = Money(Decimal("1299.00"), "EUR")
    return [
        ExpectedDocument(f"{broken.BASE}/{name}", {"name": text(name), "price": price("1.299,00 €", amount)})
        for name in broken.CASES
        if name != TOO_DEEP
    ]


def too_deep_documents() -> list[ExpectedDocument]:
    """What stands 6,000 levels deep: browsers show it; a crawler may say that it cannot read it."""
    amount = Money(Decimal("1299.00"), "EUR")
    fields = {"name": text(TOO_DEEP), "price": price("1.299,00 €", amount)}
    return [ExpectedDocument(f"{broken.BASE}/{TOO_DEEP}", fields)]


HOSTILE_EVENTS = DocumentKind("hostile events", "", {"name": _NAME, "text": _TEXT}, calendar_events)
HOSTILE_CHARSETS = DocumentKind("hostile charsets", "", {"name": _NAME, "text": _TEXT}, charset_documents)
HOSTILE_BROKEN = DocumentKind("hostile broken", "", {"name": _NAME, "price": _PRICE}, broken_documents)
HOSTILE_TOO_DEEP = DocumentKind("hostile too deep", "", {"name": _NAME, "price": _PRICE}, too_deep_documents)
HOSTILE_KINDS = (HOSTILE_EVENTS, HOSTILE_CHARSETS, HOSTILE_BROKEN)
