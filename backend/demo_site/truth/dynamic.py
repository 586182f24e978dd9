"""The exact documents of the dynamic pages, and the actions that bring them about."""

from collections.abc import Callable, Iterable, Iterator, Sequence

from backend.demo_site.catalogue.products import Product, all_products
from backend.demo_site.dynamic import data
from backend.demo_site.dynamic.account import ORDERS, PASSWORD, USER_NAME, order_day, order_total
from backend.demo_site.money import Money
from backend.demo_site.paging import page_path
from backend.demo_site.shop.addresses import image_path
from backend.demo_site.truth.expected import (
    Action,
    DocumentKind,
    ExpectedDocument,
    ExpectedField,
    FieldRule,
    FieldType,
    day,
    link,
    price,
    text,
)

SEARCH_QUERY = "ssd 1tb"
SELECTED_CATEGORY = "cameras"

_ITEMS = "//li[@class='item']"
CARD_RULES = {
    "name": FieldRule(".//a[@class='name']"),
    "link": FieldRule(".//a[@class='name']", FieldType.LINK, "href"),
    "brand": FieldRule(".//span[@class='brand']"),
    "price": FieldRule(".//span[@class='price']", FieldType.PRICE),
}
_ITEM_RULES = {
    "name": FieldRule("//article[@id='item']/h1"),
    "brand": FieldRule("//article[@id='item']/p[@class='brand']"),
    "price": FieldRule("//article[@id='item']/p[@class='price']", FieldType.PRICE),
    "summary": FieldRule("//article[@id='item']/p[@class='summary']"),
    "image": FieldRule("//article[@id='item']/img", FieldType.IMAGE, "src"),
}
_PANEL_RULES = {"title": FieldRule("./h2"), "text": FieldRule("./p")}
_LAZY_RULES = {**CARD_RULES, "image": FieldRule(".//img", FieldType.IMAGE, "src")}
_OPINION_RULES = {"author": FieldRule("./b"), "text": FieldRule("./p[@class='text']")}
_ROW_RULES = {"name": FieldRule("./td[1]"), "price": FieldRule("./td[2]", FieldType.PRICE)}
_ORDER_RULES = {
    "number": FieldRule(".//a[@class='name']"),
    "ordered": FieldRule(".//span[@class='brand']", FieldType.DATE),
    "what": FieldRule(".//span[@class='what']"),
    "total": FieldRule(".//span[@class='price']", FieldType.PRICE),
}
LOGIN_ACTIONS: tuple[Action, ...] = (
    {"type": "type", "selector": "//input[@id='username']", "text": USER_NAME},
    {"type": "type", "selector": "//input[@id='password']", "text": PASSWORD},
    {"type": "click", "selector": "//button[@id='sign-in']"},
    {"type": "wait_for", "selector": "//p[@id='signed-in']"},
)


def card_fields(product: Product) -> dict[str, ExpectedField]:
    """What a card shows."""
    return {
        "name": text(product.name),
        "link": link(data.item_path(product)),
        "brand": text(product.brand),
        "price": price(product.price_text, product.price),
    }


def _cards(path: str, products: Callable[[], Iterable[Product]]) -> Callable[[], list[ExpectedDocument]]:
    return lambda: [ExpectedDocument(path, card_fields(product)) for product in products()]


def _item_documents() -> list[ExpectedDocument]:
    """One document per page of the things in the JavaScript list."""
    return [
        ExpectedDocument(
            data.item_path(product),
            {
                "name": text(product.name),
                "brand": text(product.brand),
                "price": price(product.price_text, product.price),
                "summary": text(product.summary),
                "image": link(image_path(product)),
            },
        )
        for product in all_products()[: data.LIST_COUNT]
    ]


def _panel_documents() -> list[ExpectedDocument]:
    return [
        ExpectedDocument("/dynamic/tabs", {"title": text(title), "text": text(words)})
        for title, words in data.TABS.values()
    ]


def _lazy_documents() -> list[ExpectedDocument]:
    return [
        ExpectedDocument("/dynamic/lazy", {**card_fields(product), "image": link(image_path(product))})
        for product in all_products()[data.LAZY_SLICE]
    ]


def _shadow_products() -> list[Product]:
    products = all_products()
    scripted = [products[place] for place in (*data.SHADOW_PLACES, *data.SHADOW_NESTED_PLACES)]
    return [*scripted, *products[data.DECLARATIVE_SLICE]]


def _frame_products() -> list[Product]:
    return [*all_products()[data.FRAME_SLICE], *all_products()[data.SRCDOC_SLICE]]


def _opinion_documents() -> list[ExpectedDocument]:
    return [
        ExpectedDocument("/dynamic/expand", {"author": text(review.author), "text": text(review.text)})
        for review in data.opinions()
    ]


