"""The exact documents of the changing pages in each version."""

from backend.demo_site.changing.pages import BASE, THINGS, Thing
from backend.demo_site.money import Money
from backend.demo_site.truth.expected import ExpectedDocument, FieldRule, FieldType, price, text

CHANGING_RULES = {
    "name": FieldRule("//h1[@class='name']"),
    "price": FieldRule("//p[@class='price']", FieldType.PRICE),
    "stock": FieldRule("//p[@class='stock']"),
}


def changing_documents(version: int) -> list[ExpectedDocument]:
    """What there is to find in this version of the site."""
    return [_document(thing, version) for thing in THINGS if thing.exists_in(version)]


def _document(thing: Thing, version: int) -> ExpectedDocument:
    return ExpectedDocument(
        thing.path,
        {
            "name": text(thing.name),
            "price": price(thing.price_text(version), Money(thing.amount(version), "USD")),
            "stock": text(thing.stock_text(version)),
        },
    )


def changing_pages(version: int) -> set[str]:
    """Every page that links lead to from the list."""
    return {BASE, *(thing.path for thing in THINGS if thing.exists_in(version))}


def changed_pages(before: int, after: int) -> set[str]:
    """The pages of both versions whose content is not the same."""
    return {
        thing.path
        for thing in THINGS
        if thing.exists_in(before) and thing.exists_in(after) and thing.edition(before) != thing.edition(after)
    }


def gone_pages(before: int, after: int) -> set[str]:
    """The pages of the earlier version that answer 410 in the later one."""
    return {thing.path for thing in THINGS if thing.exists_in(before) and not thing.exists_in(after)}
