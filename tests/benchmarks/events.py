"""What open pages cost: the CPU time of a web process with 0, 1 and 100 event streams.

Every second a run makes progress and writes a log line, in another process. Measured for each number of streams: the
server's CPU time per second, its memory, and how long a log line takes to reach its readers. SQLite unless
GLEANER_DATABASE_URL names a PostgreSQL on which databases may be made. The last line is JSON.
"""

import argparse
import asyncio
import json
import os
import statistics
import tempfile
import time
from pathlib import Path
from typing import Any

import aiohttp
import psutil

from tests.benchmarks._report import replace_section, table
from tests.integration.events.streams import Web, running_web
from tests.integration.events.test_streams import LiveWorld
from tests.integration.runners.live import live_gleaner

ROOT = Path(__file__).parents[2]
SETTLING_SECONDS = 3.0


def main() -> None:
    options = _options()
    database = os.environ.get("GLEANER_DATABASE_URL", "")
    with tempfile.TemporaryDirectory(prefix="gleaner-events-") as folder, live_gleaner(Path(folder), database) as live:
        world = LiveWorld(live)
        with running_web(live) as web:
            rows = [asyncio.run(_measure(web, world, count, options.seconds)) for count in (0, 1, options.streams)]
        world.close()
    lines = _lines(rows, options.seconds, "PostgreSQL" if database.startswith("postgres") else "SQLite")
    print("\n".join(lines))
    if options.write_docs:
        replace_section(ROOT / "docs" / "benchmarks.md", "Events", lines)
    print(json.dumps({str(row.pop("streams")): row for row in rows}))


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.events", description=__doc__)
    parser.add_argument("--streams", type=int, default=100)
    parser.add_argument("--seconds", type=int, default=20, help="how long each number of streams is measured")
    parser.add_argument("--write-docs", action="store_true", help="replace the section Events of docs/benchmarks.md")
    return parser.parse_args()


async def _measure(web: Web, world: LiveWorld, count: int, seconds: int) -> dict[str, Any]:
    delays: list[float] = []
    headers = {"Authorization": f"Bearer {world.facts['member']}"}
    connector = aiohttp.TCPConnector(limit=0)
    timeout = aiohttp.ClientTimeout(total=None)
    async with aiohttp.ClientSession(headers=headers, connector=connector, timeout=timeout) as session:
        url = f"http://127.0.0.1:{web.port}/api/v1/events"
        readers = [asyncio.create_task(_read(session, url, delays)) for _ in range(count)]
        await asyncio.sleep(SETTLING_SECONDS)
        delays.clear()
        server = psutil.Process(web.process.pid)
        before, began = server.cpu_times(), time.monotonic()
        for number in range(seconds):
            await asyncio.to_thread(world.happen, f"at {time.time()}", pages=int(time.time() * 1000) + number)
            await asyncio.sleep(1.0)
        after, spent = server.cpu_times(), time.monotonic() - began
        for reader in readers:
            reader.cancel()
        await asyncio.gather(*readers, return_exceptions=True)
    cpu = after.user + after.system - before.user - before.system
    return {
        "streams": count,
        "cpu_ms_per_s": round(1000 * cpu / spent, 1),
        "memory_mb": round(server.memory_info().rss / 1e6),
        "lines_heard": len(delays),
        "delay_ms_p50": round(1000 * statistics.median(delays)) if delays else None,
        "delay_ms_max": round(1000 * max(delays)) if delays else None,
    }


async def _read(session: aiohttp.ClientSession, url: str, delays: list[float]) -> None:
    async with session.get(url, params={"kinds": "log,runner"}) as answer:
        answer.raise_for_status()
        async for line in answer.content:
            if line.startswith(b'data: {"runner"') and b'"message":"at ' in line:
                delays.append(time.time() - float(json.loads(line[6:])["message"][3:]))


def _lines(rows: list[dict[str, Any]], seconds: int, database: str) -> list[str]:
    header = ["streams", "CPU ms per second", "memory MB", "log lines heard", "delay ms, median", "delay ms, longest"]
    cells = [["" if value is None else value for value in row.values()] for row in rows]
    return [
        f"`./gleaner bench events` on {database}: a run that makes progress and writes a log line every second, for",
        f"{seconds} seconds; the web process alone.",
        "",
        *table(header, cells),
    ]


if __name__ == "__main__":
    main()
