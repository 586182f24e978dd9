"""A process that answers searches for the web process: `python -m backend.config.search_process DESCRIPTOR`."""

import gc
import os
import sys

import django

SWITCH_SECONDS = 0.0005
"""Opening a new generation goes on beside answers, and must not make them wait for the interpreter for long."""
COLLECTED_AFTER = (20_000, 20, 50)
"""Answers leave no cycles behind, and looking for them among all that is kept would make one wait for 30 ms."""


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "backend.config.settings")
    django.setup()
    from backend.api.search.processes import run_search_process  # noqa: PLC0415
    from backend.search_engine.compilation import load_kernels  # noqa: PLC0415

    load_kernels("backend.search_engine.kernels", "backend.search_engine.index.decode", "backend.search_engine.text")
    sys.setswitchinterval(SWITCH_SECONDS)
    gc.freeze()  # what is loaded now stays: no later collection needs to look at it
    gc.set_threshold(*COLLECTED_AFTER)
    run_search_process(int(sys.argv[1]))


if __name__ == "__main__":
    main()
