"""What the web process has done before it listens."""

import os
import subprocess
import sys
from pathlib import Path

READ = "import sys, backend.config.asgi; print('backend.api.urls' in sys.modules)"


def test_views_are_read_before_anybody_asks(tmp_path: Path) -> None:
    environment = {**os.environ, "GLEANER_VAR": str(tmp_path), "GLEANER_SEARCH_PROCESSES": "0"}
    told = subprocess.run([sys.executable, "-c", READ], env=environment, capture_output=True, text=True, check=True)
    assert told.stdout.strip() == "True"
