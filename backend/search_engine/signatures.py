"""Types for kernels' signatures. `R…` are arrays that may be read only (mapped files, bytes), `W…` are written to.

They are text that Numba reads when it compiles or loads a kernel: `I8(R_U1, I8)` takes bytes and a number and returns
a number.
"""


class Type(str):
    """A type; called with the types of arguments it is the signature of a function that returns it."""

    __slots__ = ()

    def __call__(self, *arguments: str) -> str:
        """The signature."""
        return f"{self}({', '.join(arguments)})"


def _read(item: str, dimensions: int = 1) -> Type:
    return Type(f"Array({item}, {dimensions}, 'C', readonly=True)")


def _written(item: str, dimensions: int = 1) -> Type:
    return Type(f"Array({item}, {dimensions}, 'C')")


B1 = Type("boolean")
I4 = Type("int32")
I8 = Type("int64")
U1 = Type("uint8")
U8 = Type("uint64")
F4 = Type("float32")
F8 = Type("float64")

R_U1 = _read("uint8")
R_U2 = _read("uint16")
R_U4 = _read("uint32")
R_U8 = _read("uint64")
R_I4 = _read("int32")
R_I8 = _read("int64")
R_F4 = _read("float32")
R_F8 = _read("float64")
R_U2_2D = _read("uint16", 2)
R_U4_2D = _read("uint32", 2)
R_F4_2D = _read("float32", 2)

W_U1 = _written("uint8")
W_U2 = _written("uint16")
W_U4 = _written("uint32")
W_U8 = _written("uint64")
W_I4 = _written("int32")
W_I8 = _written("int64")
W_F4 = _written("float32")
W_F8 = _written("float64")
W_I4_2D = _written("int32", 2)
W_I8_2D = _written("int64", 2)
W_F8_2D = _written("float64", 2)

TWO_I8 = Type("UniTuple(int64, 2)")
TWO_U8 = Type("UniTuple(uint64, 2)")
THREE_I8 = Type("UniTuple(int64, 3)")
SIX_I8 = Type("UniTuple(int64, 6)")
TWO_U8 = Type("UniTuple(uint64, 2)")
I8_B1 = Type("Tuple((int64, boolean))")
