"""What the settings are with an environment of a cluster's web process."""

import os
import subprocess
import sys
from pathlib import Path

SHOW_CACHES = """
from django.conf import settings
print([cache["BACKEND"].rpartition(".")[2] for cache in settings.CACHES.values()])
"""


def test_no_cache_is_in_redis_where_every_node_could_write_pickles_into_it(tmp_path: Path) -> None:
    env = {
        **os.environ,
        "DJANGO_SETTINGS_MODULE": "backend.config.settings",
        "GLEANER_REDIS_URL": "redis://:secret@127.0.0.1:6379/0",
        "GLEANER_VAR": str(tmp_path),
    }
    run = subprocess.run([sys.executable, "-c", SHOW_CACHES], env=env, check=True, capture_output=True, text=True)
    assert run.stdout.strip() == "['LocMemCache']"
