"""The dynamic pages as the server sends them: mostly empty."""

from backend.demo_site.catalogue.categories import CATEGORIES
from backend.demo_site.catalogue.products import all_products
from backend.demo_site.dynamic import data
from backend.demo_site.dynamic.layout import ITEMS, LOADING, card, cards, dynamic_page
from backend.demo_site.markup import Markup, fill
from backend.demo_site.shop.addresses import image_path

_TAB = '<button role="tab" data-name="{name}" aria-selected="false">{title}</button>\n'
_OPINION = """<li class="item"><b class="author">{author}</b>
<p class="text">{preview}…</p><button class="read-more" data-place="{place}">Read more</button></li>
"""


def list_page() -> Markup:
    return dynamic_page(
        "JavaScript list", "Sixty things that a script fetches and draws.", _joined(ITEMS, LOADING), script="list"
    )


def item_page() -> Markup:
    body = Markup('<article class="panel" id="item"></article>\n<p id="state">Loading…</p>\n')
    return dynamic_page("One thing", "Its name is not in the page that the server sends.", body, script="item")


def scroll_page() -> Markup:
    end = Markup('<p class="centre" id="end">Loading…</p>\n')
    return dynamic_page(
        "Infinite scroll", "Three hundred things, twenty at a time.", _joined(ITEMS, end), script="scroll"
    )


def more_page() -> Markup:
    button = Markup('<p class="centre"><button id="more">Load more</button></p>\n')
    return dynamic_page("Load more", "A button that goes away after 120 things.", _joined(ITEMS, button), script="more")


def tabs_page() -> Markup:
    tabs = [fill(_TAB, name=name, title=title) for name, (title, _) in data.TABS.items()]
    body = fill('<div role="tablist">{tabs}</div>\n<div id="panels"></div>\n', tabs=tabs)
    return dynamic_page("Tabs", "Four tabs; each fetches its text when it is first opened.", body, script="tabs")


def lazy_page() -> Markup:
    """The first half has its pictures in `data-src`, the second half leaves the waiting to the browser."""
    products = all_products()[data.LAZY_SLICE]
    shown = [
        card(product, image=_lazy_image(image_path(product), scripted=place < len(products) // 2))
        for place, product in enumerate(products)
    ]
    body = fill('<ul class="items">\n{cards}</ul>\n', cards=shown)
    return dynamic_page("Lazy images", "Pictures that come when they are scrolled to.", body, script="lazy")


def _lazy_image(path: str, *, scripted: bool) -> Markup:
    if scripted:
        return fill('<img class="picture" data-src="{path}" alt="">\n', path=path)
    return fill('<img class="picture" src="{path}" loading="lazy" alt="">\n', path=path)


def shadow_page() -> Markup:
    """Four things in shadow roots, four in shadow roots within a shadow root, four in a declarative one."""
    singles = [fill('<demo-item data-place="{place}"></demo-item>\n', place=place) for place in data.SHADOW_PLACES]
    shelf = fill(
        '<demo-shelf data-places="{places}"></demo-shelf>\n', places=" ".join(map(str, data.SHADOW_NESTED_PLACES))
    )
    declared = fill(
        '<div id="declared"><template shadowrootmode="open">{cards}</template></div>\n',
        cards=cards(all_products()[data.DECLARATIVE_SLICE]),
    )
    body = _joined(*singles, shelf, declared, LOADING)
    return dynamic_page("Shadow DOM", "Twelve things inside shadow roots.", body, script="shadow")


def frames_page() -> Markup:
    """Eight things in a frame with an address, four in one without."""
    inner = fill("<!doctype html><title>Inner</title>{cards}", cards=cards(all_products()[data.SRCDOC_SLICE]))
    body = fill(
        '<iframe src="/dynamic/frames/inner" title="One"></iframe>\n<iframe srcdoc="{inner}" title="Two"></iframe>\n',
        inner=str(inner),
    )
    return dynamic_page("Frames", "Twelve things inside two frames of the same origin.", body)


def inner_frame() -> Markup:
    body = cards(all_products()[data.FRAME_SLICE])
    return dynamic_page("Inner frame", "Shown inside another page.", body)


def search_page() -> Markup:
    box = Markup(
        '<p><input id="query" aria-label="Search" placeholder="Type and press Enter"></p>\n<p id="state"></p>\n'
    )
    return dynamic_page(
        "Search box", "Results come after typing and pressing Enter.", _joined(box, ITEMS), script="search"
    )


def select_page() -> Markup:
    options = [
        fill('<option value="{slug}">{title}</option>', slug=category.slug, title=category.title)
        for category in CATEGORIES
    ]
    box = fill(
        '<p><select id="category" aria-label="Category"><option value="">Choose…</option>{options}</select></p>\n',
        options=options,
    )
    return dynamic_page("Select box", "Twelve things of the chosen category.", _joined(box, ITEMS), script="select")


def hover_page() -> Markup:
    shown = [
        card(product, with_price=False, data=fill(' data-number="{number}"', number=product.number))
        for product in all_products()[data.HOVER_SLICE]
    ]
    body = fill('<ul class="items">\n{cards}</ul>\n', cards=shown)
    return dynamic_page("Hover", "Prices come when the pointer rests on a thing.", body, script="hover")


def wait_page() -> Markup:
    spinner = Markup('<div class="spinner" role="status" aria-label="Loading"></div>\n<p id="state"></p>\n')
    return dynamic_page(
        "Slow start", "A spinner turns for a second; then twelve things come.", _joined(spinner, ITEMS), script="wait"
    )


def expand_page() -> Markup:
    shown = [
        fill(_OPINION, author=review.author, preview=review.text[: data.PREVIEW_CHARACTERS], place=place)
        for place, review in enumerate(data.opinions())
    ]
    body = fill('<ul class="items">\n{shown}</ul>\n', shown=shown)
    return dynamic_page("Read more", "Ten opinions, cut off until one asks for the rest.", body, script="expand")


def parity_page() -> Markup:
    """Static: a table without `tbody` and paragraphs without ends, which browsers repair and parsers keep."""
    rows = [
        fill("<tr><td>{name}<td>{price}\n", name=product.name, price=product.price_text)
        for product in all_products()[data.PARITY_SLICE]
    ]
    body = fill('<table id="prices">\n<tr><th>Name<th>Price\n{rows}</table>\n', rows=rows)
    return dynamic_page("Parity", "No script at all: every lane finds the same twelve rows.", body)


def _joined(*parts: Markup) -> Markup:
    return Markup("".join(parts))
