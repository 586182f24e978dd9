#!/usr/bin/env python3
"""Django's command line; people use `./gleaner manage …`, which sets the environment up first."""

import os
import sys

NAME = "gleaner"
"""What people type, and usage lines begin with."""
INTERRUPTED = 130
NOBODY_READS = 141
"""What shells tell of a program that Ctrl-C, or the end of a pipe, has ended."""


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "backend.config.settings")
    try:
        from django.core.management import execute_from_command_line  # noqa: PLC0415 (settings must be named first)
        from django.db import DatabaseError  # noqa: PLC0415 (as above)

        try:
            execute_from_command_line([NAME, *sys.argv[1:]])
        except DatabaseError as error:
            _say_unreachable(error)
            raise
        finally:
            sys.stdout.flush()
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # or Python complains when it ends
        sys.exit(NOBODY_READS)


def _say_unreachable(error: Exception) -> None:
    """Ends with a sentence where there is one for it."""
    from backend.config.refusals import why_unreachable  # noqa: PLC0415 (settings must be named first)

    if told := why_unreachable(error):
        sys.exit(told)


if __name__ == "__main__":
    main()
