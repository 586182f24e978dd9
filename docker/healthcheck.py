"""Is the process of this container at work? `python docker/healthcheck.py web|head_node|crawler_node`; 0 when it is.

The web process says so itself. The other roles count their rounds for Prometheus: a loop that stands still is not
at work, even if its process lives.
"""

import os
import sys
import time
import urllib.error
import urllib.request

ROUNDS = {"head_node": "gleaner_head_ticks_total", "crawler_node": "gleaner_node_turns_total"}
PATIENCE_SECONDS = 10.0


def main(role: str) -> int:
    try:
        if role == "web":
            read(f"http://127.0.0.1:{os.environ.get('UVICORN_PORT', '8000')}/readyz")
            return 0
        return 0 if goes_on(ROUNDS[role]) else 1
    except (OSError, ValueError) as error:
        sys.stderr.write(f"{error}\n")
        return 1


def goes_on(counter: str) -> bool:
    """Whether a counter grows while we look."""
    first, deadline = rounds(counter), time.monotonic() + PATIENCE_SECONDS
    while time.monotonic() < deadline:
        if rounds(counter) > first:
            return True
        time.sleep(0.25)
    return False


def rounds(counter: str) -> float:
    text = read(f"http://127.0.0.1:{os.environ['GLEANER_METRICS_PORT']}/metrics")
    return next(float(line.split()[1]) for line in text.splitlines() if line.startswith(f"{counter} "))


def read(url: str) -> str:
    """What is at an address of this container; an HTTPError (an OSError) for anything but success."""
    with urllib.request.urlopen(url, timeout=5) as answer:  # noqa: S310 (our own address)
        return str(answer.read().decode())


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
