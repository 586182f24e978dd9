"""Project files that several tests import."""

from typing import Any

SHOP_FILE: dict[str, Any] = {
    "version": 1,
    "name": "Shops",
    "templates": [
        {
            "name": "Product",
            "item_scope": "//article",
            "inspectors": [
                {"name": "name", "selector": ".//h2", "required": True},
                {"name": "price", "selector": ".//*[@class='price']", "type": "price", "variable": "price"},
            ],
            "actions": [
                {"type": "click_if_present", "selector": "//button[@id='accept']"},
                {"type": "wait", "seconds": 1},
            ],
        }
    ],
    "crawlers": [{"name": "Shop", "template": "Product", "seeds": ["https://shop.example/"]}],
    "dictionaries": [{"name": "Brands", "entries": ["Acme, 5, ACME Inc", "Globex, 3"]}],
    "indexers": [
        {
            "name": "Products",
            "columns": [
                {"name": "name", "sources": ["Product.name"], "boost": 2},
                {"name": "price", "sources": ["Product.price"], "variable": "price", "searchable": False},
            ],
            "formula": "1/price",
            "dictionary": "Brands",
        }
    ],
}
