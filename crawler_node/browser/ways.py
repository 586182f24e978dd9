"""Ways from the guard to a server: straight to a permitted address, or through one of the crawler's proxies."""

import asyncio
import base64
import ssl
import time
from collections.abc import Sequence
from urllib.parse import unquote, urlsplit

from crawler_node.fetch.guard import GuardedResolver, check_before_proxy
from crawler_node.fetch.networks import NetworkPolicy
from crawler_node.fetch.proxies import ProxyRing
from crawler_node.urls.parse import ParsedUrl

Streams = tuple[asyncio.StreamReader, asyncio.StreamWriter]
_NAME_SECONDS = 60.0
_MAX_NAMES = 2_000
# An address that does not answer costs so much while there is another one to try.
_NEXT_SECONDS = 3.0


class ProxyRefusedError(OSError):
    """A proxy of the crawler could not be reached or did not let us through."""


class Ways:
    """Opens connections. With proxies every one goes through them, and a name is checked before a proxy sees it."""

    def __init__(self, policy: NetworkPolicy, proxies: Sequence[str] = ()) -> None:
        self._policy = policy
        self._resolver = GuardedResolver(policy)
        self._ring = ProxyRing(proxies, clock=time.monotonic)
        self._names: dict[tuple[str, int], tuple[float, list[str]]] = {}

    async def connect(self, target: ParsedUrl) -> Streams:
        """A connection to a URL's server; raises ForbiddenAddressError, ProxyRefusedError or OSError."""
        place = (target.host.strip("[]"), target.port)
        if not self._ring:
            return await self._open(*place)
        await check_before_proxy(target, self._policy)
        proxy = self._ring.choose()
        try:
            streams = await self._through(proxy.url, f"{target.host}:{target.port}")
        except (OSError, EOFError, ValueError, TimeoutError) as error:
            self._ring.report(proxy, worked=False)
            raise ProxyRefusedError("the proxy did not let us through") from error
        self._ring.report(proxy, worked=True)
        return streams

    async def _through(self, proxy: str, authority: str) -> Streams:
        """A tunnel (CONNECT), for plain requests as well: then nobody on the way rewrites them."""
        url = urlsplit(proxy)
        secure = ssl.create_default_context() if url.scheme == "https" else None
        default = 443 if secure else 80
        reader, writer = await self._open(url.hostname or "", url.port or default, secure=secure)
        head = f"CONNECT {authority} HTTP/1.1\r\nHost: {authority}\r\n"
        if url.username:
            pair = f"{unquote(url.username)}:{unquote(url.password or '')}"
            head += f"Proxy-Authorization: Basic {base64.b64encode(pair.encode()).decode()}\r\n"
        try:
            writer.write(f"{head}\r\n".encode())
            answer = await reader.readuntil(b"\r\n\r\n")
            if answer.split(b" ", 2)[1] != b"200":
                raise OSError("the proxy refused")
        except BaseException:
            writer.close()
            raise
        return reader, writer

    async def _open(self, host: str, port: int, *, secure: ssl.SSLContext | None = None) -> Streams:
        """A connection to the first permitted address that takes one."""
        fault: OSError = OSError(f"{host} has no address")
        addresses = await self._addresses(host, port)
        name = host if secure else None
        for left, address in zip(reversed(range(len(addresses))), addresses, strict=True):
            try:
                async with asyncio.timeout(_NEXT_SECONDS if left else None):
                    return await asyncio.open_connection(address, port, ssl=secure, server_hostname=name)
            except OSError as error:  # a TimeoutError is one
                fault = error
        raise fault

    async def _addresses(self, host: str, port: int) -> list[str]:
        now = time.monotonic()
        known = self._names.get((host, port))
        if known is not None and known[0] > now:
            return known[1]
        found = [address for _, address in await self._resolver.addresses(host, port)]
        if len(self._names) >= _MAX_NAMES:
            self._names.clear()
        self._names[host, port] = (now + _NAME_SECONDS, found)
        return found
