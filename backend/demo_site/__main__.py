"""`python -m backend.demo_site`: serve the site in the foreground until a signal."""

import argparse
import asyncio
import signal
import sys
from pathlib import Path

import uvloop

from backend.demo_site.options import SiteOptions
from backend.demo_site.robots import VARIANTS
from backend.demo_site.server import SiteServer


def parse_options(arguments: list[str]) -> SiteOptions:
    """The options of the command line."""
    parser = argparse.ArgumentParser(prog="python -m backend.demo_site", description=__doc__)
    parser.add_argument("--host", default="127.0.0.1", help="address to listen on (127.0.0.1)")
    parser.add_argument("--port", type=int, default=0, help="port to listen on; 0 takes a free one (0)")
    parser.add_argument("--pages", type=int, default=0, help="serve this many throughput pages under /bulk/ (0)")
    parser.add_argument("--log", type=Path, default=None, metavar="FILE", help="append every request as a JSON line")
    parser.add_argument("--robots", default="friendly", choices=VARIANTS, help="which robots.txt to serve (friendly)")
    found = parser.parse_args(arguments)
    return SiteOptions(found.host, found.port, pages=found.pages, log_file=found.log, robots=found.robots)


async def serve(options: SiteOptions) -> None:
    """Print the address on a line of its own, then answer until SIGINT or SIGTERM."""
    server = SiteServer(options)
    stopped = asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(number, stopped.set)
    await server.start()
    sys.stdout.write(f"{server.url}/\n")
    sys.stdout.flush()
    await stopped.wait()
    await server.stop()


def main() -> None:
    options = parse_options(sys.argv[1:])
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        runner.run(serve(options))


if __name__ == "__main__":
    main()
