"""The one door to the network: names are resolved once, checked, and connected to at that very address.

Pages, robots.txt, sitemaps, previews and webhooks all go through a `GuardedConnector`; there is no other way out.
"""

import asyncio
import socket
from collections.abc import Sequence
from typing import Any

import aiohttp
from aiohttp.abc import AbstractResolver, ResolveResult

from crawler_node.fetch.networks import NetworkPolicy
from crawler_node.urls.parse import ParsedUrl

_DNS_CACHE_SECONDS = 60


class ForbiddenAddressError(OSError):
    """A connection to an address that is neither public nor allowed by the operator was stopped before it began."""


class GuardedResolver(AbstractResolver):
    """Resolves names with the system's resolver, and forgets every address the policy does not permit."""

    def __init__(self, policy: NetworkPolicy) -> None:
        self._policy = policy

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_UNSPEC
    ) -> list[ResolveResult]:
        """Only permitted addresses.

        Raises ForbiddenAddressError when a name has addresses but none is permitted, OSError when it has none.
        """
        addresses = await self.addresses(host, port, family)
        return [
            ResolveResult(hostname=host, host=address, port=port, family=family, proto=0, flags=socket.AI_NUMERICHOST)
            for family, address in addresses
        ]

    async def addresses(
        self, host: str, port: int, family: socket.AddressFamily = socket.AF_UNSPEC
    ) -> list[tuple[socket.AddressFamily, str]]:
        """The permitted addresses of a name; raises as `resolve` does."""
        loop = asyncio.get_running_loop()
        try:
            found = await loop.getaddrinfo(host, port, family=family, type=socket.SOCK_STREAM)
        except UnicodeError as error:
            raise OSError(f"{host} is no valid name") from error
        known: dict[tuple[socket.AddressFamily, str], None] = {(item[0], str(item[4][0])): None for item in found}
        permitted = [(family, address) for family, address in known if self._policy.permits(address, port)]
        if known and not permitted:
            raise ForbiddenAddressError(f"{host} is at {next(iter(known))[1]}, which is not allowed")
        return permitted

    async def close(self) -> None:
        """Nothing is held."""


def guarded_connector(policy: NetworkPolicy, **options: Any) -> aiohttp.TCPConnector:
    """A connector that cannot reach an address outside the policy, whatever name, redirect or proxy leads there."""
    return aiohttp.TCPConnector(
        resolver=GuardedResolver(policy),
        ttl_dns_cache=_DNS_CACHE_SECONDS,
        socket_factory=_socket_factory(policy),
        **options,
    )


def _socket_factory(policy: NetworkPolicy) -> Any:
    """The last check, on the address about to be connected: it also sees literal addresses, which skip the resolver."""

    def make_socket(info: Sequence[Any]) -> socket.socket:
        family, kind, proto, _, (address, port, *_) = info
        if family not in (socket.AF_INET, socket.AF_INET6) or not policy.permits(address, port):
            raise ForbiddenAddressError(f"{address} is not allowed")
        return socket.socket(family, kind, proto)

    return make_socket


async def check_before_proxy(url: ParsedUrl, policy: NetworkPolicy) -> None:
    """Refuse a name before a proxy sees it: a proxy inside a network reaches what we must not.

    Raises ForbiddenAddressError when any address of the name is not permitted, since the proxy may choose any of them.
    A name that we cannot resolve is not refused: proxies often know names that we do not.
    """
    host = url.host.strip("[]")
    loop = asyncio.get_running_loop()
    try:
        found = await loop.getaddrinfo(host, url.port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError):
        if "." in host.rstrip("."):
            return
        raise ForbiddenAddressError(f"{host} is a name of a local network") from None
    for item in found:
        address = str(item[4][0])
        if not policy.permits(address, url.port):
            raise ForbiddenAddressError(f"{host} is at {address}, which is not allowed")
