"""Which addresses a crawler may talk to: the public internet, and what the operator adds to it."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network

from crawler_node.errors import NetworkListError

Address = IPv4Address | IPv6Address
Network = IPv4Network | IPv6Network

# `ipaddress.is_global` is no guard: it lets multicast, NAT64, 6to4, IPv4-compatible and some metadata addresses pass.
FORBIDDEN_V4 = tuple(
    IPv4Network(network)
    for network in (
        "0.0.0.0/8",
        "10.0.0.0/8",
        "100.64.0.0/10",  # carrier-grade NAT, and Alibaba's metadata
        "127.0.0.0/8",
        "168.63.129.16/32",  # Azure's metadata, in the middle of public space
        "169.254.0.0/16",  # link-local, and everybody else's metadata
        "172.16.0.0/12",
        "192.0.0.0/24",
        "192.0.2.0/24",
        "192.31.196.0/24",
        "192.52.193.0/24",
        "192.88.99.0/24",  # 6to4 relays
        "192.168.0.0/16",
        "192.175.48.0/24",
        "198.18.0.0/15",
        "198.51.100.0/24",
        "203.0.113.0/24",
        "224.0.0.0/4",
        "240.0.0.0/4",
    )
)
PUBLIC_V6 = IPv6Network("2000::/3")
FORBIDDEN_V6 = tuple(
    IPv6Network(network)
    for network in (
        "2001::/23",  # Teredo, ORCHID, benchmarking
        "2001:db8::/32",
        "2002::/16",  # 6to4 carries any IPv4 address
        "2620:4f:8000::/48",
        "3fff::/20",
    )
)
_COMPATIBLE = IPv6Network("::/96")


def unwrap(address: Address) -> Address:
    """The IPv4 address inside a mapped (`::ffff:a.b.c.d`) or compatible (`::a.b.c.d`) one; else the address itself."""
    if isinstance(address, IPv4Address):
        return address
    if address.ipv4_mapped is not None:
        return address.ipv4_mapped
    if address in _COMPATIBLE and int(address) > 1:
        return IPv4Address(int(address))
    return IPv6Address(int(address))  # without the zone


def is_public(address: Address) -> bool:
    """Whether an address is one of the public internet, and of nothing else."""
    address = unwrap(address)
    if isinstance(address, IPv4Address):
        return not any(address in network for network in FORBIDDEN_V4)
    return address in PUBLIC_V6 and not any(address in network for network in FORBIDDEN_V6)


@dataclass(frozen=True, slots=True)
class AllowedNetwork:
    """One entry of the operator's list: a network, and the only port in it where one is named."""

    network: Network
    port: int | None = None

    def contains(self, address: Address, port: int) -> bool:
        """Whether this entry opens the address and port."""
        return address.version == self.network.version and address in self.network and self.port in (None, port)


@dataclass(frozen=True)
class NetworkPolicy:
    """The public internet, plus what the operator allows. The answer for an address never changes: it may be cached."""

    allowed: tuple[AllowedNetwork, ...] = ()

    def permits(self, address: str, port: int) -> bool:
        """Whether a connection to this address and port may be opened; False for what is no address at all."""
        return _permits(self.allowed, address, port)


@lru_cache(maxsize=4096)
def _permits(allowed: tuple[AllowedNetwork, ...], address: str, port: int) -> bool:
    try:
        parsed = unwrap(ip_address(address))
    except ValueError:
        return False
    return is_public(parsed) or any(entry.contains(parsed, port) for entry in allowed)


def parse_allow_networks(text: str | Sequence[str]) -> NetworkPolicy:
    """A policy from `GLEANER_ALLOW_NETWORKS` or `--allow-network`: entries parted by commas or white space.

    An entry is an address or a network, with `:port` where only one port is meant: `10.0.0.0/8`, `127.0.0.1:8000`,
    `[::1]:8000`, `fd00::/8`.
    """
    lines = [text] if isinstance(text, str) else text
    entries = " ".join(lines).replace(",", " ").split()
    return NetworkPolicy(tuple(_parse_entry(entry) for entry in entries))


def _parse_entry(entry: str) -> AllowedNetwork:
    network, port = _split_port(entry)
    try:
        number = int(port) if port else None
        if number is not None and not 0 < number < 65536:
            raise ValueError(port)
        return AllowedNetwork(ip_network(network, strict=False), number)
    except ValueError:
        raise NetworkListError(
            f"“{entry}” is neither an address nor a network. Write one like 10.0.0.0/8, 127.0.0.1:8000 or [::1]:8000."
        ) from None


def _split_port(entry: str) -> tuple[str, str]:
    if entry.startswith("["):
        network, _, port = entry[1:].partition("]")
        return (network, "") if not port else (network, port.removeprefix(":") or "x")
    if entry.count(":") == 1:
        network, _, port = entry.partition(":")
        return network, port or "x"
    return entry, ""
