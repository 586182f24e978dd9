"""Array types for kernels' signatures. `R…` may be read only (mapped files, bytes), `W…` is written to."""

from numba import types

R_U1 = types.Array(types.uint8, 1, "C", readonly=True)
R_U2 = types.Array(types.uint16, 1, "C", readonly=True)
R_U4 = types.Array(types.uint32, 1, "C", readonly=True)
R_U8 = types.Array(types.uint64, 1, "C", readonly=True)
R_I4 = types.Array(types.int32, 1, "C", readonly=True)
R_I8 = types.Array(types.int64, 1, "C", readonly=True)
R_F4 = types.Array(types.float32, 1, "C", readonly=True)
R_F8 = types.Array(types.float64, 1, "C", readonly=True)
R_F4_2D = types.Array(types.float32, 2, "C", readonly=True)
R_U2_2D = types.Array(types.uint16, 2, "C", readonly=True)
W_U1 = types.Array(types.uint8, 1, "C")
W_U2 = types.Array(types.uint16, 1, "C")
W_U4 = types.Array(types.uint32, 1, "C")
W_U8 = types.Array(types.uint64, 1, "C")
W_I4 = types.Array(types.int32, 1, "C")
W_I8 = types.Array(types.int64, 1, "C")
W_F4 = types.Array(types.float32, 1, "C")
W_F8 = types.Array(types.float64, 1, "C")
I8 = types.int64
F4 = types.float32
F8 = types.float64
B1 = types.boolean
TWO_I8 = types.UniTuple(I8, 2)  # type: ignore[no-untyped-call]
I8_B1 = types.Tuple((I8, B1))  # type: ignore[no-untyped-call]
U1 = types.uint8
U8 = types.uint64
TWO_U8 = types.UniTuple(U8, 2)  # type: ignore[no-untyped-call]
I4 = types.int32
THREE_I8 = types.UniTuple(I8, 3)  # type: ignore[no-untyped-call]
SIX_I8 = types.UniTuple(I8, 6)  # type: ignore[no-untyped-call]
W_I4_2D = types.Array(types.int32, 2, "C")
W_I8_2D = types.Array(types.int64, 2, "C")
R_U4_2D = types.Array(types.uint32, 2, "C", readonly=True)
W_F8_2D = types.Array(types.float64, 2, "C")
