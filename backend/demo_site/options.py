"""How the site is started."""

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class SiteOptions:
    """Port 0 takes any free port. `pages` is the number of pages of the throughput part; 0 leaves it out."""

    host: str = "127.0.0.1"
    port: int = 0
    pages: int = 0
    log_file: Path | None = None
    robots: str = "friendly"