def _row_documents() -> list[ExpectedDocument]:
    return [
        ExpectedDocument(
            "/dynamic/parity", {"name": text(product.name), "price": price(product.price_text, product.price)}
        )
        for product in all_products()[data.PARITY_SLICE]
    ]


def _order_documents() -> list[ExpectedDocument]:
    """Thirty orders on three pages behind the login."""
    return [
        ExpectedDocument(
            page_path(ORDERS, 1 + place // data.ORDERS_PER_PAGE),
            {
                "number": text(f"Order {order.number}"),
                "ordered": day(order_day(order), order.ordered),
                "what": text(order.product.name),
                "total": price(order_total(order), Money(order.total, "GBP")),
            },
        )
        for place, order in enumerate(data.orders())
    ]


def _card_kind(name: str, products: Callable[[], Sequence[Product]], *actions: Action) -> DocumentKind:
    documents = _cards(f"/dynamic/{name}", products)
    return DocumentKind(f"dynamic {name}", _ITEMS, CARD_RULES, documents, actions, needs_browser=True)


def _slice(places: slice) -> Callable[[], Sequence[Product]]:
    return lambda: all_products()[places]


def _open_tabs() -> Iterator[Action]:
    for name in data.TABS:
        yield {"type": "click", "selector": f"//button[@data-name='{name}']"}
        yield {"type": "wait_for", "selector": f"//*[@id='panel-{name}']"}


def _hover_all() -> Iterator[Action]:
    for place in range(1, 1 + data.HOVER_SLICE.stop - data.HOVER_SLICE.start):
        yield {"type": "hover", "selector": f"({_ITEMS})[{place}]"}
        yield {"type": "wait_for", "selector": f"({_ITEMS})[{place}]/span[@class='price'][text()]"}


DYNAMIC_KINDS = (
    _card_kind("list", _slice(slice(0, data.LIST_COUNT)), {"type": "wait_for", "selector": _ITEMS}),
    DocumentKind(
        "dynamic items",
        "",
        _ITEM_RULES,
        _item_documents,
        ({"type": "wait_for", "selector": "//article[@id='item']/h1"},),
        needs_browser=True,
    ),
    _card_kind("scroll", data.scroll_products, {"type": "scroll_to_end", "max_times": 60}),
    _card_kind(
        "more",
        _slice(slice(0, data.MORE_COUNT)),
        {"type": "load_more", "selector": "//button[@id='more']", "max_times": 20},
    ),
    DocumentKind(
        "dynamic tabs",
        "//section[@class='panel']",
        _PANEL_RULES,
        _panel_documents,
        tuple(_open_tabs()),
        needs_browser=True,
    ),
    _card_kind(
        "cookies", _slice(data.COOKIES_SLICE), {"type": "dismiss_overlays"}, {"type": "wait_for", "selector": _ITEMS}
    ),
    DocumentKind(
        "dynamic lazy",
        _ITEMS,
        _LAZY_RULES,
        _lazy_documents,
        ({"type": "scroll", "times": 12, "direction": "down"}, {"type": "wait", "seconds": 1}),
        needs_browser=True,
    ),
    _card_kind("shadow", _shadow_products, {"type": "wait_for_text", "text": "8 loaded"}),
    _card_kind("frames", _frame_products),
    _card_kind(
        "search",
        lambda: data.search_products(SEARCH_QUERY),
        {"type": "type", "selector": "//input[@id='query']", "text": SEARCH_QUERY},
        {"type": "press_key", "key": "Enter", "selector": "//input[@id='query']"},
        {"type": "wait_for_text", "text": "found"},
    ),
    _card_kind(
        "select",
        lambda: data.category_products(SELECTED_CATEGORY),
        {"type": "select_option", "selector": "//select[@id='category']", "option": "Cameras"},
        {"type": "wait_for", "selector": _ITEMS},
    ),
    _card_kind(
        "hover",
        _slice(data.HOVER_SLICE),
        *_hover_all(),
    ),
    _card_kind("wait", _slice(data.WAIT_SLICE), {"type": "wait_until_gone", "selector": "//*[@class='spinner']"}),
    DocumentKind(
        "dynamic expand",
        _ITEMS,
        _OPINION_RULES,
        _opinion_documents,
        ({"type": "load_more", "selector": "//button[@class='read-more']", "max_times": data.OPINION_COUNT},),
        needs_browser=True,
    ),
    DocumentKind("dynamic parity", "//table[@id='prices']//tr[td]", _ROW_RULES, _row_documents),
    DocumentKind("dynamic orders", "//li[contains(@class, 'order')]", _ORDER_RULES, _order_documents, LOGIN_ACTIONS),
)
