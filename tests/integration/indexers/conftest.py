"""A project with two shops whose products go into one index."""

from typing import Any

import pytest

from backend.apps.accounts.models import User
from backend.apps.indexers.models import Indexer
from backend.apps.project_files import import_into_project
from backend.apps.projects.models import Project
from backend.apps.projects.services import create_project

TWO_SHOPS: dict[str, Any] = {
    "version": 1,
    "name": "Two shops",
    "templates": [
        {
            "name": "Product",
            "inspectors": [
                {"name": "name", "selector": "//h1", "required": True},
                {"name": "price", "selector": "//b", "type": "price"},
                {"name": "votes", "selector": "//i", "type": "number"},
                {"name": "brand", "selector": "//u"},
                {"name": "since", "selector": "//time", "type": "date"},
                {"name": "picture", "selector": "//img", "type": "image"},
            ],
        },
        {
            "name": "Artikel",
            "inspectors": [
                {"name": "titel", "selector": "//h2", "required": True},
                {"name": "preis", "selector": "//b", "type": "price", "locale": "de"},
                {"name": "marke", "selector": "//u"},
                {"name": "stimmen", "selector": "//i"},
            ],
        },
    ],
    "crawlers": [
        {"name": "Shop", "template": "Product", "seeds": ["http://shop.example/"]},
        {"name": "Laden", "template": "Artikel", "seeds": ["http://laden.example/"]},
    ],
    "dictionaries": [{"name": "Brands", "entries": ["Samsung, 9", "Acme, 5, Acme Inc"]}],
    "indexers": [
        {
            "name": "Products",
            "columns": [
                {"name": "name", "sources": ["Product.name", "Artikel.titel"], "boost": 2},
                {"name": "price", "sources": ["Product.price", "Artikel.preis"], "variable": "price"},
                {"name": "Votes", "sources": ["Product.votes", "Artikel.stimmen"], "variable": "votes"},
                {"name": "brand", "sources": ["Product.brand", "Artikel.marke"], "facet": True},
                {"name": "since", "sources": ["Product.since"]},
                {"name": "picture", "sources": ["Product.picture"]},
            ],
            "formula": "10 / price",
            "dictionary": "Brands",
        }
    ],
}


def make_project(owner: str = "owner") -> Project:
    """A new project with the two shops, their crawlers and one indexer."""
    user = User.objects.create_user(owner, password="a long password")
    project = create_project(owner=user, name="Two shops")
    import_into_project(project=project, file=TWO_SHOPS)
    return project


@pytest.fixture
def project(db: Any) -> Project:
    return make_project()


@pytest.fixture
def indexer(project: Project) -> Indexer:
    return project.indexers.get()
