"""The page of one product, and the pages of its reviews."""

from collections.abc import Sequence

from backend.demo_site.catalogue.products import Product, all_products
from backend.demo_site.catalogue.reviews import Review
from backend.demo_site.dates import DateStyle, format_date
from backend.demo_site.markup import Markup, fill
from backend.demo_site.money import PriceStyle
from backend.demo_site.paging import Paged, page_links, page_path
from backend.demo_site.shop.addresses import brand_path, category_path, image_path, product_path, reviews_path
from backend.demo_site.shop.layout import breadcrumbs, shop_page, stars
from backend.demo_site.shop.listing import product_grid
from backend.demo_site.shop.structured_data import Annotations, annotations_of

REVIEWS_ON_PRODUCT_PAGE = 3
REVIEWS_PER_PAGE = 10
RELATED = 4

_DETAIL = """{crumbs}<article class="product"{item}>
<div class="gallery"><img class="main" src="{image}" alt="{name}" width="480" height="360"{image_prop}></div>
<div class="facts">
<p class="maker"><a href="{brand_path}"{brand_prop}>{brand}</a></p>
<h1{name_prop}>{name}</h1>
{rating}<p class="summary"{summary_prop}>{summary}</p>
<div class="offer"{offer}>
<p class="price"><strong{price_prop}>{price}</strong>{old_price}</p>
<p class="stock {stock_class}">{availability}</p>
<p class="seller">Sold by <b>{seller}</b>, {country}</p>
</div>
<p class="variants"><span>{variant_label}:</span> {variants}</p>
<dl class="codes"><dt>Article</dt><dd class="sku"{sku_prop}>{sku}</dd>
<dt>GTIN</dt><dd class="gtin"{gtin_prop}>{gtin}</dd>
<dt>Released</dt><dd class="released">{released}</dd></dl>
</div>
</article>
<section class="description"><h2>Description</h2>
{paragraphs}</section>
<section class="specs"><h2>Specifications</h2>
<table>{specs}</table></section>
<section class="reviews" id="reviews"><h2>Reviews</h2>
{reviews}</section>
<section class="related"><h2>You may also like</h2>
{related}</section>
"""
_RATING = """<p class="rating">{stars} <span class="score"{prop}>{rating}</span> of 5 ·
<a href="{path}"><span class="count">{count}</span> {noun}</a></p>
"""
_REVIEW = """<article class="review">
<h3>{title}</h3>
<p class="byline">{stars} <span class="score">{score}</span> of 5, by <span class="author">{author}</span>
on <time datetime="{iso}">{day}</time></p>
<p class="text">{text}</p>
<p class="votes">{votes} found this helpful</p>
</article>
"""
_DATE_STYLES = {
    PriceStyle.AMERICAN: DateStyle.AMERICAN,
    PriceStyle.GERMAN: DateStyle.GERMAN_DIGITS,
    PriceStyle.AUSTRIAN: DateStyle.GERMAN,
    PriceStyle.SWISS: DateStyle.GERMAN_DIGITS,
    PriceStyle.PLAIN: DateStyle.ISO,
}


def released_text(product: Product) -> str:
    """The day of release, written as its seller writes days."""
    return format_date(product.released, _DATE_STYLES.get(product.seller.style, DateStyle.BRITISH))


def sibling_variants(product: Product) -> list[Product]:
    """The same model in all its variants, itself included."""
    return [
        other
        for other in all_products()
        if other.model == product.model and other.category is product.category and other.brand == product.brand
    ]


def related_products(product: Product) -> list[Product]:
    """Other models of the same shelf, spread over it."""
    shelf = [other for other in all_products() if other.category is product.category and other.model != product.model]
    start = product.number * 7 % len(shelf)
    return [shelf[(start + step * 11) % len(shelf)] for step in range(RELATED)]


def product_page(product: Product) -> Markup:
    """Everything the shop knows about one product."""
    annotations = annotations_of(product)
    category = product.category
    crumbs = breadcrumbs((category_path(category.slug), category.title), here=product.name)
    body = fill(_DETAIL, crumbs=crumbs, **_facts(product), **_sections(product), **annotations.attributes)
    return shop_page(
        product.name,
        body,
        path=product_path(product),
        description=product.summary,
        head=annotations.head,
    )


def _facts(product: Product) -> dict[str, object]:
    return {
        "image": image_path(product),
        "name": product.name,
        "brand": product.brand,
        "brand_path": brand_path(product.brand),
        "rating": _rating(product, annotations_of(product)),
        "summary": product.summary,
        "price": product.price_text,
        "old_price": fill(" <del>{text}</del>", text=product.old_price_text) if product.old_price_text else None,
        "stock_class": "out" if product.stock == 0 else "low" if product.stock < 5 else "in",
        "availability": product.availability,
        "seller": product.seller.name,
        "country": product.seller.country,
        "sku": product.sku,
        "gtin": product.gtin,
        "released": released_text(product),
    }


def _sections(product: Product) -> dict[str, object]:
    return {
        "variant_label": product.category.variant_label,
        "variants": [_variant_link(variant, product) for variant in sibling_variants(product)],
        "paragraphs": [fill("<p>{text}</p>\n", text=text) for text in product.description],
        "specs": [
            fill("<tr><th>{label}</th><td>{value}</td></tr>\n", label=label, value=value)
            for label, value in product.specs
        ],
        "reviews": _newest_reviews(product),
        "related": product_grid(related_products(product)),
    }


def _variant_link(variant: Product, current: Product) -> Markup:
    if variant is current:
        return fill("<b>{text}</b> ", text=variant.variant)
    return fill('<a href="{path}">{text}</a> ', path=product_path(variant), text=variant.variant)


def _rating(product: Product, annotations: Annotations) -> Markup | None:
    if product.rating is None:
        return None
    return fill(
        _RATING,
        stars=stars(product.rating),
        rating=product.rating,
        path=reviews_path(product),
        count=len(product.reviews),
        noun="review" if len(product.reviews) == 1 else "reviews",
        prop=annotations.rating,
    )


def _newest_reviews(product: Product) -> Markup:
    if not product.reviews:
        return Markup("<p>No one has reviewed this yet.</p>\n")
    newest = [review_article(review) for review in product.reviews[:REVIEWS_ON_PRODUCT_PAGE]]
    return fill('{newest}<p><a href="{path}">All reviews</a></p>\n', newest=newest, path=reviews_path(product))


def review_article(review: Review) -> Markup:
    """One review, as it looks on product and review pages."""
    return fill(
        _REVIEW,
        title=review.title,
        stars=stars(review.stars),
        score=review.stars,
        author=review.author,
        iso=review.written.isoformat(),
        day=format_date(review.written, DateStyle.BRITISH),
        text=review.text,
        votes=review.helpful_votes,
    )


def reviews_page(product: Product, page: Paged[Review]) -> Markup:
    """Ten reviews of one product."""
    path = reviews_path(product)
    crumbs = breadcrumbs((product_path(product), product.name), here="Reviews")
    body = fill(
        '{crumbs}<h1>Reviews of <a href="{product_path}">{name}</a></h1>\n'
        '<section class="reviews">{reviews}</section>\n{links}',
        crumbs=crumbs,
        product_path=product_path(product),
        name=product.name,
        reviews=_all_articles(page.items),
        links=page_links(path, page),
    )
    return shop_page(f"Reviews of {product.name}", body, path=page_path(path, page.number))


def _all_articles(reviews: Sequence[Review]) -> list[Markup]:
    return [review_article(review) for review in reviews]
