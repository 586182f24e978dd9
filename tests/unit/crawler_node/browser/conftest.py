"""One demo site for the package."""

from collections.abc import Iterator

import pytest

from backend.demo_site import DemoSite


@pytest.fixture(scope="package")
def site() -> Iterator[DemoSite]:
    with DemoSite() as running:
        yield running
