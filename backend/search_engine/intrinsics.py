"""Single instructions for kernels. Imported when one that uses them is compiled (see `compilation.Late`)."""

from typing import Any

from numba import types
from numba.extending import intrinsic


def _pointer_to(item: Any) -> Any:
    @intrinsic
    def pointer(typing_context: Any, address: Any) -> Any:  # noqa: ARG001
        """An integer taken as the address of items."""

        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            return builder.inttoptr(arguments[0], context.get_value_type(signature.return_type))

        return types.CPointer(item)(types.int64), generate  # type: ignore[no-untyped-call]

    return pointer


u1_pointer = _pointer_to(types.uint8)
u2_pointer = _pointer_to(types.uint16)
u4_pointer = _pointer_to(types.uint32)
i8_pointer = _pointer_to(types.int64)
f4_pointer = _pointer_to(types.float32)


@intrinsic
def popcount(typing_context: Any, value: Any) -> Any:  # noqa: ARG001
    """The number of bits that are set: one instruction."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:  # noqa: ARG001
        return builder.ctpop(arguments[0])

    return types.uint64(types.uint64), generate
