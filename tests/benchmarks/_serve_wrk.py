"""wrk, the load maker: fetched as a Debian package into a folder, fed with queries, read as JSON."""

import json
import os
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

PACKAGES = ("wrk", "libluajit-5.1-2", "libluajit-5.1-common")
SCRIPT = """
local paths, next_one, threads = {}, 0, {}
function setup(thread)
  thread:set("number", #threads)
  table.insert(threads, thread)
end
function init(args)
  for line in io.lines(args[1]) do paths[#paths + 1] = line end
  next_one = (tonumber(args[2]) + number * math.floor(#paths / 2)) % #paths
  tally, served = {}, {}
end
function request()
  next_one = next_one % #paths + 1
  return wrk.format("GET", paths[next_one])
end
function response(status, headers, body)
  tally[status] = (tally[status] or 0) + 1
  local ms = status == 200 and tonumber(string.match(string.sub(body, -24), '"ms":([%d.]+)}$'))
  if ms then
    local tenths = math.ceil(ms * 10)
    served[tenths] = (served[tenths] or 0) + 1
  end
end
function done(summary, latency)
  local counts, tenths = {}, {}
  for _, thread in ipairs(threads) do
    for code, count in pairs(thread:get("tally")) do counts[#counts + 1] = code .. "=" .. count end
    for ms, count in pairs(thread:get("served")) do tenths[#tenths + 1] = ms .. "=" .. count end
  end
  local e = summary.errors
  io.write(string.format(
    '{"p50": %.3f, "p90": %.3f, "p99": %.3f, "most": %.3f, "requests": %d, "seconds": %.3f, ' ..
    '"counts": "%s", "tenths": "%s", "broken": %d, "timeouts": %d}\\n',
    latency:percentile(50) / 1000, latency:percentile(90) / 1000, latency:percentile(99) / 1000, latency.max / 1000,
    summary.requests, summary.duration / 1e6, table.concat(counts, " "), table.concat(tenths, " "),
    e.connect + e.read + e.write, e.timeout))
end
"""


class Load(NamedTuple):
    """What a number of clients saw, each asking again as soon as it is answered. Times in milliseconds.

    `server_p99` is by the answers' own `ms`: without the network, the queue and whoever else uses the processors.
    """

    clients: int
    p50: float
    p90: float
    p99: float
    requests_per_second: float
    answered: int
    refused: int
    errors: int
    server_p99: float


class Wrk:
    """Unpacks wrk when it is not installed; `run` makes load."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder / "wrk"
        self._program = self._folder / "usr/bin/wrk"
        if not self._program.exists():
            self._fetch()
        self._script = self._folder / "ask.lua"
        self._script.write_text(SCRIPT)

    def run(self, base: str, paths: Path, *, clients: int, seconds: float, token: str, start: int = 0) -> Load:
        """Ask `paths`, one after another from the one numbered `start` on, with so many clients at once."""
        threads = min(2, clients)
        command = [str(self._program), f"-t{threads}", f"-c{clients}", f"-d{seconds:.0f}s", "--timeout", "30s"]
        command += ["-H", f"Authorization: Bearer {token}", "-s", str(self._script), base, "--", str(paths), str(start)]
        libraries = self._folder / "usr/lib/x86_64-linux-gnu"
        env = {**os.environ, "LD_LIBRARY_PATH": str(libraries)}
        done = subprocess.run(command, env=env, capture_output=True, text=True, check=True)
        return read(clients, json.loads(done.stdout.strip().splitlines()[-1]))

    def _fetch(self) -> None:
        self._folder.mkdir(parents=True, exist_ok=True)
        subprocess.run(["apt-get", "-q", "download", *PACKAGES], cwd=self._folder, check=True, capture_output=True)
        for package in sorted(self._folder.glob("*.deb")):
            subprocess.run(["dpkg-deb", "-x", package, self._folder], check=True)


def read(clients: int, found: dict[str, Any]) -> Load:
    """wrk's numbers; whatever is neither an answer nor a refusal is an error."""
    counts, tenths = _sums(found["counts"]), _sums(found["tenths"])
    others = sum(count for code, count in counts.items() if code not in (200, 429))
    return Load(
        clients,
        found["p50"],
        found["p90"],
        found["p99"],
        counts.get(200, 0) / found["seconds"],
        counts.get(200, 0),
        counts.get(429, 0),
        others + found["broken"] + found["timeouts"],
        _percentile(tenths, 0.99) / 10,
    )


def _sums(text: str) -> dict[int, int]:
    """`200=5 429=1 200=2` as a mapping."""
    sums: dict[int, int] = {}
    for part in text.split():
        key, _, count = part.partition("=")
        sums[int(key)] = sums.get(int(key), 0) + int(count)
    return sums


def _percentile(counts: dict[int, int], share: float) -> float:
    """The least value that so great a share of the counted ones does not exceed."""
    rest = share * sum(counts.values())
    for value in sorted(counts):
        rest -= counts[value]
        if rest <= 0:
            return value
    return 0.0


def rows(loads: Sequence[Load]) -> list[tuple[str, ...]]:
    return [
        (
            f"{load.clients:,}",
            f"{load.p50:.1f}",
            f"{load.p90:.1f}",
            f"{load.p99:.1f}",
            f"{load.server_p99:.1f}",
            f"{load.requests_per_second:,.0f}",
            f"{load.refused:,}",
            f"{load.errors:,}",
        )
        for load in loads
    ]
