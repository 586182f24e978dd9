"""Several hosts on one machine: network namespaces on a bridge; where they are not permitted, processes only."""

import os
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field

NETWORK = "198.18.0"  # a range for tests, reached by no route: these hosts are talked to from inside only
NAMES = ("db", "site", "n1", "n2", "n3")
NODES = ("n1", "n2", "n3")


def _ip(*words: str, check: bool = True) -> int:
    return subprocess.run(["ip", *words], check=check, capture_output=True).returncode


@dataclass(frozen=True)
class Hosts:
    """`prefix` is empty where there are no namespaces: then every host is this machine, and none can be cut off."""

    prefix: str = ""
    addresses: dict[str, str] = field(default_factory=lambda: dict.fromkeys(NAMES, "127.0.0.1"))

    @property
    def are_separate(self) -> bool:
        return bool(self.prefix)

    def on(self, host: str, command: Sequence[str]) -> list[str]:
        """The command as it is run on that host."""
        return ["ip", "netns", "exec", f"{self.prefix}{host}", *command] if self.are_separate else list(command)

    def cut(self, host: str) -> None:
        _ip("-n", f"{self.prefix}sw", "link", "set", f"v-{host}", "down")

    def mend(self, host: str) -> None:
        _ip("-n", f"{self.prefix}sw", "link", "set", f"v-{host}", "up")


@contextmanager
def hosts(*, are_wanted: bool = True) -> Iterator[Hosts]:
    """Namespaces when they are wanted and permitted, else processes only."""
    prefix = f"gl{os.getpid()}-"
    if not are_wanted or shutil.which("ip") is None or _ip("netns", "add", f"{prefix}sw", check=False):
        yield Hosts()
        return
    try:
        _ip("-n", f"{prefix}sw", "link", "add", "br0", "type", "bridge", "stp_state", "0", "forward_delay", "0")
        _ip("-n", f"{prefix}sw", "link", "set", "br0", "up")
        addresses = {name: f"{NETWORK}.{number}" for number, name in enumerate(NAMES, start=10)}
        for name, address in addresses.items():
            _add_host(prefix, name, address)
        yield Hosts(prefix, addresses)
    finally:
        for name in (*NAMES, "sw"):
            _ip("netns", "del", f"{prefix}{name}", check=False)


def _add_host(prefix: str, name: str, address: str) -> None:
    switch, host = f"{prefix}sw", f"{prefix}{name}"
    _ip("netns", "add", host)
    _ip("-n", host, "link", "set", "lo", "up")
    _ip("-n", switch, "link", "add", f"v-{name}", "type", "veth", "peer", "name", "eth0", "netns", host)
    _ip("-n", switch, "link", "set", f"v-{name}", "master", "br0", "up")
    _ip("-n", host, "addr", "add", f"{address}/24", "dev", "eth0")
    _ip("-n", host, "link", "set", "eth0", "up")
