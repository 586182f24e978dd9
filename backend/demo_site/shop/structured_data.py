"""Machine-readable facts: microdata on some shelves, JSON-LD on others, nothing on the rest, as in real life."""

import json
from dataclasses import dataclass, field

from backend.demo_site.catalogue.products import Product
from backend.demo_site.markup import Markup, fill
from backend.demo_site.shop.addresses import image_path

MICRODATA_CATEGORIES = {"ssd", "cameras", "monitors", "routers"}
JSON_LD_CATEGORIES = {"phones", "laptops", "headphones"}

_PROPERTIES = {
    "image_prop": "image",
    "brand_prop": "brand",
    "name_prop": "name",
    "summary_prop": "description",
    "sku_prop": "sku",
    "gtin_prop": "gtin13",
}
_NO_ATTRIBUTES: dict[str, Markup] = {name: Markup() for name in (*_PROPERTIES, "item", "offer", "price_prop")}


@dataclass(frozen=True, slots=True)
class Annotations:
    """What is added to the page of a product: attributes by place in the template, and a script for its head."""

    attributes: dict[str, Markup] = field(default_factory=lambda: dict(_NO_ATTRIBUTES))
    rating: Markup | None = None
    head: Markup | None = None


def annotations_of(product: Product) -> Annotations:
    """Microdata, JSON-LD or nothing, by category."""
    if product.category.slug in MICRODATA_CATEGORIES:
        return Annotations(attributes=_microdata(product), rating=Markup(' itemprop="ratingValue"'))
    if product.category.slug in JSON_LD_CATEGORIES:
        return Annotations(head=json_ld(product_data(product)))
    return Annotations()


def _microdata(product: Product) -> dict[str, Markup]:
    attributes = {name: fill(' itemprop="{name}"', name=value) for name, value in _PROPERTIES.items()}
    attributes["item"] = Markup(' itemscope itemtype="https://schema.org/Product"')
    attributes["offer"] = Markup(' itemprop="offers" itemscope itemtype="https://schema.org/Offer"')
    attributes["price_prop"] = fill(' itemprop="price" content="{amount}"', amount=product.amount)
    return attributes


def product_data(product: Product) -> dict[str, object]:
    """The product in the words of schema.org."""
    data: dict[str, object] = {
        "@context": "https://schema.org",
        "@type": "Product",
        "name": product.name,
        "sku": product.sku,
        "gtin13": product.gtin,
        "brand": {"@type": "Brand", "name": product.brand},
        "image": image_path(product),
        "offers": {"@type": "Offer", "price": str(product.amount), "priceCurrency": product.price.currency},
    }
    if product.rating is not None:
        data["aggregateRating"] = {
            "@type": "AggregateRating",
            "ratingValue": str(product.rating),
            "reviewCount": len(product.reviews),
        }
    return data


def json_ld(data: dict[str, object]) -> Markup:
    """The data as a script element; `<` is written so that no text can end the element."""
    text = json.dumps(data, ensure_ascii=False).replace("<", "\\u003c")
    return Markup(f'<script type="application/ld+json">{text}</script>\n')
