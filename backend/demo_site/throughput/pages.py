"""Page number n of N: six fields, 60 links, about 45 KB, all computed from n alone."""

from decimal import Decimal

from backend.demo_site.catalogue.names import invent_brands
from backend.demo_site.throughput.filler import BLOCK_COUNT, filler_blocks

PREFIX = "/bulk/item/"
BLOCKS_PER_PAGE = 5
TREE_LINKS = 8  # page n links to 8n+1 … 8n+8, so that every page is a few clicks from the first
NEXT_LINKS = 14
FAR_LINKS = 30
NAVIGATION_LINKS = 8
LINKS_PER_PAGE = TREE_LINKS + NEXT_LINKS + FAR_LINKS + NAVIGATION_LINKS

_KINDS = ("SSD", "Camera", "Phone", "Laptop", "Monitor", "Router", "Speaker", "Keyboard")
_STOCK = ("In stock", "Only 3 left", "Sold out", "In stock", "In stock")
_STYLE = "body{font:16px/1.5 sans-serif;max-width:70rem;margin:auto}.price{font-size:2rem}.opinion{margin:1rem 0}"
_NAVIGATION = "".join(f'<li><a href="{PREFIX}{number}">{kind}s</a></li>\n' for number, kind in enumerate(_KINDS))
_LINK = f'<li><a href="{PREFIX}%d">Item %d</a></li>\n'
_HEAD = f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>%s</title>
<meta name="description" content="Item %d of a very long list">
<link rel="canonical" href="{PREFIX}%d">
<style>{_STYLE}</style>
</head>
<body>
<nav><ul>
{_NAVIGATION}</ul></nav>
<main>
<article class="product" data-number="%d">
<h1 class="name">%s</h1>
<img class="picture" src="/bulk/picture/%d.png" alt="">
<p class="brand">%s</p>
<p class="price">%s</p>
<dl><dt>Article</dt><dd class="sku">%s</dd>
<dt>Rating</dt><dd class="rating">%s</dd>
<dt>Availability</dt><dd class="stock">%s</dd></dl>
</article>
"""
_TAIL = f"""<aside><h2>More</h2><ul>
{_LINK * (TREE_LINKS + NEXT_LINKS + FAR_LINKS)}</ul></aside>
</main>
</body>
</html>
"""
_HEAD_BYTES, _TAIL_BYTES = _HEAD.encode(), _TAIL.encode()


def item_fields(number: int) -> dict[str, str]:
    """The six fields of a page, as it shows them."""
    kind = _KINDS[number * 5 % len(_KINDS)]
    brands = invent_brands()
    brand = brands[number * 11 % len(brands)]
    cents = 999 + number * 7919 % 190_000
    tenths = 10 + number * 13 % 41
    return {
        "name": f"{brand} {kind} {number:06d}",
        "brand": brand,
        "price": f"${Decimal(cents) / 100:,.2f}",
        "sku": f"BK-{number:07d}",
        "rating": f"{tenths // 10}.{tenths % 10}",
        "stock": _STOCK[number % len(_STOCK)],
    }


def item_links(number: int, total: int) -> list[int]:
    """The pages that page `number` links to beside the navigation: children, followers, and some far away."""
    children = [(number * TREE_LINKS + step) % total for step in range(1, TREE_LINKS + 1)]
    followers = [(number + step) % total for step in range(1, NEXT_LINKS + 1)]
    start = number * 7919
    return children + followers + [(start + step * 104_729) % total for step in range(FAR_LINKS)]


def item_page(number: int, total: int) -> bytes:
    """The whole page."""
    fields = item_fields(number)
    name = fields["name"].encode()
    head = _HEAD_BYTES % (
        name, number, number, number, name, number, fields["brand"].encode(), fields["price"].encode(),
        fields["sku"].encode(), fields["rating"].encode(), fields["stock"].encode(),
    )  # fmt: skip
    doubled = [link for link in item_links(number, total) for _ in (0, 1)]
    return b"".join((head, *_blocks_of(number), _TAIL_BYTES % tuple(doubled)))


def _blocks_of(number: int) -> list[bytes]:
    """Five blocks chosen by the digits of a scrambled number (Knuth's multiplicative hash), so neighbours differ."""
    blocks = filler_blocks()
    scrambled = number * 2_654_435_761 & 0xFFFFFFFF
    return [blocks[scrambled >> shift * 6 & BLOCK_COUNT - 1] for shift in range(BLOCKS_PER_PAGE)]
