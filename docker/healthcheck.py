"""Is the process of this container ready? `python docker/healthcheck.py web|head_node|crawler_node`; 0 when it is.

Every role says so itself at `/readyz`: the web on its own port, the others on that of their numbers. A loop that stands
still is not ready, even if its process lives.
"""

import os
import sys
import urllib.request

PORTS = {"web": "UVICORN_PORT", "head_node": "GLEANER_METRICS_PORT", "crawler_node": "GLEANER_METRICS_PORT"}


def main(role: str) -> int:
    try:
        # An HTTPError (an OSError) for anything but success.
        urllib.request.urlopen(f"http://127.0.0.1:{os.environ[PORTS[role]]}/readyz", timeout=8).close()
    except OSError as error:
        sys.stderr.write(f"{error}\n")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
