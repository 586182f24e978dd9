"""A command on a database of its own that is gone afterwards."""

import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence


def run_ephemerally(argv: Sequence[str]) -> int:
    """Run the same command again in a child with an empty temporary database; its exit code."""
    words = [word for word in argv if word != "--ephemeral"]
    with tempfile.TemporaryDirectory(prefix="gleaner-") as folder:
        env = {**os.environ, "GLEANER_VAR": folder, "GLEANER_DATABASE_URL": f"sqlite://{folder}/gleaner.sqlite3"}
        migrated = subprocess.run([sys.executable, argv[0], "migrate", "-v0"], env=env, check=False)  # noqa: S603
        if migrated.returncode:
            return migrated.returncode
        return subprocess.run([sys.executable, *words], env=env, check=False).returncode  # noqa: S603
