"""Arrays by address: how a kernel gets any number of posting lists without being compiled for each number."""

from backend.search_engine.compilation import Late, inlined

carray = Late("numba.carray")
_u1 = Late("backend.search_engine.intrinsics.u1_pointer")
_u2 = Late("backend.search_engine.intrinsics.u2_pointer")
_u4 = Late("backend.search_engine.intrinsics.u4_pointer")
_i8 = Late("backend.search_engine.intrinsics.i8_pointer")
_f4 = Late("backend.search_engine.intrinsics.f4_pointer")

DOCS, IMPACTS, POINTERS, MAXIMA, OFFSETS, POSITIONS = range(6)
"""What the six addresses of a posting list point at, in order."""
ADDRESSES = 6


@inlined
def docs_at(addresses, term, count):  # type: ignore[no-untyped-def]
    """Documents of a list, as numbers within their range."""
    return carray(_u2(addresses[ADDRESSES * term + DOCS]), count)


@inlined
def impacts_at(addresses, term, count):  # type: ignore[no-untyped-def]
    """Impacts of a list's postings."""
    return carray(_f4(addresses[ADDRESSES * term + IMPACTS]), count)


@inlined
def pointers_at(addresses, term, ranges):  # type: ignore[no-untyped-def]
    """Where each range of a list begins."""
    return carray(_u4(addresses[ADDRESSES * term + POINTERS]), ranges + 1)


@inlined
def maxima_at(addresses, term, ranges):  # type: ignore[no-untyped-def]
    """The greatest impact in each range."""
    return carray(_f4(addresses[ADDRESSES * term + MAXIMA]), ranges)


@inlined
def offsets_at(addresses, term, count):  # type: ignore[no-untyped-def]
    """Where each posting's positions begin."""
    return carray(_u4(addresses[ADDRESSES * term + OFFSETS]), count + 1)


@inlined
def positions_at(addresses, term, count):  # type: ignore[no-untyped-def]
    """Positions of a list, posting after posting."""
    return carray(_u4(addresses[ADDRESSES * term + POSITIONS]), count)


@inlined
def bytes_at(address, count):  # type: ignore[no-untyped-def]
    """Bytes of a mapped file."""
    return carray(_u1(address), count)


@inlined
def numbers_at(address, count):  # type: ignore[no-untyped-def]
    """Whole numbers."""
    return carray(_i8(address), count)
