"""The environment variables that Gleaner's own processes get; backend/config/settings.py reads them."""

import os

from backend.bootstrap.errors import ActionNeededError
from backend.bootstrap.places import Places

# Without compiled files every start of Django takes twice as long; the others make Python look elsewhere.
NOT_FOR_CHILDREN = {"PYTHONDONTWRITEBYTECODE", "PYTHONHOME", "PYTHONPATH", "VIRTUAL_ENV"}


def child_environment(places: Places, **more: str) -> dict[str, str]:
    """The person's environment, with the folder for data and without what would mislead or slow down our Python."""
    env = {name: value for name, value in os.environ.items() if name not in NOT_FOR_CHILDREN}
    env["GLEANER_VAR"] = str(places.var)
    env["PYTHONUNBUFFERED"] = "1"
    env["PATH"] = os.pathsep.join([str(places.venv / "bin"), env.get("PATH", os.defpath)])
    return {**env, **more}


def database_url(places: Places, asked: str | None = None) -> str:
    """What was asked for, else GLEANER_DATABASE_URL, else SQLite under `var`."""
    url = asked or os.environ.get("GLEANER_DATABASE_URL") or f"sqlite://{places.database_file}"
    if not url.startswith(("sqlite:///", "postgres://", "postgresql://")):
        raise ActionNeededError(
            "The database's address must look like postgres://user:password@host:5432/gleaner; "
            "without one, Gleaner keeps its data in SQLite under var/."
        )
    return url
