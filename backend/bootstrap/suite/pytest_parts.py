"""A pytest plugin: `--part` runs a share of the suite, so that each test runs where it says something and not twice.

fast      everything but what follows; on SQLite
database  only what touches a database, again on PostgreSQL, and what is marked `postgres`
browser   what is marked `browser`, one after the other
e2e       tests/e2e, one after the other; in a process of its own, for Playwright's loop tolerates no other beside it
"""

import os
from pathlib import Path

import pytest

E2E_FOLDER = Path("tests/e2e")
DATABASE_FIXTURES = {
    "db",
    "transactional_db",
    "django_db_reset_sequences",
    "django_db_serialized_rollback",
    "live_server",
}


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--part", choices=("fast", "database", "browser", "e2e"), help="run one share of the suite")


def pytest_make_parametrize_id(val: object, argname: str) -> str | None:
    """Name binary parameters by their length: the time in a gzip header differs between two workers, and then
    xdist refuses the whole run because they seem to have collected different tests."""
    if isinstance(val, bytes) and not (val.isascii() and val.decode().isprintable()):
        return f"{argname}-{len(val)}-bytes"
    return None


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    part = config.getoption("--part")
    if part is None:
        skip_what_needs_postgres(items)
        return
    chosen = [item for item in items if belongs(item, part)]
    config.hook.pytest_deselected(items=[item for item in items if item not in set(chosen)])
    items[:] = chosen


def skip_what_needs_postgres(items: list[pytest.Item]) -> None:
    """On SQLite such a test would fail, or wait for ever, for no fault of its own."""
    if os.environ.get("GLEANER_DATABASE_URL", "").startswith("postgres"):
        return
    skip = pytest.mark.skip(reason="It needs PostgreSQL: ./gleaner test --postgres …")
    for item in items:
        if item.get_closest_marker("postgres"):
            item.add_marker(skip)


def belongs(item: pytest.Item, part: str) -> bool:
    if item.path.is_relative_to(item.config.rootpath / E2E_FOLDER):
        return part == "e2e"
    if item.get_closest_marker("browser"):
        return part == "browser"
    if part == "database":
        return touches_database(item)
    return part == "fast" and item.get_closest_marker("postgres") is None


def touches_database(item: pytest.Item) -> bool:
    """By marker, by any fixture it uses directly or through others, or as one of Django's own test cases."""
    if item.get_closest_marker("django_db") or item.get_closest_marker("postgres"):
        return True
    if DATABASE_FIXTURES.intersection(getattr(item, "fixturenames", ())):
        return True
    ancestors = getattr(getattr(item, "cls", None), "__mro__", ())
    return any(f"{one.__module__}.{one.__name__}" == "django.test.testcases.TransactionTestCase" for one in ancestors)
