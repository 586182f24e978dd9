"""What a document is known by: a fingerprint of its values, and an identity that outlives changes to them."""

import hashlib
import json
from collections.abc import Mapping, Sequence

IDENTITY_BYTES = 16
_PLAIN_JSON = json.JSONEncoder(sort_keys=True, ensure_ascii=False, separators=(",", ":"))


def fingerprint(values: Mapping[str, object]) -> bytes:
    """SHA-1 over the values: equal exactly when all values are."""
    return hashlib.sha1(_canonical(values), usedforsecurity=False).digest()


def identity(address: str, values: Mapping[str, object], *, keys: Sequence[str], is_item: bool) -> bytes:
    """128 bits that stay the same from run to run.

    With key inspectors (one of them found) they are made of their values alone, so a document that moves to another
    page stays itself. Without, they are made of the page's address, and for one of many items of a page also of all its
    values: such an item that changes is another one, and has no history.
    """
    key_values = {name: values.get(name) for name in keys}
    if any(value is not None for value in key_values.values()):
        source = b"key\0" + _canonical(key_values)
    elif is_item:
        source = b"item\0" + address.encode() + b"\0" + fingerprint(values)
    else:
        source = b"page\0" + address.encode()
    return hashlib.blake2b(source, digest_size=IDENTITY_BYTES).digest()


def _canonical(values: Mapping[str, object]) -> bytes:
    return _PLAIN_JSON.encode(values).encode("utf-8", "surrogatepass")
