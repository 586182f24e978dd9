"""Where index files are: `var/indexes/<indexer id>/<build>/`."""

from pathlib import Path

from django.conf import settings

TYPING_FOLDER = "typing"


def indexes_folder() -> Path:
    """Where the index files of this machine are."""
    folder: Path = settings.VAR_DIR / "indexes"
    return folder


def indexer_folder(indexer_id: int) -> Path:
    """All builds of an indexer."""
    return indexes_folder() / str(indexer_id)


def typing_folder(build: Path) -> Path:
    """Where a build keeps what helps while a query is typed (`TypingAid.open`)."""
    return build / TYPING_FOLDER
