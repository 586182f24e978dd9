"""Pictures of products: drawn as SVG, one shape per category, coloured by brand."""

import zlib
from functools import cache

from backend.demo_site.assets import read_shape
from backend.demo_site.catalogue.products import Product
from backend.demo_site.markup import Markup, fill

_PICTURE = """<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 480 360" width="480" height="360">
<style>.l{{fill:#fff;fill-opacity:.82}}.k{{stroke:#fff;stroke-opacity:.8;stroke-width:20;stroke-dasharray:22 8}}
text{{font:600 21px Verdana,sans-serif;fill:hsl({hue} 40% 30%)}}</style>
<defs><linearGradient id="g" x1="0" y1="0" x2="1" y2="1">
<stop offset="0" stop-color="hsl({hue} 60% 96%)"/><stop offset="1" stop-color="hsl({hue} 46% 85%)"/>
</linearGradient></defs>
<rect width="480" height="360" fill="url(#g)"/>
<ellipse cx="240" cy="294" rx="130" ry="12" fill="hsl({hue} 30% 30%)" opacity=".14"/>
<g fill="hsl({hue} 32% 34%)" stroke="hsl({hue} 40% 22%)" stroke-width="4" stroke-linejoin="round">
{shape}</g>
<text x="24" y="40">{brand} {model}</text>
<text x="456" y="338" text-anchor="end">{variant}</text>
</svg>
"""


@cache
def _shape(category: str) -> Markup:
    return Markup(read_shape(category))


def brand_hue(brand: str) -> int:
    """A colour that belongs to a brand."""
    return zlib.crc32(brand.encode()) % 360


def product_picture(product: Product) -> Markup:
    """The picture of one product, distinct from every other by its writing."""
    return fill(
        _PICTURE,
        hue=brand_hue(product.brand),
        shape=_shape(product.category.slug),
        brand=product.brand,
        model=product.model,
        variant=product.variant,
    )
