"""Third-party exceptions, translated at the edge into failures with sentences."""

import asyncio
import socket
import ssl
from typing import TypeVar

import aiohttp

from crawler_node.contracts import Failure, FetchFailure, Refusal
from crawler_node.fetch.guard import ForbiddenAddressError

_Error = TypeVar("_Error", bound=BaseException)
# With a proxy, only the proxy is ever connected to.
_PROXY_ERRORS = (aiohttp.ClientProxyConnectionError, aiohttp.ClientHttpProxyError, aiohttp.ConnectionTimeoutError)
_CLOSED_PROXY = "The proxy did not let us through."
_FORBIDDEN_PROXY = "The proxy is at an address the operator does not allow; GLEANER_ALLOW_NETWORKS can name it."


def refused(url: str, refusal: Refusal, status: int | None = None, *, detail: str = "") -> FetchFailure:
    """The failure of a page that we do not want, with our reason."""
    sentence = f"{refusal.sentence[:-1]} ({detail})." if detail else refusal.sentence
    return FetchFailure(url, Failure.REFUSED, sentence, can_retry=False, status=status, refusal=refusal)


def proxy_refused(url: str, sentence: str = _CLOSED_PROXY) -> FetchFailure:
    """The failure of a page that a proxy kept from us; of the page and its host it says nothing."""
    return FetchFailure(url, Failure.PROXY, sentence, can_retry=True)


def failure_for_exception(url: str, error: BaseException, *, is_proxied: bool) -> FetchFailure:
    """The failure that an exception of the client stands for."""
    is_forbidden = _cause(error, ForbiddenAddressError) is not None
    if is_proxied and isinstance(error, _PROXY_ERRORS):
        return proxy_refused(url, _FORBIDDEN_PROXY if is_forbidden else _CLOSED_PROXY)
    if is_forbidden:
        return refused(url, Refusal.FORBIDDEN_ADDRESS)
    failure, sentence, can_retry = _translate(error)
    return FetchFailure(url, failure, sentence, can_retry=can_retry)


def _translate(error: BaseException) -> tuple[Failure, str, bool]:
    if isinstance(error, asyncio.TimeoutError | aiohttp.ServerTimeoutError):
        return Failure.TIMEOUT, "The server took too long to answer.", True
    if isinstance(error, aiohttp.ClientSSLError) or _cause(error, ssl.SSLError) is not None:
        return Failure.TLS, "The server's certificate cannot be trusted or the encryption failed.", False
    if isinstance(error, aiohttp.ClientConnectorDNSError) or _cause(error, socket.gaierror) is not None:
        return Failure.DNS, "There is no server of this name.", _is_temporary(error)
    if isinstance(error, aiohttp.ClientConnectorError):
        return Failure.CONNECT, "No connection to the server could be made.", True
    if isinstance(error, aiohttp.ClientPayloadError | aiohttp.ServerDisconnectedError | aiohttp.ClientOSError):
        return Failure.BROKEN, "The server broke off in the middle of its answer.", True
    if isinstance(error, aiohttp.InvalidURL):
        return Failure.BROKEN, "The address cannot be asked for.", False
    if isinstance(error, aiohttp.ClientError | ValueError):
        return Failure.BROKEN, "The server's answer is not proper HTTP.", False
    return Failure.CONNECT, "The connection to the server failed.", True


def _cause(error: BaseException | None, kind: type[_Error]) -> _Error | None:
    seen = 0
    while error is not None and seen < 10:
        if isinstance(error, kind):
            return error
        error = getattr(error, "os_error", None) or error.__cause__ or error.__context__
        seen += 1
    return None


def _is_temporary(error: BaseException) -> bool:
    cause = _cause(error, socket.gaierror)
    return cause is not None and cause.errno == socket.EAI_AGAIN
