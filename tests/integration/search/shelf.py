"""A shop's products, and an index of them made by the engine's own writer."""

from collections.abc import Iterable, Mapping
from typing import Any

from backend.apps.accounts.models import User
from backend.apps.indexers import standard_fields as standard
from backend.apps.indexers.build_plans import plan_of
from backend.apps.indexers.models import BuildState, Indexer
from backend.apps.indexers.serving import indexer_folder, schema_of, typing_folder
from backend.apps.project_files import import_into_project
from backend.apps.projects.models import Project
from backend.apps.projects.services import create_project
from backend.search_engine.duplicates import fingerprint
from backend.search_engine.fuzzy import TypingAid, WordCounter, title_entries
from backend.search_engine.index import IndexWriter

BUILD = "build-1"
SHOP: dict[str, Any] = {
    "version": 1,
    "name": "Shop",
    "templates": [
        {
            "name": "Product",
            "inspectors": [
                {"name": "name", "selector": "//h1", "required": True},
                {"name": "text", "selector": "//p"},
                {"name": "brand", "selector": "//u"},
                {"name": "price", "selector": "//b", "type": "price"},
                {"name": "since", "selector": "//time", "type": "date"},
                {"name": "picture", "selector": "//img", "type": "image"},
            ],
        }
    ],
    "crawlers": [{"name": "Shop", "template": "Product", "seeds": ["http://shop.example/"]}],
    "indexers": [
        {
            "name": "Products",
            "columns": [
                {"name": "name", "sources": ["Product.name"], "boost": 2},
                {"name": "text", "sources": ["Product.text"]},
                {"name": "brand", "sources": ["Product.brand"], "facet": True},
                {"name": "price", "sources": ["Product.price"], "variable": "price"},
                {"name": "since", "sources": ["Product.since"]},
                {"name": "picture", "sources": ["Product.picture"]},
            ],
        }
    ],
}
LONG = "It keeps your files safe for years and starts your computer in seconds. " * 6
PRODUCTS: dict[str, dict[str, Any]] = {
    "1": {"name": "Samsung SSD 1TB", "text": LONG + "A fast drive for everybody.", "brand": "Samsung", "price": 89.0},
    "2": {"name": "Acme SSD 1TB", "text": "A cheap drive.", "brand": "Acme", "price": 49.5, "since": "2024-01-31"},
    "3": {"name": "Samsung phone", "text": "Calls and pictures.", "brand": "Samsung", "price": 399.0},
    "4": {"name": "Acme kettle", "text": "Boils water for tea.", "brand": "Acme", "price": 20.0, "since": "2024-02-01"},
    "5": {"name": "Green tea", "text": "From the mountains.", "brand": "Globex", "price": 4.0},
    "6": {"name": "=HYPERLINK(tea)", "text": "A hostile cup of tea.", "brand": "Globex"},
}


def make_project(owner: str = "owner") -> Project:
    user = User.objects.create_user(owner, password="a long enough password")
    project = create_project(owner=user, name="Shop")
    import_into_project(project=project, file=SHOP)
    return project


def build_index(
    indexer: Indexer,
    products: Mapping[str, Mapping[str, Any]] | None = None,
    *,
    unsafe: Iterable[str] = (),
    with_aid: bool = True,
) -> None:
    """Index the products and serve them."""
    products = PRODUCTS if products is None else products
    write_products(indexer, products, unsafe=unsafe)
    if with_aid:
        write_aid(indexer, products)
    served = {"state": BuildState.SERVED, "plan": plan_of(indexer).to_json()}
    indexer.builds.update_or_create(number=1, defaults=served)
    indexer.served_build = BUILD
    indexer.status = "completed"
    indexer.save()


def write_products(
    indexer: Indexer,
    products: Mapping[str, Mapping[str, Any]],
    *,
    unsafe: Iterable[str] = (),
    deleted: Iterable[str] = (),
) -> int:
    """One commit with these products; the generation."""
    with IndexWriter(indexer_folder(indexer.pk) / BUILD, schema_of(indexer)) as writer:
        for key, product in products.items():
            writer.put(key, indexed(key, product, is_unsafe=key in set(unsafe)))
        for key in deleted:
            writer.delete(key)
        return writer.commit()


def indexed(key: str, product: Mapping[str, Any], *, is_unsafe: bool = False) -> dict[str, Any]:
    number = fingerprint(str(product.get("text", "")).lower().split())
    values = dict(product)
    if "price" in values:
        values["price_currency"] = "EUR"
    if "brand" in values:
        values["brand_value"] = values["brand"]
    return {
        **values,
        standard.URL: f"http://shop.example/{key}",
        standard.TITLE: f"{product['name']} – Shop",
        standard.CRAWLER: "Shop",
        standard.HOST: "shop.example",
        standard.UNSAFE: "true" if is_unsafe else "false",
        standard.FETCHED: "2024-03-01T10:00:00+00:00",
        standard.FINGERPRINT[0]: number >> 32,
        standard.FINGERPRINT[1]: number & 0xFFFFFFFF,
    }


def write_aid(indexer: Indexer, products: Mapping[str, Mapping[str, Any]]) -> None:
    counter = WordCounter()
    for product in products.values():
        for name in ("name", "text", "brand"):
            counter.add(str(product.get(name, "")))
    names = title_entries(str(product["name"]) for product in products.values())
    TypingAid.build(counter.counts, names=names).save(typing_folder(indexer_folder(indexer.pk) / BUILD))
