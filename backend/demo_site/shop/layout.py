"""The frame around every page of the shop."""

from backend.demo_site.catalogue.categories import CATEGORIES
from backend.demo_site.markup import Markup, fill

NAME = "Orchard & Wire"

_PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>{title} – {shop}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="description" content="{description}">
<link rel="canonical" href="{canonical}">
<link rel="stylesheet" href="/assets/shop.css">
{head}</head>
<body>
<p class="notice">Free delivery over 50 € · 30 days to change your mind · Sellers from eight countries</p>
<header class="top">
<a class="brand" href="/shop/"><img src="/assets/shop-icon.svg" alt="" width="36" height="36"> {shop}</a>
<form class="search" action="/shop/search" role="search">
<input type="search" name="q" placeholder="Search 500 products" aria-label="Search the shop"><button>Search</button>
</form>
<nav class="account"><a href="/shop/about">About</a> <a href="/shop/shipping">Delivery</a>
<a href="/shop/cart">Basket</a></nav>
</header>
<nav class="categories" aria-label="Categories"><a href="/shop/products">All products</a>{categories}</nav>
<main>
{body}</main>
<footer>
<div><strong>{shop}</strong><p>A marketplace for things with a plug, run by people who read the manual.</p></div>
<div><strong>Help</strong>
<p><a href="/shop/shipping">Delivery and returns</a><br><a href="/shop/about">About us</a></p></div>
<div><strong>Elsewhere</strong><p><a href="https://parcels.example/track">Track a parcel</a><br>
<a href="mailto:hello@orchard-and-wire.example">Write to us</a></p></div>
</footer>
</body>
</html>
"""
_CATEGORY_LINK = '<a href="/shop/c/{slug}">{title}</a>'
_CRUMB = '<li><a href="{path}">{title}</a></li>'


def shop_page(
    title: str, body: Markup, *, path: str, description: str = "Things with a plug.", head: Markup | None = None
) -> Markup:
    """A whole page of the shop; `path` is its canonical address."""
    links = [fill(_CATEGORY_LINK, slug=category.slug, title=category.title) for category in CATEGORIES]
    return fill(
        _PAGE, title=title, shop=NAME, description=description, canonical=path, head=head, categories=links, body=body
    )


def breadcrumbs(*steps: tuple[str, str], here: str) -> Markup:
    """Where the reader is: links to the pages above, and the page itself as text."""
    crumbs = [fill(_CRUMB, path=path, title=title) for path, title in (("/shop/", "Home"), *steps)]
    return fill('<ol class="breadcrumbs">{crumbs}<li aria-current="page">{here}</li></ol>\n', crumbs=crumbs, here=here)


def stars(rating: object) -> Markup:
    """Five stars, filled to the rating."""
    percent = round(float(str(rating)) * 20)
    return fill('<span class="stars" style="--fill:{percent}%" aria-hidden="true"></span>', percent=percent)
