"""Arrays by address: how a kernel gets any number of posting lists without being compiled for each number."""

from typing import Any

from numba import carray, njit, types  # type: ignore[attr-defined]
from numba.extending import intrinsic


def _pointer_to(item: Any) -> Any:
    @intrinsic
    def pointer(typing_context: Any, address: Any) -> Any:  # noqa: ARG001
        """An integer taken as the address of items."""

        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            return builder.inttoptr(arguments[0], context.get_value_type(signature.return_type))

        return types.CPointer(item)(types.int64), generate  # type: ignore[no-untyped-call]

    return pointer


_u1 = _pointer_to(types.uint8)
_u2 = _pointer_to(types.uint16)
_u4 = _pointer_to(types.uint32)
_i8 = _pointer_to(types.int64)
_f4 = _pointer_to(types.float32)

DOCS, IMPACTS, POINTERS, MAXIMA, OFFSETS, POSITIONS = range(6)
"""What the six addresses of a posting list point at, in order."""
ADDRESSES = 6


@njit(inline="always")
def docs_at(addresses, term, count):  # type: ignore[no-untyped-def]
    """Documents of a list, as numbers within their range."""
    return carray(_u2(addresses[ADDRESSES * term + DOCS]), count)


@njit(inline="always")
def impacts_at(addresses, term, count):  # type: ignore[no-untyped-def]
    """Impacts of a list's postings."""
    return carray(_f4(addresses[ADDRESSES * term + IMPACTS]), count)


@njit(inline="always")
def pointers_at(addresses, term, ranges):  # type: ignore[no-untyped-def]
    """Where each range of a list begins."""
    return carray(_u4(addresses[ADDRESSES * term + POINTERS]), ranges + 1)


@njit(inline="always")
def maxima_at(addresses, term, ranges):  # type: ignore[no-untyped-def]
    """The greatest impact in each range."""
    return carray(_f4(addresses[ADDRESSES * term + MAXIMA]), ranges)


@njit(inline="always")
def offsets_at(addresses, term, count):  # type: ignore[no-untyped-def]
    """Where each posting's positions begin."""
    return carray(_u4(addresses[ADDRESSES * term + OFFSETS]), count + 1)


@njit(inline="always")
def positions_at(addresses, term, count):  # type: ignore[no-untyped-def]
    """Positions of a list, posting after posting."""
    return carray(_u4(addresses[ADDRESSES * term + POSITIONS]), count)


@njit(inline="always")
def bytes_at(address, count):  # type: ignore[no-untyped-def]
    """Bytes of a mapped file."""
    return carray(_u1(address), count)


@njit(inline="always")
def numbers_at(address, count):  # type: ignore[no-untyped-def]
    """Whole numbers."""
    return carray(_i8(address), count)
