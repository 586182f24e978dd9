"""The exact documents of the friendly shop."""

from collections.abc import Iterator

from backend.demo_site.catalogue.categories import CATEGORIES
from backend.demo_site.catalogue.products import Product, all_products
from backend.demo_site.catalogue.reviews import Review
from backend.demo_site.dates import DateStyle, format_date
from backend.demo_site.money import Money
from backend.demo_site.paging import page_count, page_path
from backend.demo_site.shop.addresses import (
    ALL_PRODUCTS,
    HOME,
    brand_path,
    category_path,
    image_path,
    product_path,
    reviews_path,
)
from backend.demo_site.shop.detail import REVIEWS_PER_PAGE, released_text
from backend.demo_site.shop.listing import PRODUCTS_PER_PAGE
from backend.demo_site.truth.expected import (
    DocumentKind,
    ExpectedDocument,
    ExpectedField,
    FieldRule,
    FieldType,
    day,
    link,
    number,
    present,
    price,
    text,
)

_FACTS = "//article[@class='product']"
PRODUCT_RULES = {
    "name": FieldRule(f"{_FACTS}//h1"),
    "brand": FieldRule(f"{_FACTS}//p[@class='maker']/a"),
    "category": FieldRule("//ol[@class='breadcrumbs']/li[2]/a"),
    "price": FieldRule(f"{_FACTS}//p[@class='price']/strong", FieldType.PRICE),
    "old_price": FieldRule(f"{_FACTS}//p[@class='price']/del", FieldType.PRICE, required=False),
    "rating": FieldRule(f"{_FACTS}//p[@class='rating']/span[@class='score']", FieldType.NUMBER, required=False),
    "review_count": FieldRule(f"{_FACTS}//p[@class='rating']//span[@class='count']", FieldType.NUMBER, required=False),
    "availability": FieldRule(f"{_FACTS}//p[starts-with(@class, 'stock')]"),
    "seller": FieldRule(f"{_FACTS}//p[@class='seller']/b"),
    "sku": FieldRule("//dd[@class='sku']"),
    "gtin": FieldRule("//dd[@class='gtin']"),
    "released": FieldRule("//dd[@class='released']", FieldType.DATE),
    "summary": FieldRule(f"{_FACTS}//p[@class='summary']"),
    "description": FieldRule("//section[@class='description']/p[1]"),
    "image": FieldRule(f"{_FACTS}//img[@class='main']", FieldType.IMAGE, "src"),
}
CARD_RULES = {
    "name": FieldRule(".//h3/a"),
    "link": FieldRule(".//h3/a", FieldType.LINK, "href"),
    "brand": FieldRule(".//p[@class='maker']"),
    "price": FieldRule(".//p[@class='price']/strong", FieldType.PRICE),
    "old_price": FieldRule(".//p[@class='price']/del", FieldType.PRICE, required=False),
    "rating": FieldRule(".//span[@class='score']", FieldType.NUMBER, required=False),
    "image": FieldRule(".//img", FieldType.IMAGE, "src"),
}
REVIEW_RULES = {
    "title": FieldRule("./h3"),
    "stars": FieldRule(".//span[@class='score']", FieldType.NUMBER),
    "author": FieldRule(".//span[@class='author']"),
    "written": FieldRule(".//time", FieldType.DATE),
    "text": FieldRule("./p[@class='text']"),
}


def product_fields(product: Product) -> dict[str, ExpectedField]:
    """What the page of a product shows."""
    return present(
        {
            **card_fields(product),
            "link": None,
            "category": text(product.category.title),
            "review_count": number(len(product.reviews), len(product.reviews)) if product.reviews else None,
            "availability": text(product.availability),
            "seller": text(product.seller.name),
            "sku": text(product.sku),
            "gtin": text(product.gtin),
            "released": day(released_text(product), product.released),
            "summary": text(product.summary),
            "description": text(product.description[0]),
        }
    )


def card_fields(product: Product) -> dict[str, ExpectedField | None]:
    """What a card in a list shows."""
    old_text, old_amount = product.old_price_text, product.old_amount
    return {
        "name": text(product.name),
        "link": link(product_path(product)),
        "brand": text(product.brand),
        "price": price(product.price_text, product.price),
        "old_price": price(old_text, Money(old_amount, product.price.currency)) if old_text and old_amount else None,
        "rating": None if product.rating is None else number(product.rating, product.rating),
        "image": link(image_path(product)),
    }


def review_fields(review: Review) -> dict[str, ExpectedField]:
    """What a review shows."""
    return {
        "title": text(review.title),
        "stars": number(review.stars, review.stars),
        "author": text(review.author),
        "written": day(format_date(review.written, DateStyle.BRITISH), review.written),
        "text": text(review.text),
    }


def product_documents() -> list[ExpectedDocument]:
    """One document per product page, 500 in all."""
    return [ExpectedDocument(product_path(product), product_fields(product)) for product in all_products()]


def card_documents() -> list[ExpectedDocument]:
    """One document per card on the pages of all products, in the order of the pages."""
    return [
        ExpectedDocument(page_path(ALL_PRODUCTS, 1 + place // PRODUCTS_PER_PAGE), present(card_fields(product)))
        for place, product in enumerate(all_products())
    ]


def review_documents() -> list[ExpectedDocument]:
    """One document per review on the review pages."""
    return [
        ExpectedDocument(page_path(reviews_path(product), 1 + place // REVIEWS_PER_PAGE), review_fields(review))
        for product in all_products()
        for place, review in enumerate(product.reviews)
    ]


def shop_pages() -> set[str]:
    """Every page that links lead to from the shop's home, but for those robots.txt disallows."""
    return {HOME, "/shop/about", "/shop/shipping", *_list_pages(), *_product_pages()}


def _list_pages() -> Iterator[str]:
    products = all_products()
    yield from _numbered(ALL_PRODUCTS, len(products), PRODUCTS_PER_PAGE)
    for category in CATEGORIES:
        total = sum(product.category is category for product in products)
        yield from _numbered(category_path(category.slug), total, PRODUCTS_PER_PAGE)
    yield from {brand_path(product.brand) for product in products}


def _product_pages() -> Iterator[str]:
    for product in all_products():
        yield product_path(product)
        if product.reviews:
            yield from _numbered(reviews_path(product), len(product.reviews), REVIEWS_PER_PAGE)


def _numbered(path: str, total: int, size: int) -> Iterator[str]:
    return (page_path(path, page) for page in range(1, page_count(total, size) + 1))


SHOP_PRODUCTS = DocumentKind("shop products", "", PRODUCT_RULES, product_documents)
SHOP_CARDS = DocumentKind("shop cards", "//ul[@class='grid']/li", CARD_RULES, card_documents)
SHOP_REVIEWS = DocumentKind("shop reviews", "//article[@class='review']", REVIEW_RULES, review_documents)
