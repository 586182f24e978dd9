"""A live Gleaner and a demo site, as for the runners."""

from tests.integration.runners.conftest import gleaner, site

__all__ = ["gleaner", "site"]
