"""Messages between a bounded child and its owner: a length, then bytes. JSON, never pickle: pages are hostile."""

import json
import struct
from collections.abc import Callable
from typing import Any

LENGTH = struct.Struct("!I")


def pack(message: dict[str, Any], attachment: bytes = b"") -> bytes:
    """A JSON message and the bytes that go with it, as one write."""
    head = json.dumps(message).encode()
    return LENGTH.pack(len(head)) + head + LENGTH.pack(len(attachment)) + attachment


def unpack(read_exactly: Callable[[int], bytes]) -> tuple[dict[str, Any], bytes]:
    """The next message; whatever `read_exactly` raises at the end of the stream ends it here too."""
    head = read_exactly(LENGTH.unpack(read_exactly(LENGTH.size))[0])
    attachment = read_exactly(LENGTH.unpack(read_exactly(LENGTH.size))[0])
    message: dict[str, Any] = json.loads(head)
    return message, attachment
