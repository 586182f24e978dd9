"""Ports of the loopback address: is one free, and which one is."""

import errno
import random
import socket

LOOPBACK = "127.0.0.1"
# Below 32768: from there on Linux gives ports to outgoing connections, and one might be taken just before we listen.
FIRST_PRIVATE, LAST_PRIVATE = 20000, 32767


def why_not_usable(port: int) -> int | None:
    """None when the port can be listened on, else the error number (EADDRINUSE, EACCES, …)."""
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((LOOPBACK, port))
        except OSError as error:
            return error.errno or errno.EINVAL
    return None


def next_free(after: int) -> int:
    """The first usable port above `after`: something easy to remember for people."""
    return next(port for port in range(after + 1, 65536) if why_not_usable(port) is None)


def private_free() -> int:
    """A free port at a random place, so that two starts at once rarely choose the same."""
    while True:
        port = random.randint(FIRST_PRIVATE, LAST_PRIVATE)
        if why_not_usable(port) is None:
            return port
